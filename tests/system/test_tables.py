#!/usr/bin/env python3
"""Values of boundaries from tables: those of formulas, in lattice units and SI; the same bits from a file and from its columns in the case,
in blocks, by ranks, and by a run that goes on from a checkpoint when the file is gone.

Usage: test_tables.py WEIR
"""
import copy
import json
import os
import shutil
import subprocess
import sys
import unittest

import h5py
import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import weir_case

STEPS, CELLS = 37, [24, 16]
HAT = "(1 - abs(y - ny/2)/(ny/2))"  # linear between the points of the table, which a cell's centre is at, too
CASE = {"name": "tables", "lattice": "D2Q9", "precision": "double", "domain": {"cells": CELLS}, "fluid": {"tau": 0.8}, "scalar": {"diffusivity": 0.1},
        "boundaries": {"x-": {"type": "velocity", "velocity": [{"table": "in.csv", "column": "u"}, 0], "scalar": {"table": "in.csv", "column": "dye"}},
                       "x+": {"type": "pressure", "density": {"table": "out.csv", "repeat": True}}},
        "run": {"steps": STEPS}, "output": [{"type": "fields", "fields": ["density", "velocity", "scalar"]}]}
FORMULAS = {"x-": {"type": "velocity", "velocity": [f"0.001 * (20 + min(t, 40)/2) * {HAT}", 0], "scalar": HAT},
            "x+": {"type": "pressure", "density": "1 + 0.0001 * abs(t - 20*rint(t/20))"}}


def inlet(length=1, time=1, velocity=1):
    rows = [(y, t, 0.001 * (20 + t / 2) * (1 - abs(y - 8) / 8), 1 - abs(y - 8) / 8) for y in (0, 8, 16, 3.5) for t in (0, 40)]
    return "y, t, u, dye\n" + "\n".join(f"{y * length:.17g}, {t * time:.17g}, {u * velocity:.17g}, {dye:.17g}" for y, t, u, dye in rows)


def outlet(time=1, density=1):
    return f"t,rho\n0,{density}\n{10 * time:.17g},{1.001 * density:.17g}\n{20 * time:.17g},{density}\n"


class Tables(weir_case.CaseTest):
    def run_in(self, folder, case, *options, ranks=1):
        path = os.path.join(folder, "case.json")
        with open(path, "w") as file:
            json.dump(case, file)
        return self.call(folder, "run", path, *options, ranks=ranks)

    def call(self, folder, *arguments, ranks=1):
        """The summary."""
        out, summary = os.path.join(folder, "out"), os.path.join(folder, "summary.json")
        place = [] if arguments[0] == "resume" else ["--out", out]
        words, variables = weir_case.launcher(ranks)
        done = subprocess.run([*words, os.path.abspath(weir_case.program), *arguments, *place, "--summary", summary, "--quiet"],
                              env={**os.environ, **variables}, cwd=folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(summary) as file:
            return json.load(file)

    def folder_with(self, inlet_text, outlet_text):
        folder = self.folder()
        for name, text in (("in.csv", inlet_text), ("out.csv", outlet_text)):
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        return folder

    def fields(self, folder):
        with h5py.File(os.path.join(folder, "out", f"fields_{STEPS:09d}.h5")) as file:
            return {name: data[...] for name, data in file.items()}

    def test_formulas(self):
        with_tables, with_formulas = self.folder_with(inlet(), outlet()), self.folder()
        tables, formulas = self.run_in(with_tables, CASE), self.run_in(with_formulas, {**CASE, "boundaries": FORMULAS})
        for face in ("x-", "x+"):
            self.assertLess(abs(tables["boundaries"][face]["mass_flow"] - formulas["boundaries"][face]["mass_flow"]), 1e-11, face)
        found, expected = self.fields(with_tables), self.fields(with_formulas)
        for name, least in (("velocity", 0.02), ("density", 0.9), ("scalar", 0.5)):
            self.assertGreater(numpy.abs(found[name]).max(), least, name)
            numpy.testing.assert_allclose(found[name], expected[name], atol=1e-11, err_msg=name)

    def test_si(self):
        cell, step, density = 0.002, 0.0005, 1000
        lattice = self.run_in(self.folder_with(inlet(), outlet()), CASE)
        case = {**CASE, "units": "si", "si": {"cell_size": cell, "time_step": step, "density": density},
                "fluid": {"viscosity": 0.1 * cell**2 / step}, "scalar": {"diffusivity": 0.1 * cell**2 / step}}
        si = self.run_in(self.folder_with(inlet(cell, step, cell / step), outlet(step, density)), case)
        self.assertEqual(si["steps"], STEPS)
        self.assertLess(abs(si["max_velocity"] * step / cell / lattice["max_velocity"] - 1), 1e-9)

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_same_bits(self):
        """In blocks, by ranks, and going on without the files."""
        folder = self.folder_with(inlet(), outlet())
        expected = self.run_in(folder, CASE, "--set", "blocks.cells=[24, 16]")["digest"]
        blocks = ["--set", "blocks.cells=[7, 5]", "--force"]
        self.assertEqual(self.run_in(folder, CASE, *blocks)["digest"], expected)
        self.assertEqual(self.run_in(folder, CASE, *blocks, ranks=2)["digest"], expected)
        self.run_in(folder, {**CASE, "checkpoint": {"every": 18}}, "--set", "run.steps=18", "--force")
        for name in ("in.csv", "out.csv"):
            os.remove(os.path.join(folder, name))
        self.assertEqual(self.call(folder, "resume", os.path.join(folder, "out"), "--set", f"run.steps={STEPS}", *blocks[:2])["digest"], expected)

    def test_columns_in_the_case(self):
        case, columns = copy.deepcopy(CASE), lambda text: dict(zip([name.strip() for name in text.split("\n")[0].split(",")],
                                                                   map(list, zip(*(map(float, line.split(",")) for line in text.split("\n")[1:] if line)))))
        velocity, pressure = case["boundaries"]["x-"], case["boundaries"]["x+"]
        velocity["velocity"][0]["table"] = velocity["scalar"]["table"] = columns(inlet())
        pressure["density"]["table"] = columns(outlet())
        self.assertEqual(self.run_in(self.folder(), case)["digest"], self.run_in(self.folder_with(inlet(), outlet()), CASE)["digest"])

    def test_mistakes_in_files(self):
        """They name the case, the key, the file, line and column."""
        for text, words in ((inlet().replace("3.5, 0,", "3.5, zero,"), ["boundaries.x-.velocity[0].table", "in.csv: line 8, column \"t\": \" zero\" is no number"]),
                            (inlet() + "\n0, 0, 1, 1", ["in.csv: line 10 is at the same place as line 2"]),
                            (inlet(length=0.5), ["boundaries.x-.velocity[0]: the table has y from 0 to 8", "y = 8.5"])):
            folder = self.folder_with(text, outlet())
            path = os.path.join(folder, "case.json")
            with open(path, "w") as file:
                json.dump(CASE, file)
            done = subprocess.run([os.path.abspath(weir_case.program), "check", path], capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 2)
            for word in words + ["case.json: "]:
                self.assertIn(word, done.stderr)


if __name__ == "__main__":
    weir_case.main()
