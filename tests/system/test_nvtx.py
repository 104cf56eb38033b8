#!/usr/bin/env python3
"""Ranges of NVTX, as a profiler is told of them.

Usage: test_nvtx.py WEIR LISTENER
"""
import os
import sys

import command
import weir_case

STEPS, BLOCKS = 12, 8
CASE = {
    "name": "ranges",
    "domain": {"cells": [16, 16, 16]},
    "fluid": {"tau": 0.6},
    "blocks": {"cells": [8, 8, 8]},
    "placement": {"workers": "cpu"},
    "run": {"steps": STEPS},
    "output": [],
}


class Ranges(command.CommandTest):
    def test_each_task_has_one(self):
        folder = self.folder()
        path = os.path.join(folder, "ranges.txt")
        self.call("run", self.write(CASE), "--quiet", "--out", os.path.join(folder, "out"), timeout=300,
                  env={"NVTX_INJECTION64_PATH": LISTENER, "NVTX_LISTENER_FILE": path})
        with open(path) as file:
            counts = {name: int(count) for name, count in map(str.split, file)}
        self.assertEqual(counts["collide_stream"], STEPS * BLOCKS)
        self.assertEqual(counts["initialise"], BLOCKS)
        self.assertEqual(counts["open"], 0)


if __name__ == "__main__":
    LISTENER = sys.argv.pop(2)
    weir_case.main()
