#!/usr/bin/env python3
"""weir show: a page of what a run has written, in a browser; and the statistics of series and probes in the summary.

Usage: test_show.py WEIR
"""
import base64
import csv
import json
import os
import shutil
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import numpy

import browser
import command
import weir_case

FROM = 60
CASE = {
    "name": "wake", "description": "Flow around </script> & a cylinder", "lattice": "D2Q9", "domain": {"cells": [48, 24], "periodic": [False, True]},
    "fluid": {"tau": 0.6}, "boundaries": {"x-": {"type": "velocity", "velocity": [0.1, 0]}, "x+": {"type": "pressure", "density": 1}},
    "solids": [{"name": "rod", "cylinder": {"axis": "z", "center": [12, 12.5], "radius": 3}}], "run": {"steps": 205},
    "output": [{"type": "series", "every": 2, "statistics": FROM, "coefficients": {"velocity": 0.1, "area": 6, "length": 6}},
               {"type": "probes", "points": [[24, 14]], "statistics": 0}, {"type": "probes", "points": [[30, 14]], "name": "silent"},
               {"type": "image", "every": 50}, {"type": "profile", "from": [24, 0], "to": [24, 24]}],
}


SPHERES = {
    "name": "spheres", "lattice": "D3Q19", "domain": {"cells": [20, 16, 16], "periodic": [True, True, True]}, "fluid": {"tau": 0.7}, "initial": {"velocity": [0.02, 0, 0]},
    "solids": [{"sphere": {"center": [10, 8, 8], "radius": 3}}], "run": {"steps": 20}, "output": [{"type": "fields", "fields": ["density", "velocity", "q_criterion"]}],
}


