#!/usr/bin/env python3
"""Runs of a Weir that is compiled for ThreadSanitizer, as its kernels are then: no two threads touch the same memory without an order between them.
What StarPU orders is told by task_order.c, and what is not reported is in thread_sanitizer.supp, with the reasons. That a missing
order is found: with WEIR_FORGET_ORDER tasks seem to have no buffers, and what they write must be reported.

Usage: test_threads.py WEIR TASK_ORDER
"""
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
sys.path.insert(0, HERE)
import command
import weir_case

SUPPRESSED = os.path.join(HERE, "..", "programs", "thread_sanitizer.supp")
FOUND = 66
BOX = {"name": "box", "lattice": "D3Q19", "precision": "single", "domain": {"cells": [24, 24, 24], "periodic": [True, True, False]},
       "fluid": {"tau": 0.6}, "force": [1e-5, 0, 0], "boundaries": {"z+": {"type": "wall", "velocity": [0.05, 0, 0]}},
       "solids": [{"sphere": {"center": [12, 12, 12], "radius": 4}, "name": "ball"}],
       "blocks": {"cells": [12, 12, 12]}, "run": {"steps": 12, "check_every": 3}, "checkpoint": {"every": 5},
       "output": [{"type": "fields", "every": 4}, {"type": "series", "every": 1}, {"type": "averages", "every": 2},
                  {"type": "image", "every": 6, "plane": "y=0.5", "field": "speed"}]}
SCALAR = {"name": "scalar", "lattice": "D2Q9", "precision": "double", "domain": {"cells": [48, 48], "periodic": [True, False]}, "fluid": {"tau": 0.8},
          "scalar": {"diffusivity": 0.05}, "initial": {"scalar": "x/nx"}, "blocks": {"cells": [16, 16]}, "run": {"steps": 20, "check_every": 5},
          "output": [{"type": "fields", "every": 10, "fields": ["density", "velocity", "scalar"]}]}
SURFACE = {"name": "surface", "lattice": "D2Q9", "precision": "double", "domain": {"cells": [48, 32], "periodic": [False, False]}, "fluid": {"tau": 0.7},
           "force": [0, -1e-5], "free_surface": {"liquid": "min(16 - x, 20 - y)"}, "blocks": {"cells": [16, 16]}, "run": {"steps": 20, "check_every": 5},
           "checkpoint": {"every": 10}}


class ThreadsTest(command.CommandTest):
    words = ["run"]
    workers = 2

    def take(self, case, code=0, **env):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "case.json")
            with open(path, "w") as file:
                json.dump(case, file)
            env = {"LD_PRELOAD": ORDER, "TSAN_OPTIONS": f"suppressions={SUPPRESSED} exitcode={FOUND} history_size=4", **env}
            return self.call(path, "--out", os.path.join(folder, "out"), code=code, env=env).stderr

    def test_flow(self):
        self.take(BOX)

    def test_scalar(self):
        self.take(SCALAR)

    def test_surface(self):
        self.take(SURFACE)

    def test_a_missing_order_is_found(self):
        said = self.take(BOX, code=FOUND, WEIR_FORGET_ORDER="1")
        self.assertIn("WARNING: ThreadSanitizer: data race", said)
        self.assertIn(".kernel+", said)  # kernels are compiled for it, too


if __name__ == "__main__":
    ORDER = sys.argv.pop(2)
    weir_case.main()
