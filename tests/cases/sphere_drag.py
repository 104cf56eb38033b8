#!/usr/bin/env python3
"""Forces on bodies: with what the body force puts in they balance the flow's momentum, at every step and when the flow is steady;
and the drag on a sphere of a cubic array in creeping flow is the published one.

Domains are periodic throughout, plates being flat boxes: the program tells the forces on bodies, not those on the domain's faces.

Usage: sphere_drag.py WEIR
"""
import itertools
import math

import numpy

import weir_case
from weir_case import COLLISIONS, SPATIAL, VARIANTS, dimensions, viscosity

MAGIC_TAU = 0.5 + math.sqrt(3 / 16)  # walls half-way for bgk as for trt
FORCE = 1e-6

# The drag per 6 pi mu a U on a sphere in a simple cubic array, U the mean velocity over spheres too, by the volume fraction of spheres.
# Zick and Homsy, J. Fluid Mech. 115 (1982) 13-26, table 2.
ARRAY_DRAG = {0.027: 2.008, 0.064: 2.810, 0.125: 4.292}


def total_force(columns, axis):
    return sum(column for name, column in columns.items() if name.startswith(f"force_{axis}("))


class SphereDrag(weir_case.CaseTest):
    def channel(self, lattice, collision, precision, steps, every):
        """Flow along x past a sphere (in a plane: a cylinder) half-way between two plates."""
        height, count = 14, dimensions(lattice)
        up = count - 1
        cells = [20, 13, height + 2] if count == 3 else [20, height + 2]
        middle = [7.3, 6.5, 2 + height / 2] if count == 3 else [7.3, 2 + height / 2]
        sphere = {"sphere": {"center": middle, "radius": 3}, "name": "sphere"}
        plates = {"box": {"from": [0] * count, "to": [2 if axis == up else cells[axis] for axis in range(count)]}, "name": "plates"}
        run = self.compute({
            "lattice": lattice,
            "collision": {"operator": collision},
            "precision": precision,
            "domain": {"cells": cells, "periodic": [True] * count},
            "fluid": {"tau": MAGIC_TAU},
            "force": weir_case.along(0, FORCE, count),
            "solids": [sphere, plates],
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
                    print(lattice, collision, precision, axis, numpy.abs(gain - given).max() / driving)

    def test_steady(self):
        """Drag and friction together are the body force on all of the fluid."""
        for lattice, collision, precision in VARIANTS:
            with self.subTest(lattice=lattice, collision=collision, precision=precision):
                columns, driving = self.channel(lattice, collision, precision, 6000, 6000)
                print(lattice, collision, precision, total_force(columns, "x")[-1] / driving - 1,
                columns["force_x(sphere)"][-1]/driving, columns["force_x(plates)"][-1]/driving)

    def array_drag(self, lattice, collision, fraction, n=32):
        """Also the Reynolds number."""
        radius = n * (3 * fraction / (4 * math.pi)) ** (1 / 3)
        nu = viscosity(MAGIC_TAU)
        run = self.compute({
            "lattice": lattice,
            "collision": {"operator": collision},
            "precision": "double",
            "domain": {"cells": [n] * 3, "periodic": [True] * 3},
            "fluid": {"tau": MAGIC_TAU},
            "force": [FORCE, 0, 0],
            "solids": [{"sphere": {"center": [n / 2] * 3, "radius": radius}}],
            "run": {"steps": 20 * n**2, "stop_when": {"steady": 1e-6, "every": n**2 // 8}},
            "output": [{"type": "series", "every": 100000}],
        }, workers=2)
        self.assertEqual(run.summary["stopped_by"], "steady")
        columns, driving = run.series(), FORCE * run.summary["fluid_cells"]
        velocity = columns["momentum_x"][-1] / n**3
        # In an array that a pressure gradient drives, the gradient acts on the spheres' volume as well.
        return FORCE * n**3 / (6 * math.pi * nu * radius * velocity), columns["force_x(solids)"][-1]/driving-1, run.summary["steps"], run.summary["wall_seconds"]

    def test_array(self):
        for lattice, collision in itertools.product(SPATIAL, COLLISIONS):
          for fraction in ARRAY_DRAG:
           for n in (16, 24, 32):
            with self.subTest(lattice=lattice, collision=collision, fraction=fraction):
                drag = self.array_drag(lattice, collision, fraction, n)
                print(lattice, collision, fraction, n, drag[0] / ARRAY_DRAG[fraction] - 1, drag[1:])


if __name__ == "__main__":
    weir_case.main()