THIS_PYTHON = {"PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]}


def can_draw():
    try:
        from vtkmodules.vtkCommonCore import vtkVersion
    except ImportError:
        return False
    return bool(os.environ.get("DISPLAY") or shutil.which("Xvfb") or (vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion()) >= (9, 4))


class ShowTest(command.CommandTest):
    words = ["show"]
    workers = 1

    def table(self, folder, name):
        with open(os.path.join(folder, name)) as file:
            rows = list(csv.reader(file))
        return dict(zip(rows[0], numpy.array(rows[1:], dtype=float).T))

    def document(self, folder):
        with open(os.path.join(folder, "report.html")) as file:
            text = file.read()
        begin = text.index('id="run">') + len('id="run">')
        return json.loads(text[begin:text.index("</script>", begin)])

    def test_wrong_usage(self):
        empty, case = self.folder(), self.write(CASE)
        self.check_wrong_usage((([], ["no folder", "weir show"]), (["nowhere"], ["nowhere", "case.json"]), ([empty], [empty, "case.json"]),
                                ([case], ["case.json"]), ([empty, empty], ["one folder"])))
        self.assertEqual(os.listdir(empty), [])
        self.assertFalse(os.path.exists("nowhere"))

    def test_statistics(self):
        run = self.compute(CASE)
        statistics = run.summary["statistics"]
        self.assertEqual(sorted(statistics), ["probes", "series"])
        series, table = statistics["series"], self.table(run.folder, "series.csv")
        self.assertEqual((series["from_step"], series["to_step"], series["rows"]), (FROM, 204, 73))
        for name, column in series["columns"].items():
            values = table[name][(table["step"] >= FROM) & (table["step"] <= 204)]
            for key, value in (("mean", values.mean()), ("rms", values.std()), ("least", values.min()), ("greatest", values.max())):
                self.assertAlmostEqual(column[key], value, delta=1e-12 * abs(value) + 1e-15, msg=f"{name} {key}")
        drag = series["columns"]["c_x(rod)"]
        self.assertAlmostEqual(drag["strouhal"], drag["frequency"] * 6 / 0.1, places=12)
        self.assertNotIn("strouhal", series["columns"]["mass"])
        self.assertEqual(statistics["probes"]["rows"], 206)

    def test_statistics_of_a_run_that_went_on(self):
        whole = self.compute(CASE)
        part = self.compute(CASE, "--steps", "101", "--set", "checkpoint.every=70")
        self.call(part.folder, "-q", "--steps", "205", words=["resume"])
        with open(os.path.join(part.folder, "summary.json")) as file:
            self.assertEqual(json.load(file)["statistics"], whole.summary["statistics"])

    def test_page(self):
        run = self.compute(CASE)
        said = self.call(run.folder)
        self.assertEqual(said.stdout, f"page in {run.folder}/report.html\n")
        document = self.document(run.folder)
        self.assertEqual([image["file"] for image in document["images"]], [f"image_speed_z_{step:09d}.png" for step in (50, 100, 150, 200, 205)])
        with open(os.path.join(run.folder, "image_speed_z_000000205.png"), "rb") as file:
            self.assertEqual(base64.b64decode(document["images"][-1]["png"]), file.read())
        tables = {table["file"]: table for table in document["tables"]}
        self.assertEqual(sorted(tables), ["probes.csv", "profile_000000205.csv", "series.csv", "silent.csv"])
        self.assertEqual(tables["series.csv"]["spectra_from"], FROM)
        self.assertIn("c_x(rod)", [spectrum["name"] for spectrum in tables["series.csv"]["spectra"]])
        self.assertEqual(self.call(run.folder, "--quiet").stdout, "")  # again, over the one before
        self.call(self.write(CASE), "--out", run.folder, "--force", "-q", words=["run"])
        self.assertFalse(os.path.exists(os.path.join(run.folder, "report.html")))  # that was of the earlier run

    def test_wrong_isosurfaces(self):
        run = self.compute(SPHERES)
        for wanted in ("speed", "speed=", "speed=high", "speed=nan", "=1", "../speed=1", "speed=1,color=density", "speed=1,colour="):
            self.assertIn("such as q_criterion=1e-5,colour=speed", self.call(run.folder, "--isosurface", wanted, code=2).stderr)
        folder = self.folder()
        with open(os.path.join(folder, "h5py.py"), "w") as file:
            file.write("raise ImportError('there is no h5py')")
        error = self.call(run.folder, "--isosurface", "speed=0.01", code=2, env={"PYTHONPATH": folder}).stderr
        self.assertIn("takes VTK and h5py for python3", error)
        self.assertNotIn("isosurface_speed.png", run.files())

    @unittest.skipUnless(can_draw(), "there is no VTK, or no display for it")
    def test_isosurface(self):
        run = self.compute(SPHERES)
        for wanted, words in (("pressure=1", ['no fields in space with "pressure"', "density, q_criterion"]), ("density=3", ["nowhere 3 at step 20"])):
            error = self.call(run.folder, "--isosurface", wanted, code=2, env=THIS_PYTHON).stderr
            for word in words:
                self.assertIn(word, error)
        self.call(run.folder, "--isosurface", "speed=0.01,colour=density", env=THIS_PYTHON)
        self.assertEqual([image["file"] for image in self.document(run.folder)["images"]], ["isosurface_speed.png"])
        with open(os.path.join(run.folder, "isosurface_speed.png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
        self.call(self.write(SPHERES), "--out", run.folder, "--force", "-q", words=["run"])
        self.assertNotIn("isosurface_speed.png", run.files())

    def test_page_of_a_run_that_failed(self):
        case = {**CASE, "boundaries": {**CASE["boundaries"], "x-": {"type": "velocity", "velocity": [0.5, 0]}}, "fluid": {"tau": 0.5001}, "run": {"steps": 4000}}
        folder = os.path.join(self.folder(), "out")
        self.call(self.write(case), "--out", folder, "-q", words=["run"], code=1)
        self.call(folder)
        self.assertIn("diverged", self.document(folder)["summary"]["failure"])

    @unittest.skipUnless(browser.BROWSER, "there is no Chromium")
    def test_page_in_a_browser(self):
        run = self.compute(CASE)
        self.call(run.folder)
        elements = browser.Elements(browser.draw(self, os.path.join(run.folder, "report.html"), size="1240,6000"))
        self.assertEqual(elements.find("html")[0].get("data-drawn"), "yes")
        shown = [attributes.get("data-section") for attributes in elements.find("section")]
        for title in ("image_speed_z", "velocity along y", "velocity(1)", "c(rod)", "kinetic_energy", "Spectrum of c_x(rod)", "Statistics of series", "Where time went",
                      "Summary", "case.json"):
            self.assertIn(title, shown)
        self.assertEqual(elements.find("img")[0]["alt"], "image_speed_z_000000205.png")


if __name__ == "__main__":
    weir_case.main()
