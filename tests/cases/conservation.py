#!/usr/bin/env python3
"""What must not change does not: mass between walls, under a moving lid, also with a solid in its corner, around solids at rest and in motion, in periodic domains;
momentum in a periodic domain without force, and its growth by the body force with one. To rounding, for every lattice, collision
and precision.

Usage: conservation.py WEIR
"""
import itertools

import numpy

import weir_case
from weir_case import VARIANTS, dimensions

STEPS = 400
# Relative. What rounding populations, here about a hundredth away from rest, adds up to in a run.
MASS_TOLERANCE = {"double": 2e-15, "single": 5e-8}
# Per cell; velocities are about 0.05.
MOMENTUM_TOLERANCE = {"double": 2e-15, "single": 2e-6}


def domain(count, periodic):
    return {"cells": [20, 17, 13][:count], "periodic": periodic[:count]}


class Conservation(weir_case.CaseTest):
    def computed(self, variant, changes):
        """Runs a case of this variant and checks its mass. Returns the summary and the columns of the series."""
        lattice, collision, precision = variant
        count = dimensions(lattice)
        run = self.compute({
            "lattice": lattice,
            "collision": {"operator": collision},
            "precision": precision,
            "fluid": {"tau": 0.6},
            "initial": {"density": "1 + 0.01 * sin(2*pi*x/nx) * cos(2*pi*y/ny)",
                        "velocity": ["0.05 * sin(2*pi*y/ny)", "0.03 * cos(2*pi*x/nx)", 0.02][:count]},
            "blocks": {"cells": [11, 9, 8][:count]},
            "run": {"steps": STEPS},
            "output": [{"type": "series", "every": 10}],
            **changes,
        })
        columns, summary = run.series(), run.summary
        self.assertEqual(list(columns["step"]), list(range(0, STEPS + 1, 10)))
        drift = columns["mass"] / columns["mass"][0] - 1
        self.assertLessEqual(numpy.abs(drift).max(), MASS_TOLERANCE[precision])
        self.assertAlmostEqual(summary["mass_drift"], drift[-1], delta=MASS_TOLERANCE["double"])
        self.assertGreater(columns["max_speed"][-1], 1e-3)
        self.assertEqual(summary["warnings"], [])
        return summary, columns

    def check_all(self, changes):
        """changes: function of the number of dimensions."""
        for variant in VARIANTS:
            with self.subTest(variant):
                self.computed(variant, changes(dimensions(variant[0])))

    def test_walls(self):
        self.check_all(lambda count: {"domain": domain(count, [False] * 3)})

    def test_moving_lid(self):
        self.check_all(lambda count: {
            "domain": domain(count, [False, False, True]),
            "boundaries": {"y+": {"type": "wall", "velocity": [0.1, 0, 0.03][:count]}},
        })

    def test_adjoining_moving_walls(self):
        self.check_all(lambda count: {
            "domain": domain(count, [False] * 3),
            "boundaries": {"y+": {"type": "wall", "velocity": [0.1, 0, 0.03][:count]},
                           "x-": {"type": "wall", "velocity": [0, 0.05, -0.02][:count]}},
        })

    def test_moving_lid_beside_a_solid(self):
        """A lid on each face, a box in a corner under it or in the one opposite, motion to and from it."""
        for lattice in ("D2Q9", "D3Q19"):
            count = dimensions(lattice)
            cells = [20, 17, 13][:count]
            for axis, high, box_high in itertools.product(range(count), (False, True), (False, True)):
                velocity = [0 if k == axis else -0.1 if high == box_high else 0.1 for k in range(count)]
                corner = {"from": [n - 6 if box_high else 0 for n in cells], "to": [n if box_high else 6 for n in cells]}
                corner["from"][axis], corner["to"][axis] = (cells[axis] - 6, cells[axis]) if high else (0, 6)
                face = "xyz"[axis] + "-+"[high]
                precision = "double" if high else "single"
                with self.subTest(lattice, face=face, box=corner, precision=precision):
                    self.computed((lattice, "trt", precision), {
                        "domain": domain(count, [False] * 3),
                        "boundaries": {face: {"type": "wall", "velocity": velocity}},
                        "solids": [{"box": corner}],
                    })

    def test_solids(self):
        """One of them a belt that moves along itself."""
        self.check_all(lambda count: {
            "domain": domain(count, [True, True, False]),
            "force": [1e-5, 2e-5, 0][:count],
            "solids": [{"sphere": {"center": [5.2, 8, 6][:count], "radius": 3.1}},
                       {"box": {"from": [12, 0, 0][:count], "to": [15, 17, 13][:count]}, "name": "belt",
                        "velocity": [0, 0.06, 0.02][:count]},
                       {"cylinder": {"center": [17, 14, 6][:count], "axis": "z", "radius": 2}}],
        })

    def test_momentum(self):
        """In periodic domains it stays, or grows by the force."""
        for variant in VARIANTS:
            lattice, _, precision = variant
            for force in ([0, 0, 0], [1e-5, -2e-5, 3e-5]):
                force = force[:dimensions(lattice)]
                with self.subTest(variant, force=force):
                    summary, columns = self.computed(variant, {"domain": domain(len(force), [True] * 3), "force": force})
                    for axis, push in zip("xyz", force):
                        gain = (columns[f"momentum_{axis}"] - columns[f"momentum_{axis}"][0]) / summary["fluid_cells"]
                        error = numpy.abs(gain - push * columns["step"]).max()
                        self.assertLessEqual(error, MOMENTUM_TOLERANCE[precision], f"along {axis}")


if __name__ == "__main__":
    weir_case.main()
