#!/usr/bin/env python3
"""Probes: what they say at points is what fields of the same run say there, at every step, whatever computes it.

Usage: test_probes.py WEIR
"""
import itertools
import os
import shutil
import sys
import unittest

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import weir_case

# Between centres, in blocks' corners, at centres, in the domain's corner, beside the sphere.
POINTS = [[8, 8, 8], [7.6, 16.3, 4.1], [2.5, 3.5, 4.5], [0, 0, 0], [20, 12, 12], [15.3, 11.2, 6.1]]
SPATIAL = {"name": "spatial", "lattice": "D3Q19", "precision": "double", "domain": {"cells": [20, 18, 12], "periodic": [True, True, False]},
           "fluid": {"tau": 0.7}, "initial": {"velocity": ["0.04*sin(2*pi*y/ny)", "0.04*cos(2*pi*x/nx)", "0.01*sin(2*pi*x/nx)"]},
           "solids": [{"sphere": {"center": [12, 9, 6], "radius": 4}}], "run": {"steps": 30, "check_every": 7}}
FLAT = {"name": "flat", "lattice": "D2Q9", "precision": "single", "domain": {"cells": [24, 20]},
        "units": "si", "si": {"cell_size": 0.01, "time_step": 0.001, "density": 1000}, "fluid": {"viscosity": 0.005},
        "boundaries": {"y+": {"type": "wall", "velocity": [0.5, 0]}}, "run": {"steps": 20}}


def probes(points, **more):
    return {"type": "probes", "points": points, **more}


def interpolated(values, solid, point):
    """Linear between the centres of the fluid cells around a point (cell widths); edges keep their value. values: [z][y][x]."""
    sums = weights = 0.0
    size = values.shape[::-1]
    centres = [min(max(place - 0.5, 0), cells - 1) for place, cells in zip(point, size)]
    for corner in itertools.product((0, 1), repeat=3):
        cell = [min(int(centre) + high, cells - 1) for centre, high, cells in zip(centres, corner, size)]
        parts = [centre - int(centre) if high else 1 - centre + int(centre) for centre, high in zip(centres, corner)]
        if not solid[tuple(cell[::-1])]:
            weights += numpy.prod(parts)
            sums += numpy.prod(parts) * values[tuple(cell[::-1])]
    return sums / weights


class Probes(weir_case.CaseTest):
    in_memory = True

    def table(self, case, output, **options):
        run = self.compute({**case, "output": [output]}, **options)
        return run.bytes_of("probes.csv")

    def test_fields_say_the_same(self):
        for case, points, scale in (SPATIAL, POINTS, 1), (FLAT, [[0.08, 0.08], [0.0312, 0.1999]], 0.01):
            run = self.compute({**case, "output": [{"type": "fields", "every": 10}, probes(points, fields=["density", "velocity", "speed"])]})
            columns = run.series("probes")
            self.assertEqual(list(columns["step"]), list(range(case["run"]["steps"] + 1)))
            tolerance = 1e-13 if case["precision"] == "double" else 2e-5
            for step, (number, point) in itertools.product((10, 20), enumerate(points, 1)):
                fields = run.fields_at("fields", step)
                solid = fields["solid"] if "solid" in fields else numpy.zeros_like(fields["density"])
                place = [coordinate / scale for coordinate in point] + [0.5] * (3 - len(point))
                at = lambda values: interpolated(values.astype(float), solid, place)
                velocity = [at(fields["velocity"][..., axis]) for axis in range(3)]
                self.assertAlmostEqual(columns["time"][step], step * (0.001 if case is FLAT else 1), 12)
                expected = {"density": at(fields["density"]), "speed": numpy.linalg.norm(velocity),
                            **{f"velocity_{axis}": value for axis, value in zip("xyz", velocity)}}
                for name, value in expected.items():
                    got = columns[f"{name}({number})"][step]
                    self.assertLess(abs(got - value), tolerance * max(1, abs(value)), f"{name}({number}) at step {step}: {got}, {value}")

    def test_differences(self):
        run = self.compute({**FLAT, "output": [probes([[0.08, 0.08], [0.03, 0.15], [0.2, 0.12]], fields=["pressure", "velocity"],
                                                      differences=[[1, 2], [3, 1]], statistics=5)]})
        columns = run.series("probes")
        for name in "pressure", "velocity_x", "velocity_y":
            for one, other in (1, 2), (3, 1):
                got, expected = columns[f"{name}({one}-{other})"], columns[f"{name}({one})"] - columns[f"{name}({other})"]
                self.assertLess(abs(got - expected).max(), 1e-5 * abs(columns[f"{name}({one})"]).max())
        self.assertIn("pressure(1-2)", run.summary["statistics"]["probes"]["columns"])

    def test_same_bytes(self):
        output = probes(POINTS, every=3, differences=[[1, 6]])
        expected = self.table(SPATIAL, output)
        self.assertEqual(expected.count(b"\n"), 1 + 11)
        for blocks in ({"cells": [8, 8, 8]}, {"cells": [5, 6, 4]}, {"cells": [8, 8, 8], "list_up_to": 1}):
            self.assertEqual(self.table({**SPATIAL, "blocks": blocks}, output, workers=2), expected, blocks)

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_same_bytes_on_ranks(self):
        output = probes(POINTS)
        expected = self.table(SPATIAL, output)
        for ranks in 2, 3:
            self.assertEqual(self.table({**SPATIAL, "blocks": {"cells": [8, 8, 8]}}, output, ranks=ranks), expected, ranks)

    def test_points_from_a_file(self):
        path = os.path.join(self.folder(), "points.csv")
        with open(path, "w") as file:
            file.write("x,y,z\n# near the sphere\n" + "".join(", ".join(map(str, point)) + "\n" for point in POINTS) + "\n")
        self.assertEqual(self.table(SPATIAL, probes(path)), self.table(SPATIAL, probes(POINTS)))
        with open(path, "a") as file:
            file.write("1, 2, none\n")
        done = self.compute({**SPATIAL, "output": [probes(path)]}, code=2)
        self.assertIn("line 10 is no point; give two or three numbers", done.error)

    def test_a_diverged_flow_leaves_whole_rows_of_before(self):
        """Batches end with checks: what was seen since the last good one is not kept."""
        case = {**SPATIAL, "fluid": {"tau": 0.5001}, "initial": {"velocity": ["0.35*sin(2*pi*y/ny)", "0.35*cos(2*pi*x/nx)", "0"]},
                "run": {"steps": 3000, "check_every": 20}, "output": [probes(POINTS)]}
        run = self.compute(case, code=1)
        self.assertIn("diverged", run.error)
        rows = run.bytes_of("probes.csv").split(b"\n")[1:-1]
        self.assertEqual(len(rows) % 20, 1)
        self.assertTrue(all(row.count(b",") == 1 + 4 * len(POINTS) and b"nan" not in row for row in rows))


if __name__ == "__main__":
    weir_case.main()
