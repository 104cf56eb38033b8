#!/usr/bin/env python3
"""A model of two stages, of which the second reads the neighbours' values of a field that the first has written: the program
compares with a slow reference, other cuts, a bare loop and a run that is recorded; here, ranks with one another. Blocks move
between them.

Usage: test_stages.py STAGES
"""
import os
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import weir_case

TIMEOUT = 300
FLOWS = 5 * 5  # in five variants


class StagesTest(unittest.TestCase):
    def launch(self, ranks):
        words, variables = weir_case.launcher(ranks) if ranks > 1 else ([], {})
        done = subprocess.run([*words, weir_case.program], env={**os.environ, "STARPU_NCPU": "2", **variables}, capture_output=True,
                              text=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")
        self.assertEqual(len(done.stdout.splitlines()), FLOWS)
        return done.stdout

    def test_alone_and_on_ranks(self):
        alone = self.launch(1)
        self.assertEqual(len(set(alone.splitlines())), FLOWS, "different flows say the same")
        if not shutil.which("mpirun"):
            self.skipTest("there is no mpirun")
        for ranks in (2, 3):
            self.assertEqual(self.launch(ranks), alone, ranks)


if __name__ == "__main__":
    weir_case.main()
