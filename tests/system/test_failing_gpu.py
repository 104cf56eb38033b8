#!/usr/bin/env python3
"""A GPU that fails (failing_gpu.c): the run ends with exit 1 and one message that has CUDA's reason, what is there is whole, and where
there is a checkpoint the message has the command that goes on.

Usage: test_failing_gpu.py WEIR FAILING_GPU
"""
import json
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
sys.path.insert(0, HERE)
import command
import weir_case

# No initial state but rest, and no obstacle: what kernels compute is not asked for.
CASE = {"name": "box", "lattice": "D2Q9", "domain": {"cells": [64, 64], "periodic": [True, True]}, "fluid": {"tau": 0.6}, "precision": "double",
        "blocks": {"cells": [32, 64]}, "placement": {"policy": "starpu:eager", "workers": "cuda"}, "run": {"steps": 100000, "check_every": 10}}
ILLEGAL_ADDRESS, DEVICE_LOST, LAUNCH_FAILURE = 700, 46, 719  # cudaErrorIllegalAddress, cudaErrorDevicesUnavailable, cudaErrorLaunchFailure
LATE = 400  # launches: more than a hundred steps, and some checkpoints


class FailingGpuTest(command.CommandTest):
    in_memory = True
    timeout = 200

    def call_with(self, case, out, fails=None, **variables):
        """Runs the case on a GPU that fails. What it said: one message."""
        environment = {"LD_PRELOAD": LIBRARY, "STARPU_NCUDA": "1", "STARPU_NCPU": "1", "WEIR_KERNEL_CONSTANTS": "never", **variables}
        if fails:
            environment["WEIR_GPU_FAILS"] = fails
        said = self.call("run", self.write(case), "--out", out, "--quiet", env=environment, code=1).stderr
        self.assertRegex(said, r"\Aweir: [^\n]+\n\Z")
        return said

    def fail_with(self, case, fails):
        """The same of one that fails in the time loop; what it said, and its folder."""
        out = os.path.join(self.folder(), "out")
        said = self.call_with(case, out, fails)
        with open(os.path.join(out, "summary.json")) as file:
            summary = json.load(file)
        self.assertEqual((summary["stopped_by"], summary["digest"]), ("failure", None))
        self.assertTrue(said.startswith(f"weir: {summary['failure']}"), f"{said}{summary['failure']}")
        self.assertFalse([name for name in os.listdir(out) if name.endswith(".part")])
        return said, out

    def test_a_kernel_fails_while_it_runs(self):
        """As with an illegal address: whoever asks the device next is told."""
        for kind, error, words in (("kernel", ILLEGAL_ADDRESS, "an illegal memory access was encountered"), ("kernel", LAUNCH_FAILURE, "unspecified launch failure"),
                                   ("later", ILLEGAL_ADDRESS, "an illegal memory access was encountered")):
            with self.subTest(f"{kind} {error}"):
                said, _ = self.fail_with(CASE, f"{kind} {LATE} {error}")
                self.assertRegex(said, rf"(GPU 0 failed: {words} \(CUDA's error {error}, |kernel \S+ of block \d failed on the GPU: {words})")
                self.assertIn("nvidia-smi", said)
                self.assertNotIn("weir resume", said)

    def test_the_device_is_lost(self):
        said, _ = self.fail_with(CASE, f"launch {LATE} {DEVICE_LOST}")
        self.assertIn("CUDA-capable device(s) is/are busy or unavailable", said)

    def test_at_the_first_launches(self):
        """While the initial state is made, before there is a folder of results."""
        for at in (0, 2, 3):
            for kind in ("kernel", "later", "launch"):
                with self.subTest(f"{kind} {at}"):
                    said = self.call_with(CASE, os.path.join(self.folder(), "out"), f"{kind} {at} {ILLEGAL_ADDRESS}")
                    self.assertIn("an illegal memory access was encountered", said)

    def test_too_little_memory(self):
        """Others have taken it: less than the block takes. StarPU would ask for ever."""
        case = {**CASE, "domain": {"cells": [2048, 512], "periodic": [True, True]}, "blocks": {"cells": [2048, 512]}}
        said = self.call_with(case, os.path.join(self.folder(), "out"), WEIR_GPU_MEMORY=str(64 << 20))
        self.assertRegex(said, r"out of memory: [\d.]+ MiB more on GPU 0 are not to be had")

    def test_the_command_that_goes_on(self):
        said, out = self.fail_with({**CASE, "checkpoint": {"every": 20}}, f"kernel {LATE} {ILLEGAL_ADDRESS}")
        self.assertRegex(said, rf"; weir resume {re.escape(out)} goes on from the newest checkpoint\n\Z")
        self.assertTrue([name for name in os.listdir(out) if re.fullmatch(r"checkpoint_\d+\.h5", name)])


if __name__ == "__main__":
    LIBRARY = sys.argv.pop(2)
    weir_case.main()
