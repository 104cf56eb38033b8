#!/usr/bin/env python3
"""A real GPU that fails (broken_gpu.c): a kernel of the run gets addresses where nothing is, or memory is short. The run ends with exit 1, one message with CUDA's
reason, a summary and no parts of files; and from its newest checkpoint goes on, where the GPU is well again or on cores, to the digest of a run that never failed.
Nothing else may run on the GPU: one test takes its memory.

Usage: broken_gpu.py WEIR BROKEN_GPU [unittest's arguments]
"""
import json
import os
import re
import shutil
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "cases"), os.path.join(HERE, "..", "system")]
import command
import weir_case

MIB = 1 << 20
BOX = {"name": "box", "lattice": "D2Q9", "domain": {"cells": [64, 64], "periodic": [True, True]}, "fluid": {"tau": 0.6}, "precision": "double",
       "blocks": {"cells": [32, 64]}, "placement": {"policy": "starpu:eager", "workers": "cuda"}, "run": {"steps": 3000, "check_every": 10}}
CHANNEL = {"name": "channel", "lattice": "D3Q19", "domain": {"cells": [96, 40, 32], "periodic": [False, True, True]}, "fluid": {"tau": 0.55},
           "boundaries": {"x-": {"type": "velocity", "velocity": [0.04, 0, 0]}, "x+": {"type": "pressure", "density": 1}},
           "solids": [{"sphere": {"center": [30, 20, 16], "radius": 6}}], "blocks": {"cells": [48, 40, 32]}, "placement": {"workers": "cuda"}, "run": {"steps": 2000},
           "checkpoint": {"every": 100}, "output": [{"type": "series", "every": 10}, {"type": "fields", "every": 200}]}
REASONS = {"nowhere": "an illegal memory access was encountered", "between": "misaligned address"}
LATE = 2500  # launches of a run of 2000 steps and more, of two blocks: some checkpoints


class BrokenGpuTest(command.CommandTest):
    in_memory = True
    timeout = 100

    def call_broken(self, case, out, breaks=None, memory=None):
        """Runs the case on a GPU that fails. What it said: one message."""
        log = os.path.join(self.folder(), "log")
        environment = {"LD_PRELOAD": LIBRARY, "WEIR_GPU_LOG": log}
        if breaks:
            environment["WEIR_GPU_BREAKS"] = breaks
        if memory:
            environment["WEIR_GPU_MEMORY"] = str(memory)
        said = self.call("run", self.write(case), "--out", out, "--quiet", env=environment, code=1).stderr
        self.assertTrue(os.path.exists(log), f"nothing was broken: {said}")
        with open(log) as file:
            done = file.read()
        print(f"{breaks or memory}: {done}{said}", file=sys.stderr)
        self.assertRegex(said, r"\Aweir: [^\n]+\n\Z")
        if breaks:
            self.assertNotIn(" 0 addresses", done)
            self.assertIn(REASONS[breaks.split()[0]], said)
            self.assertIn("nvidia-smi", said)
        return said

    def check_ended(self, out, said):
        with open(os.path.join(out, "summary.json")) as file:
            summary = json.load(file)
        self.assertEqual((summary["stopped_by"], summary["digest"]), ("failure", None))
        self.assertTrue(said.startswith(f"weir: {summary['failure']}"), f"{said}{summary['failure']}")
        self.assertFalse([name for name in os.listdir(out) if name.endswith(".part")])

    def check_goes_on(self, case, at, how, *workers):
        """From the newest checkpoint, on each kind of workers, to the digest of a run that never failed."""
        digest = self.compute(case, workers=2).summary["digest"]
        out = os.path.join(self.folder(), "out")
        said = self.call_broken(case, out, f"{how} {at}")
        self.check_ended(out, said)
        self.assertRegex(said, rf"; weir resume {re.escape(out)} goes on from the newest checkpoint\n\Z")
        for place in workers:
            again = os.path.join(self.folder(), "again")
            shutil.copytree(out, again)
            self.call("resume", again, "--quiet", "--set", f"placement.workers={place}")
            with open(os.path.join(again, "summary.json")) as file:
                self.assertEqual(json.load(file)["digest"], digest, place)

    def test_a_kernel_fails(self):
        for how in REASONS:
            for at in (400, 1001):
                with self.subTest(f"{how} {at}"):
                    out = os.path.join(self.folder(), "out")
                    said = self.call_broken(BOX, out, f"{how} {at}")
                    self.check_ended(out, said)
                    self.assertNotIn("weir resume", said)

    def test_at_the_first_launches(self):
        """While the initial state is made, before there is a folder of results."""
        for at in range(4):
            with self.subTest(at):
                self.call_broken(BOX, os.path.join(self.folder(), "out"), f"nowhere {at}")

    def test_too_little_memory(self):
        """Another program has it. StarPU would ask for ever."""
        case = {**BOX, "domain": {"cells": [4096, 2048], "periodic": [True, True]}, "blocks": {"cells": [4096, 2048]}}
        said = self.call_broken(case, os.path.join(self.folder(), "out"), memory=300 * MIB)
        self.assertRegex(said, r"out of memory: [\d.]+ MiB more on GPU 0 are not to be had")

    def test_goes_on(self):
        self.check_goes_on(CHANNEL, LATE, "nowhere", "cuda", "cpu")

    def test_goes_on_with_cores_beside(self):
        self.check_goes_on({**CHANNEL, "blocks": {"cells": [24, 20, 16]}, "placement": {"policy": "starpu:dmdas", "workers": "auto"}}, 4 * LATE, "between", "auto")


if __name__ == "__main__":
    LIBRARY = os.path.abspath(sys.argv.pop(2))
    weir_case.main()
