#!/usr/bin/env python3
"""Domains that have no room where they are computed: slab by slab, with the bits, the outputs and the checkpoints of one that has.

Usage: test_slabs.py WEIR [SameBits | Refusals]...
"""
import json
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases"))
import h5py
import numpy

import weir_case

CONFIGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "configs")
# Name, MiB that have room: less than half of what it has. One stage a step, several; messages of one step and of two; a scalar, conductors,
# phases, two components, a free surface, populations that move by three cells; boundaries that change in time; a periodic axis, which is folded.
FLOWS = [("cavity2d", 0.8), ("channel_inlet", 0.4), ("taylor_green", 0.8), ("spinodal", 0.8), ("rising_drop", 0.6), ("heat_exchanger", 0.7), ("dam_break", 1.1),
         ("rayleigh_taylor", 3)]
STEPS = 33

BALL = {"sphere": {"center": [10, 7, 9], "radius": 3.4}, "name": "ball"}
BODY = {
    "name": "body", "lattice": "D3Q19", "precision": "single", "domain": {"cells": [20, 14, 30], "periodic": [True, False, False]}, "fluid": {"tau": 0.6},
    "force": [1e-5, 0, 0], "boundaries": {"z+": {"type": "wall", "velocity": [0.05, 0, 0]}}, "solids": [BALL], "run": {"steps": 50, "check_every": 7},
}
FIELDS = {"type": "fields", "every": 20, "fields": ["density", "velocity"]}
OUTPUTS = [FIELDS, {"type": "series", "every": 4}, {"type": "probes", "points": [[3, 4, 5], [16, 9, 28]]},
           {"type": "averages", "every": 3, "start": 5}, {"type": "profile", "every": 25, "from": [4, 5, 0], "to": [4, 5, 29]}]


class SameBits(weir_case.CaseTest):
    in_memory = True

    def in_slabs(self, case, memory, *options, code=0, **more):
        return self.compute(case, "--set", f"placement.memory={memory}", *options, code=code, **more)

    def test_flows(self):
        for name, memory in FLOWS:
            with self.subTest(name):
                with open(os.path.join(CONFIGS, name + ".json")) as file:
                    case = json.load(file)
                case = {**case, "run": {"steps": STEPS}, "output": [{"type": "series", "every": 16}]}
                whole, slabs = self.compute(case), self.in_slabs(case, memory, workers=2)
                told = slabs.summary["slabs"]
                self.assertLess(1.5 * told["at_a_time"], told["count"])
                self.assertEqual(slabs.summary["digest"], whole.summary["digest"])
                self.assertEqual(slabs.bytes_of("series.csv"), whole.bytes_of("series.csv"))
                self.assertNotIn("slabs", whole.summary)

    def test_sizes(self):
        """Slabs of one plane and of more, of several blocks, with as little room as a step needs; lists of cells, moments, eddies, half precision."""
        variants = [{}, {"storage": "half"}, {"collision": {"operator": "recursive"}, "storage": "moments"},
                    {"collision": {"operator": "recursive"}, "storage": "mixed_moments"}, {"turbulence": {"model": "wale", "constant": 0.3}},
                    {"blocks": {"list_up_to": 1}, "precision": "double"}, {"domain": {"cells": [20, 14, 60], "periodic": [True, True, True]}, "boundaries": {}}]
        for variant in variants:
            case = {**BODY, **variant}
            whole = self.compute({**case, "blocks": {**case.get("blocks", {}), "cells": case["domain"]["cells"]}})
            for blocks, share in (([20, 14, 1], 0.6), ([20, 14, 2], 0.85), ([11, 14, 1], 0.7)):
                with self.subTest(variant, blocks=blocks):
                    memory = share * whole.summary["memory_bytes"] / 2**20
                    run = self.in_slabs({**case, "blocks": {**case.get("blocks", {}), "cells": blocks}}, memory, "--poison")
                    self.assertIn("slabs", run.summary)
                    self.assertEqual(run.summary["digest"], whole.summary["digest"])

    def test_outputs(self):
        """What is seen between sweeps, and while they are under way, is what is seen without."""
        case = {**BODY, "output": OUTPUTS}
        whole, slabs = self.compute(case), self.in_slabs(case, 0.55, workers=2)
        self.assertIn("slabs", slabs.summary)
        names = whole.files(".csv")
        self.assertGreaterEqual(len(names), 3)
        for name in names:
            self.assertEqual(slabs.bytes_of(name), whole.bytes_of(name), name)
        for name in ("fields", "averages"):
            a, b = slabs.fields(name), whole.fields(name)
            self.assertEqual(a.keys(), b.keys())
            for key in a:
                numpy.testing.assert_array_equal(a[key], b[key], err_msg=key)
        for key in ("mass_drift", "max_velocity"):
            self.assertEqual(slabs.summary[key], whole.summary[key])

    def test_going_on(self):
        """From a checkpoint of one, the other."""
        case = {**BODY, "checkpoint": {"every": 21}}
        whole = self.compute(case)
        slabs = self.in_slabs(case, 0.55)
        for run, memory in ((whole, 0.6), (slabs, None)):
            path = os.path.join(run.folder, "checkpoint_000000021.h5")
            again = self.compute(case, "--resume", path, *([] if memory is None else ["--set", f"placement.memory={memory}"]))
            self.assertEqual((again.summary["digest"], again.summary["resumed_at"], "slabs" in again.summary), (whole.summary["digest"], 21, memory is not None))

    def test_a_steady_end(self):
        """A test for a steady flow, which compares velocities that are kept, ends it at the same step."""
        case = {**BODY, "precision": "double", "fluid": {"tau": 1}, "run": {"steps": 4000, "stop_when": {"steady": 1e-3, "every": 50}}}
        whole, slabs = self.compute(case), self.in_slabs(case, 1.1)
        self.assertEqual((whole.summary["stopped_by"], slabs.summary["stopped_by"]), ("steady", "steady"))
        self.assertIn("slabs", slabs.summary)
        self.assertEqual((slabs.summary["steps"], slabs.summary["digest"]), (whole.summary["steps"], whole.summary["digest"]))

    def test_recorded(self):
        """Who took which step is told of slabs, too: all steps of all blocks."""
        record = os.path.join(self.folder(), "record.h5")
        whole, slabs = self.compute(BODY), self.in_slabs(BODY, 0.55, "--record", record)
        self.assertEqual(slabs.summary["digest"], whole.summary["digest"])
        with h5py.File(record) as file:
            self.assertEqual(len(file["tasks/block"]), slabs.summary["blocks"] * slabs.summary["steps"])

    def test_a_failure(self):
        """A flow that diverges is found while a sweep is under way."""
        case = {**BODY, "force": [0.3, 0, 0], "run": {"steps": 5000}}
        run = self.in_slabs(case, 0.55, code=1)
        self.assertRegex(run.error, r"weir: .*diverged")


