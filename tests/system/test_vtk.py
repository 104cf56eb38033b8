#!/usr/bin/env python3
"""What ParaView shows of a run is what the run computed: the fields of every step, opened with VTK's XDMF reader, against profiles,
which are written apart from fields, and against a flow that is known.

Usage: test_vtk.py WEIR. Exits with 77 (skipped) where Python has no VTK with that reader.
"""
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "cases")]
import h5py
import numpy
from read_fields_with_vtk import probe, read_grid

import weir_case


class Vtk(weir_case.CaseTest):
    def open(self, run, time):
        return read_grid(os.path.join(run.folder, "fields.xmf"), time)

    def check_profiles(self, config, line, steps, every):
        """Runs a config with a profile along the centres of a row of cells. Returns the run and the length of a step."""
        fields = {"type": "fields", "every": every, "fields": ["density", "velocity", "pressure", "speed"]}
        profile = {"type": "profile", "every": every, **line, "fields": ["density", "velocity", "pressure", "speed"]}
        path = os.path.join(HERE, "..", "..", "configs", config)
        run = self.compute(path, "--steps", str(steps), "--set", f"output={json.dumps([fields, profile])}")
        tolerance = 1e-6 if run.summary["precision"] == "single" else 1e-12
        with open(path) as file:
            step_time = json.load(file).get("si", {}).get("time_step", 1)
        for step in range(every, steps + 1, every):
            grid, times = self.open(run, step * step_time)
            self.assertEqual(len(times), steps // every)
            columns = weir_case.read_columns(os.path.join(run.folder, f"profile_{step:09d}.csv"))
            self.assertAlmostEqual(columns["time"][0] / step_time, step, delta=1e-6)
            compared = 0
            for row, point in enumerate(zip(columns["x"], columns["y"], columns["z"])):
                if math.isnan(columns["density"][row]):
                    self.assertEqual(probe(grid, "solid", point), (1,))
                    self.assertEqual(probe(grid, "velocity", point), (0, 0, 0))
                    continue
                for name in ("density", "pressure", "speed", "velocity"):
                    written = [values[row] for column, values in columns.items() if column.startswith(name)]
                    shown = probe(grid, name, point)
                    self.assertEqual(len(shown), len(written))
                    scale = numpy.nanmax(columns["speed" if name == "velocity" else name])
                    for one, other in zip(shown, written):
                        self.assertAlmostEqual(one, other, delta=tolerance * scale)
                compared += 1
            self.assertGreater(compared, 30)
            self.assertGreater(numpy.nanmax(columns["speed"]), 0)
        return run

    def test_space_with_solid(self):
        """A line through the sphere, single precision."""
        run = self.check_profiles("channel_sphere.json", {"from": [0, 32.5, 30.5], "to": [96, 32.5, 30.5]}, 20, 10)
        grid, _ = self.open(run, 20)
        self.assertEqual(grid.GetBounds(), (0, 96, 0, 64, 0, 64))
        self.assertEqual([probe(grid, "solid", point)[0] for point in ((32, 32, 32.5), (32, 32, 52))], [1, 0])

    def test_many_steps(self):
        """More than the table has room for at first: it is written anew in between."""
        path = os.path.join(HERE, "..", "..", "configs", "couette.json")
        run = self.compute(path, "--steps", "40", "--set", 'output=[{"type": "fields", "every": 1, "fields": ["velocity"]}]')
        grid, times = self.open(run, 17 * 4e-6)
        self.assertEqual([round(time / 4e-6) for time in times], list(range(1, 41)))
        with h5py.File(os.path.join(run.folder, "fields_000000017.h5")) as file:
            self.assertEqual(probe(grid, "velocity", (7.8125e-6, 7.8125e-6, 1e-3 - 7.8125e-6))[0], file["velocity"][-1, 0, 0, 0])

    def test_si_units(self):
        """Places in m, times in s, velocities in m/s; double precision."""
        half = 1.5625e-5 / 2
        run = self.check_profiles("couette.json", {"from": [half, half, 0], "to": [half, half, 1e-3]}, 200, 100)
        grid, times = self.open(run, None)
        self.assertAlmostEqual(times[-1], 200 * 4e-6, delta=1e-15)
        self.assertAlmostEqual(grid.GetBounds()[5], 1e-3, delta=1e-15)
        self.assertAlmostEqual(probe(grid, "velocity", (half, half, 1e-3 - half))[0], 0.1, delta=0.01)

    def test_plane(self):
        self.check_profiles("poiseuille.json", {"from": [16.5, 0], "to": [16.5, 64]}, 100, 50)

    def test_known_flow(self):
        """The state at step 0 is the formula at the cells' centres, axes in the right order."""
        formula = ["0.01 * (x + 0.5) / nx", "0.02 * (y + 0.5) / ny", "0.03 * (z + 0.5) / nz"]
        cells = [9, 7, 5]
        run = self.compute({
            "lattice": "D3Q19", "precision": "double", "domain": {"cells": cells}, "fluid": {"tau": 1}, "run": {"steps": 0},
            "initial": {"velocity": formula}, "blocks": {"cells": [4, 3, 2]}, "output": [{"type": "fields"}],
        })
        grid, times = self.open(run, None)
        self.assertEqual(times, [0])
        for cell in ((0, 0, 0), (8, 0, 0), (0, 6, 0), (0, 0, 4), (5, 3, 2)):
            expected = [factor * (place + 1) / count for factor, place, count in zip((0.01, 0.02, 0.03), cell, cells)]
            for shown, right in zip(probe(grid, "velocity", [place + 0.3 for place in cell]), expected):
                self.assertAlmostEqual(shown, right, delta=1e-12)


if __name__ == "__main__":
    weir_case.main()
