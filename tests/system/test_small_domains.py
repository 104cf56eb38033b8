#!/usr/bin/env python3
"""A small domain, as a user runs it: one block that all cores take together, many steps in a task, and all that is looked at on the
way seen at its step.

Usage: test_small_domains.py WEIR [SmallDomains | Check]...
"""
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases"))
import numpy

import weir_case

CELLS = [40, 24, 12]
CUT = ["--set", "placement.workers=cpu", "--set"]  # and the size of blocks: what each step then is a task of


def case_of(lattice="D2Q9", steps=1001, periodic=(True, True, False), **changes):
    """A vortex, whose populations leave the block across sides, edges and corners to come back to it, or meet walls of which one
    moves."""
    count = weir_case.dimensions(lattice)
    return {
        "name": "small", "lattice": lattice,
        "domain": {"cells": CELLS[:count], "periodic": list(periodic[:count])},
        "fluid": {"tau": 0.8},
        "boundaries": {} if periodic[1] else {"y+": {"type": "wall", "velocity": [0.03, 0, 0][:count]}},
        "initial": {"velocity": ["0.02*cos(2*pi*y/ny)", "0.03*sin(2*pi*x/nx)", 0.01][:count]},
        "run": {"steps": steps},
        **changes,
    }


def steppers(summary):
    return [worker for worker in summary["workers"] if worker["steps"]]


class SmallDomains(weir_case.CaseTest):
    def compute(self, case, *options, workers=None, **more):
        return super().compute(case, *options, workers=workers, **more)

    def test_one_block_and_many_steps_in_a_task(self):
        summary = self.compute(case_of(steps=5000)).summary
        self.assertEqual(summary["blocks"], 1)
        self.assertEqual(len(steppers(summary)), 1)
        self.assertLessEqual(steppers(summary)[0]["tasks"], 50)
        self.assertEqual(steppers(summary)[0]["updates"], 5000 * summary["fluid_cells"])

    def test_the_same_bits_as_in_tasks_of_one_step(self):
        for lattice in weir_case.LATTICES:
            for periodic in [(True, True, True), (True, False, False), (False, False, False)]:
                for steps in [51] if periodic[2] else [100]:
                    with self.subTest(lattice, periodic=periodic, steps=steps):
                        case = case_of(lattice, steps, periodic)
                        together = self.compute(case, "--poison").summary
                        size = [20, 12, 6][:weir_case.dimensions(lattice)]
                        cut = self.compute(case, *CUT, f"blocks.cells={size}").summary
                        self.assertGreater(cut["blocks"], 3)
                        self.assertEqual(together["blocks"], 1)
                        self.assertEqual(together["digest"], cut["digest"])

    def test_everything_is_seen_at_its_step(self):
        """Outputs, checks and tests for a steady flow that are due at steps of their own, between which tasks end."""
        case = case_of(steps=400, periodic=(True, False, False),
                       output=[{"type": "series", "every": 7}, {"type": "profile", "from": [20, 0], "to": [20, 24], "every": 33}])
        case["run"] |= {"check_every": 13, "stop_when": {"steady": 1e-9, "every": 50}}
        together, cut = self.compute(case), self.compute(case, *CUT, "blocks.cells=[20, 12]")
        self.assertEqual(together.files(".csv"), cut.files(".csv"))
        self.assertEqual(len(together.files(".csv")), 2 + 400 // 33)
        for name in together.files(".csv"):
            self.assertEqual(together.bytes_of(name), cut.bytes_of(name), name)
        numpy.testing.assert_array_equal(together.series()["step"], [*range(0, 400, 7), 400])

    def test_a_steady_flow_ends_at_the_same_step(self):
        case = case_of(steps=100000, periodic=(True, False, False), run={"steps": 100000, "stop_when": {"steady": 1e-5, "every": 70}})
        together, cut = self.compute(case).summary, self.compute(case, *CUT, "blocks.cells=[20, 12]").summary
        self.assertEqual(together["stopped_by"], "steady")
        self.assertEqual((together["steps"], together["digest"]), (cut["steps"], cut["digest"]))

    def test_an_interrupt_is_heard_between_tasks(self):
        out = os.path.join(self.folder(), "out")
        command = [weir_case.program, "run", self.write(case_of(steps=10**10)), "--quiet", "--out", out]
        with subprocess.Popen(command, text=True, stderr=subprocess.PIPE) as process:
            while not os.path.exists(os.path.join(out, "case.json")):
                time.sleep(0.05)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=20)[1]
        self.assertEqual(process.returncode, 1, said)
        self.assertIn("interrupted", said)

    def test_a_record_has_every_step(self):
        import h5py
        path = os.path.join(self.folder(), "record.h5")
        self.compute(case_of(steps=120), "--record", path)
        with h5py.File(path) as file:
            numpy.testing.assert_array_equal(numpy.sort(file["tasks/step"][...]), range(120))


class Check(weir_case.CaseTest):
    def check(self, case, *options):
        done = subprocess.run([weir_case.program, "check", self.write(case), *options], capture_output=True, text=True, check=True)
        return done.stdout

    def test_blocks_and_tasks_are_foretold(self):
        self.assertRegex(self.check(case_of()), r"blocks +1 of 40 x 24 x 1\n +tasks +many steps each")
        said = self.check(case_of(), "--set", "blocks.cells=[2, 2]")
        self.assertRegex(said, r"tasks +240 per step")
        self.assertIn("warning: tasks are too small", said)
        self.assertNotIn("too small", self.check(case_of("D3Q19", domain={"cells": [256, 256, 256]}, initial={})))


if __name__ == "__main__":
    # As users have it: in other tests workers share cores.
    for name in ["STARPU_NCPU", "STARPU_WORKERS_NOBIND"]:
        os.environ.pop(name, None)
    weir_case.main()
