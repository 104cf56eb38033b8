#!/usr/bin/env python3
"""Cube whose lid moves, at Reynolds number 1000, against Tables 5 and 6 of Albensoeder and Kuhlmann, J. Comput. Phys. 206 (2005) 536-558
(spectral, 96 polynomials along each axis): velocities on both lines through the centre of the middle plane, mean absolute error at most
0.5 % of the lid's speed.

The table's lid is at x = -1/2 and moves along y; here it is z+ and moves along x. A run ends when velocities change by less than 1e-4 of the
greatest during the time in which the lid passes the cube 1.5 times.

Usage: cavity_cube.py WEIR
"""
import csv
import os

import numpy

import weir_case

CELLS, LID, REYNOLDS = 128, 0.15, 1000
GREATEST_ERROR = 0.005  # mean over a profile, of the lid's speed
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "albensoeder2005.csv")


def published(profile):
    """Places (of the edge) and velocities (of the lid's speed)."""
    with open(TABLE, newline="") as file:
        return numpy.array([(float(row["position"]), float(row["value"])) for row in csv.DictReader(file) if row["profile"] == profile]).T


class Cube(weir_case.CaseTest):
    def test_re_1000(self):
        middle = CELLS / 2
        run = self.compute({
            "lattice": "D3Q19", "collision": {"operator": "trt"}, "precision": "single",
            "domain": {"cells": [CELLS] * 3},
            "fluid": {"reynolds": {"number": REYNOLDS, "velocity": LID, "length": CELLS}},
            "boundaries": {"z+": {"type": "wall", "velocity": [LID, 0, 0]}},
            "run": {"steps": 1000 * CELLS, "stop_when": {"steady": 1e-4, "every": 10 * CELLS}},
            "output": [{"type": "profile", "name": "u", "from": [middle, middle, 0], "to": [middle, middle, CELLS]},
                       {"type": "profile", "name": "v", "from": [0, middle, middle], "to": [CELLS, middle, middle]}],
        }, workers=None)
        self.assertEqual(run.summary["stopped_by"], "steady")
        for name, place, velocity, at_end in (("u", "z", "velocity_x", 1), ("v", "x", "velocity_z", 0)):
            columns = run.profile(name)
            places, expected = published(name)
            self.assertEqual(len(places), 15)
            computed = numpy.interp(places, numpy.concatenate([[0], columns[place] / CELLS, [1]]),
                                    numpy.concatenate([[0], columns[velocity] / LID, [at_end]]))
            error = numpy.abs(computed - expected).mean()
            print(f"{CELLS}^3, {run.summary['steps']} steps, profile {name}: mean error {100 * error:.3f} %", flush=True)
            self.assertLessEqual(error, GREATEST_ERROR, name)


if __name__ == "__main__":
    weir_case.main()
