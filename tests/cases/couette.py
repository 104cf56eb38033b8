#!/usr/bin/env python3
"""Flow between a plate at rest and one that moves along itself: a straight line, which half-way bounce-back holds to rounding at
any viscosity, for every lattice, collision and precision.

Usage: couette.py WEIR
"""
import itertools
import json
import math
import os

import numpy

import weir_case
from weir_case import COLLISIONS, LATTICES, PRECISIONS, along, dimensions, viscosity

HEIGHT = 12
PLATE_VELOCITY = 0.05
TOLERANCE = {"double": 1e-12, "single": 2e-5}  # of the plate's velocity
CONFIG = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "configs", "couette.json")


def steady_steps(height, tau, precision):
    """Until the slowest mode, which decays like exp(-nu (pi / H)^2 t), is below rounding."""
    return math.ceil({"single": 18, "double": 32}[precision] * height**2 / (math.pi**2 * viscosity(tau)))


class Couette(weir_case.CaseTest):
    def check(self, lattice, collision, precision, tau, flow=0, across=1, side="+"):
        count = dimensions(lattice)
        case = {
            "lattice": lattice,
            "collision": {"operator": collision},
            "precision": precision,
            "domain": {"cells": [HEIGHT if axis == across else 2 for axis in range(count)],
                       "periodic": [axis != across for axis in range(count)]},
            "fluid": {"tau": tau},
            "boundaries": {"xyz"[across] + side: {"type": "wall", "velocity": along(flow, PLATE_VELOCITY, count)}},
            "blocks": {"cells": [HEIGHT] * count},
            "run": {"steps": steady_steps(HEIGHT, tau, precision)},
            "output": [{"type": "profile",
                        "from": [0 if axis == across else 0.5 for axis in range(count)],
                        "to": [HEIGHT if axis == across else 0.5 for axis in range(count)]},
                       {"type": "series", "faces": True}],
        }
        run = self.compute(case)
        self.check_friction(run.series(), tau, precision, "xyz"[flow], "xyz"[across], side, 2 ** (count - 1))
        columns = run.profile()
        place = columns["xyz"[across]] if side == "+" else HEIGHT - columns["xyz"[across]]
        self.assertEqual(len(place), HEIGHT)
        for axis in range(count):
            expected = PLATE_VELOCITY * place / HEIGHT if axis == flow else 0
            error = numpy.abs(columns["velocity_" + "xyz"[axis]] - expected).max() / PLATE_VELOCITY
            self.assertLessEqual(error, TOLERANCE[precision], f"velocity along {'xyz'[axis]}")

    def check_friction(self, series, tau, precision, flow, across, side, area):
        """The fluid drags the plate at rest along as strongly as it holds the other one back: viscosity times shear."""
        friction = viscosity(tau) * PLATE_VELOCITY / HEIGHT * area
        for plate, expected in (("-", friction), ("+", -friction)):
            if side == "-":
                expected = -expected
            self.assertAlmostEqual(series[f"force_{flow}({across}{plate})"][-1] / expected, 1, delta=100 * TOLERANCE[precision])

    def test_line(self):
        for lattice, collision, precision in itertools.product(LATTICES, COLLISIONS, PRECISIONS):
            for tau in (0.7, 1.3):
                with self.subTest(lattice=lattice, collision=collision, precision=precision, tau=tau):
                    self.check(lattice, collision, precision, tau)

    def test_every_direction(self):
        for lattice in LATTICES:
            for flow, across in itertools.permutations(range(dimensions(lattice)), 2):
                for side in "-+":
                    with self.subTest(lattice=lattice, flow=flow, across=across, side=side):
                        self.check(lattice, "trt", "double", 1, flow, across, side)

    def test_si_units(self):
        """The config, which is in SI units, made thin: 0.1 m/s over 1 mm."""
        profile = {"type": "profile", "from": [0, 0, 0], "to": [0, 0, 1e-3], "fields": ["velocity_x"]}
        run = self.compute(CONFIG, "--set", "domain.cells=[1, 1, 64]", "--set", f"output=[{json.dumps(profile)}]")
        self.assertEqual(run.summary["stopped_by"], "steady")
        columns = run.profile()
        self.assertLessEqual(numpy.abs(columns["velocity_x"] - 0.1 * columns["z"] / 1e-3).max(), 1e-6 * 0.1)
        self.assertAlmostEqual(columns["z"][0], 1.5625e-5 / 2, delta=1e-12)


if __name__ == "__main__":
    weir_case.main()
