#!/usr/bin/env python3
"""Forces on bodies and faces: with what the body force puts in they balance the flow's momentum, at every step and when the flow is steady;
and the drag on a sphere of a cubic array in creeping flow is the published one.

Domains are periodic, plates being flat boxes, but where forces on the domain's faces are looked at.

Usage: sphere_drag.py WEIR
"""
import math

import numpy

import weir_case
from weir_case import VARIANTS, dimensions, viscosity

FORCE = 1e-6
TOLERANCE = {"double": 1e-11, "single": 1e-5}  # of the whole body force
EXACT_TAU = 0.5 + math.sqrt(3 / 16)            # where bgk's walls sit half-way

# Drag per 6 pi mu a U on a sphere in a simple cubic array with this share of its volume in spheres, U being the mean velocity over
# fluid and spheres: Zick and Homsy, J. Fluid Mech. 115 (1982) 13-26, table 2.
ARRAY_FRACTION, ARRAY_DRAG = 0.125, 4.292
ARRAY_CELLS = 32
ARRAY_TOLERANCE = 0.02  # of the drag: the sphere is made of whole cells


def total_force(columns, axis):
    return sum(column for name, column in columns.items() if name.startswith(f"force_{axis}("))


class SphereDrag(weir_case.CaseTest):
    def channel(self, lattice, collision, precision, steps, every):
        """Flow along x past a sphere (in a plane: a cylinder) between two plates. Returns the series and the whole body force."""
        height, count = 14, dimensions(lattice)
        cells = [20, 13, height + 2] if count == 3 else [20, height + 2]
        middle = [7.3, 6.5, 2 + height / 2] if count == 3 else [7.3, 2 + height / 2]
        plates = {"from": [0] * count, "to": [*cells[:-1], 2]}  # both, as what lies above is periodic
        run = self.compute({
            "lattice": lattice,
            "collision": {"operator": collision},
            "precision": precision,
            "domain": {"cells": cells, "periodic": [True] * count},
            "fluid": {"tau": 1},
            "force": weir_case.along(0, FORCE, count),
            "solids": [{"sphere": {"center": middle, "radius": 3}, "name": "sphere"}, {"box": plates, "name": "plates"}],
            "blocks": {"cells": [cells[0], cells[1], 8][:count]},
            "run": {"steps": steps},
            "output": [{"type": "series", "every": every}],
        })
        return run.series(), FORCE * run.summary["fluid_cells"]

    def test_every_step(self):
        """What the fluid gains in momentum in a step is what the body force gives less what bodies take, to rounding."""
        for lattice, collision, precision in VARIANTS:
            with self.subTest(lattice=lattice, collision=collision, precision=precision):
                columns, driving = self.channel(lattice, collision, precision, 60, 1)
                self.assertEqual(len(columns["step"]), 61)
                for axis in "xyz"[:dimensions(lattice)]:
                    gain = numpy.diff(columns["momentum_" + axis])
                    given = (driving if axis == "x" else 0) - total_force(columns, axis)[1:]
                    self.assertLessEqual(numpy.abs(gain - given).max(), TOLERANCE[precision] * driving, f"along {axis}")

    def test_faces(self):
        """The same balance in a closed box whose lid moves, and in a channel, around a body and one that lies on the lid."""
        for lattice, collision, precision in VARIANTS:
            count = dimensions(lattice)
            cells = [15, 13, 14][:count]
            for periodic in ([False] * count, [True] * (count - 1) + [False]):
                with self.subTest(lattice=lattice, collision=collision, precision=precision, periodic=periodic):
                    run = self.compute({
                        "lattice": lattice,
                        "collision": {"operator": collision},
                        "precision": precision,
                        "domain": {"cells": cells, "periodic": periodic},
                        "fluid": {"tau": 0.8},
                        "force": [1e-5, -2e-5, 3e-5][:count],
                        "boundaries": {"xyz"[count - 1] + "+": {"type": "wall", "velocity": weir_case.along(0, 0.05, count)}},
                        "solids": [{"sphere": {"center": [7.3, 6.5, 6][:count], "radius": 3}},
                                   {"box": {"from": [n - 3 for n in cells], "to": cells}, "name": "corner"}],
                        "blocks": {"cells": [8, 13, 7][:count]},
                        "run": {"steps": 60},
                        "output": [{"type": "series", "every": 1, "faces": True}],
                    })
                    columns, fluid = run.series(), run.summary["fluid_cells"]
                    self.assertIn("force_x(edge)", columns)
                    for axis, force in zip("xyz", [1e-5, -2e-5, 3e-5][:count]):
                        gain = numpy.diff(columns["momentum_" + axis])
                        taken = total_force(columns, axis)[1:]
                        scale = max(abs(force) * fluid, numpy.abs(taken).max())
                        self.assertLessEqual(numpy.abs(gain - force * fluid + taken).max(), TOLERANCE[precision] * scale, f"along {axis}")

    def test_steady(self):
        """Drag and friction together are the body force on all of the fluid."""
        for lattice, collision, precision in VARIANTS:
            with self.subTest(lattice=lattice, collision=collision, precision=precision):
                columns, driving = self.channel(lattice, collision, precision, 5000, 5000)
                self.assertLessEqual(abs(total_force(columns, "x")[-1] - driving), TOLERANCE[precision] * driving)
                self.assertGreater(columns["force_x(sphere)"][-1], 0.3 * driving)
                self.assertGreater(columns["force_x(plates)"][-1], 0.3 * driving)

    def test_array(self):
        n = ARRAY_CELLS
        radius = n * (3 * ARRAY_FRACTION / (4 * math.pi)) ** (1 / 3)
        for lattice, collision, tau in (("D3Q15", "trt", 1.2), ("D3Q19", "bgk", EXACT_TAU), ("D3Q27", "trt", 1.2)):
            with self.subTest(lattice=lattice, collision=collision):
                run = self.compute({
                    "lattice": lattice,
                    "collision": {"operator": collision},
                    "precision": "double",
                    "domain": {"cells": [n] * 3, "periodic": [True] * 3},
                    "fluid": {"tau": tau},
                    "force": [FORCE, 0, 0],
                    "solids": [{"sphere": {"center": [n / 2] * 3, "radius": radius}, "name": "sphere"}],
                    "blocks": {"cells": [n, n, n // 2]},
                    "run": {"steps": 20 * n**2, "stop_when": {"steady": 1e-5, "every": n**2 // 8}},
                    "output": [{"type": "series"}],
                }, workers=2)
                self.assertEqual(run.summary["stopped_by"], "steady")
                columns, driving = run.series(), FORCE * run.summary["fluid_cells"]
                self.assertAlmostEqual(columns["force_x(sphere)"][-1] / driving, 1, delta=1e-4)
                velocity = columns["momentum_x"][-1] / n**3
                self.assertLess(2 * radius * velocity / viscosity(tau), 0.1, "not the Reynolds number of creeping flow")
                # The pressure gradient that drives a published array acts on the volume of the spheres as well.
                drag = FORCE * n**3 / (6 * math.pi * viscosity(tau) * radius * velocity)
                print(f"{lattice} {collision}: drag {drag:.3f}, published {ARRAY_DRAG}")
                self.assertAlmostEqual(drag / ARRAY_DRAG, 1, delta=ARRAY_TOLERANCE)


if __name__ == "__main__":
    weir_case.main()
