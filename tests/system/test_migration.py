#!/usr/bin/env python3
"""Blocks that move between ranks: nothing of the flow, its outputs and reductions changes, and `balanced` moves those that should.

Usage: test_migration.py MIGRATE
"""
import json
import os
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import weir_case

TIMEOUT = 300
BLOCKS = 64  # of the flow whose steps sleep
FAST, SLOW = 800, 3200  # microseconds that a step of a block takes


def workers(count):
    return ["-x", f"STARPU_NCPU={count}"]


@unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
class MigrationTest(unittest.TestCase):
    def launch(self, ranks, *arguments):
        """ranks: the launcher's options for each."""
        words, variables = weir_case.launcher(len(ranks))
        start = words.index("-np")
        command = words[:start] + words[start + 2:]
        for number, options in enumerate(ranks):
            command += [":"] * (number > 0) + ["-np", "1", *options, weir_case.program, *arguments]
        done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")
        self.assertEqual(done.stderr, "")
        return done.stdout

    def settle(self, ranks, policy, *sleeps, share=7, steps=100):
        told = json.loads(self.launch(ranks, "settle", policy, str(share), str(steps), "0", *map(str, sleeps)))
        self.assertEqual(sum(told["blocks"]), BLOCKS)
        return told

    def test_nothing_changes(self):
        """Every lattice, walls, bodies and periodic axes: the program compares each flow with the same one left alone. Ranks lose
        all their blocks and get others."""
        told = {self.launch([workers(1)] * ranks, "compare") for ranks in (2, 3)}
        self.assertEqual(len(told), 1, told)
        rows = [line.split() for line in told.pop().splitlines()]
        plain = [row for row in rows if "+" not in row[1]]
        flows, lattices = ({row[k] for row in plain} for k in (0, 1))
        self.assertGreater(len(flows), 4)
        self.assertGreater(len(lattices), 3)
        self.assertEqual(len(plain), len(flows) * len(lattices))
        self.assertEqual([row[1] for row in rows[len(plain):]], ["D2Q9+scalar", "D3Q19+scalar", "D3Q19+some_lists", "D3Q19+lists",
                                                                 "D3Q19+filled", "D3Q19+left_out", "D3Q19+left_out_and_lists"])
        for flow, what, *told in rows[-5:-3]:  # blocks that are lists have the bits of bricks
            self.assertIn([flow, what.partition("+")[0], *told], plain)
        for row in rows[-2:]:  # and blocks without fluid may be left out
            self.assertEqual(row[2:], rows[-3][2:])

    def test_only_balanced_moves_blocks(self):
        left = self.settle([workers(1)] * 2, "static", 1, 1)
        self.assertEqual((left["blocks"], left["times"]), ([56, 8], 1))
        even = self.settle([workers(1)] * 2, "balanced", FAST, FAST)
        self.assertGreater(even["times"], 1)
        self.assertEqual(even["digest"], left["digest"])

    def test_a_slow_rank_gets_less(self):
        """Four times as slow, measured while others use this machine; the first has seven times as many blocks at the start."""
        told = self.settle([workers(1)] * 2, "balanced", FAST, SLOW)
        self.assertIn(told["blocks"][0], range(40, 61), told)
        told = self.settle([workers(1)] * 2, "balanced", SLOW, FAST)
        self.assertIn(told["blocks"][0], range(4, 25), told)

    def test_a_rank_with_more_workers_gets_more(self):
        """Two and one; the first has seven times as many blocks at the start."""
        told = self.settle([workers(2), workers(1)], "balanced", FAST, FAST)
        self.assertIn(told["blocks"][0], range(30, 56), told)

    def test_a_rank_without_blocks_gets_some(self):
        """Nobody has measured what it can do; it was expected to do as much as the other."""
        told = self.settle([workers(1)] * 2, "balanced", FAST, FAST, share=1000)
        self.assertIn(told["blocks"][1], range(16, 49), told)

    def test_a_rank_too_slow_for_a_block_gets_none(self):
        """One takes it as long as the other needs for all, and longer; it goes on taking part in all else."""
        told = self.settle([workers(1)] * 2, "balanced", FAST // 8, 125 * FAST, share=63, steps=60)
        self.assertEqual(told["blocks"], [BLOCKS, 0])
        self.assertEqual(told["digest"], self.settle([workers(1)] * 2, "static", 1, 1, steps=60)["digest"])


if __name__ == "__main__":
    weir_case.main()