class Refusals(weir_case.CaseTest):
    in_memory = True

    def refused(self, text, *options, **more):
        run = self.compute(BODY, *options, code=2, **more)
        self.assertRegex(run.error, text)

    def test_too_little(self):
        self.refused(r"case.json: blocks.cells: .* slabs of blocks along z only \d+ have room at a time, where a step needs 5", "--set", "placement.memory=0.1")
        self.refused(r"case.json: blocks.cells: .* slabs of blocks along z only \d+ have room", "--set", "placement.memory=0.5", "--set", "blocks.cells=[20,14,10]")

    def test_other_placements(self):
        for setting in ("workers=all", "workers=team", "policy=starpu:lws", 'shares={"cpu":1}'):
            with self.subTest(setting):
                self.refused("case.json: placement.memory: a domain of more is computed slab by slab by one GPU or by cores", "--set", "placement.memory=0.5",
                             "--set", "placement." + setting)

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_ranks(self):
        self.refused("case.json: placement.memory: ranks share the domain", "--set", "placement.memory=0.5", ranks=2)

    def test_other_commands(self):
        """weir check tells of slabs; weir predict, of which they are not known, says so."""
        path = self.write({**BODY, "placement": {"memory": 0.5}})
        checked = subprocess.run([weir_case.program, "check", path], capture_output=True, text=True, check=True)
        self.assertRegex(checked.stdout, r"slabs +\d+ along z, of which \d+ have room at a time \(0.5 MiB\) and take \d+ steps in turn\n")
        predicted = subprocess.run([weir_case.program, "predict", path], capture_output=True, text=True)
        self.assertEqual(predicted.returncode, 2)
        self.assertIn("is taken slab by slab, whose speed is not predicted", predicted.stderr)


if __name__ == "__main__":
    weir_case.main()
