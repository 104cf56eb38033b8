#!/usr/bin/env python3
"""The output "permeability" and weir permeability: values that are known in closed form, SI, blocks and ranks, resumed runs, warnings, and wrong usage.

Usage: test_permeability.py WEIR
"""
import json
import math
import os
import unittest

import numpy

import command
import weir_case

HEIGHT = 12  # cells between plates
PLATES = {
    "lattice": "D2Q9",
    "precision": "double",
    "domain": {"cells": [8, HEIGHT], "periodic": [True, False]},
    "fluid": {"tau": 0.9},
    "force": [1e-6, 0],
    "run": {"steps": 20000, "stop_when": {"steady": 1e-10, "every": 100}},
    "output": [{"type": "permeability", "every": 100}],
}
# Of cells' velocities on a parabola, which TRT has at any viscosity.
BETWEEN_PLATES = HEIGHT**2 / 12 + 1 / 24


class Output(weir_case.CaseTest):
    def test_plates(self):
        run = self.compute(PLATES)
        found, series = run.summary["permeability"]["permeability"], run.series("permeability")
        self.assertAlmostEqual(found["permeability"] / BETWEEN_PLATES, 1, delta=1e-7)
        self.assertAlmostEqual(found["permeability"] / series["permeability"][-1], 1, delta=1e-12)
        self.assertEqual(found["porosity"], 1)
        self.assertAlmostEqual(found["darcy_velocity"][0], found["permeability"] * 1e-6 / weir_case.viscosity(0.9), delta=1e-9)
        self.assertLess(abs(found["imbalance"]), 1e-7)
        self.assertEqual((series["step"][0], series["permeability"][0]), (0, 0))
        self.assertGreater(series["imbalance"][0], 0.9)
        # What solids do not carry yet is about what is missing.
        missing = 1 - series["permeability"] / BETWEEN_PLATES
        late = (series["step"] > 100) & (missing > 1e-6)
        self.assertGreater(late.sum(), 3)
        numpy.testing.assert_allclose(series["imbalance"][late] / missing[late], math.pi**2 / 12, rtol=0.02)
        self.assertEqual(run.summary["warnings"], [])

    def test_si(self):
        """In m2; a plate's case with the same numbers in lattice units."""
        cell, step, density = 1e-5, 1e-6, 850
        si = {**PLATES, "units": "si", "si": {"cell_size": cell, "time_step": step, "density": density},
              "fluid": {"viscosity": weir_case.viscosity(0.9) * cell**2 / step}, "force": [1e-6 * density * cell / step**2, 0]}
        found = self.compute(si).summary["permeability"]["permeability"]
        self.assertAlmostEqual(found["permeability"] / cell**2 / BETWEEN_PLATES, 1, delta=1e-7)

    def test_same_rows(self):
        """However cut, and gone on with."""
        solid = {**PLATES, "domain": {"cells": [16, 16], "periodic": [True, True]}, "blocks": {"cells": [16, 16]}, "checkpoint": {"every": 150},
                 "solids": [{"sphere": {"center": [7, 9], "radius": 4}}], "run": {"steps": 400}, "output": [{"type": "permeability", "every": 50}]}
        whole = self.compute(solid)
        for options in ({"ranks": 2}, {}):
            cut = self.compute(solid, "--set", "blocks.cells=[5,7]", **options)
            self.assertEqual(cut.bytes_of("permeability.csv"), whole.bytes_of("permeability.csv"))
        begun = self.compute(solid, "--steps", "200")
        gone_on = self.compute(os.path.join(begun.folder, "case.json"), "--steps", "400", "--resume", begun.newest("checkpoint", ".h5"))
        rows, all_rows = gone_on.series("permeability"), whole.series("permeability")
        for name, column in rows.items():
            numpy.testing.assert_array_equal(column, all_rows[name][-len(column):])
        self.assertEqual(gone_on.summary["permeability"], whole.summary["permeability"])

    def test_warnings(self):
        (early,) = self.compute(PLATES, "--steps", "100").summary["warnings"]
        self.assertRegex(early, r"permeability: solids carry \d.* % of the force: the flow is not steady yet")
        (fast,) = self.compute(PLATES, "--set", "force=[1e-4,0]").summary["warnings"]
        self.assertRegex(fast, r"permeability: Reynolds 0\.\d+ .*inertia")


class Tensor(command.CommandTest):
    words = ["permeability"]
    # Stripes of fluid, and of as much solid, across (1, 1): a flow along (1, -1) alone.
    STRIPES = {**PLATES, "domain": {"cells": [16, 16], "periodic": [True, True]}, "force": [0, 1e-6], "output": [],
               "solids": [{"formula": "x + y + 0.5 - 16*rint((x + y + 0.5)/16) > 0", "type": "interpolated_wall"}]}

    def test_stripes(self):
        folder = self.folder()
        out, path = os.path.join(folder, "out"), os.path.join(folder, "numbers.json")
        done = self.call(self.write(self.STRIPES), "--out", out, "--json", path)
        with open(path) as file:
            document = json.load(file)
        with open(os.path.join(out, "permeability.json")) as file:
            self.assertEqual(json.load(file), document)
        tensor = numpy.array(document["tensor"], dtype=float)
        across = tensor[0, 0] * numpy.array([[1, -1], [-1, 1]])
        numpy.testing.assert_allclose(tensor[:2, :2], across, rtol=1e-6)
        self.assertTrue(numpy.isnan(tensor[2]).all() and numpy.isnan(tensor[:, 2]).all())
        width = 8 / math.sqrt(2)
        # Half is fluid, and the flow is along both axes.
        self.assertAlmostEqual(tensor[0, 0] / (width**2 / 12 / 2 / 2), 1, delta=0.05)
        self.assertLess(document["asymmetry"], 1e-9)
        self.assertEqual([run["axis"] for run in document["runs"]], ["x", "y"])
        self.assertRegex(done.stdout, r"permeability in cell widths squared\n +force along +x +y\n")
        self.assertRegex(done.stderr, r"force along x: \d+ steps, imbalance")
        self.assertEqual(weir_case.results_in(out), ["permeability.json", "x", "y"])
        self.assertIn("permeability.csv", weir_case.results_in(os.path.join(out, "x")))
        alone = self.compute(os.path.join(out, "y", "case.json"))
        self.assertEqual(alone.summary["digest"], document["runs"][1]["digest"])

        self.assertIn("--force", self.call(self.write(self.STRIPES), "--out", out, code=2).stderr)
        between = self.call(self.write({**PLATES, "name": "plates"}), "--out", out, "--force", "--quiet", "--steps", "50")
        self.assertEqual(between.stderr, "")
        self.assertIn("warning: force along x: permeability: solids carry", between.stdout)
        self.assertEqual(weir_case.results_in(out), ["permeability.json", "x"])

    def test_wrong_usage(self):
        case = self.write(self.STRIPES)
        self.check_wrong_usage((
            ([], ["no case"]),
            ([case, "--set", "run.steps=7"], ["run.steps", "--steps"]),
            ([case, "--set", "force=[0,0]"], ["case.json: permeability is that along", '"force"']),
            ([case, "--set", "domain.periodic=[false,false]"], ["domain.periodic", "no axis is periodic"]),
            ([case, "--set", 'boundaries.y+={"type": "wall", "velocity": [0.1, 0]}', "--set", "domain.periodic=[true,false]"],
             ['the boundary "y+" moves']),
            ([case, "--set", 'output=[{"type": "series", "name": "permeability"}]'], ["output[0].name", "give another name"]),
        ))


if __name__ == "__main__":
    weir_case.main()
