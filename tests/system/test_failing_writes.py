#!/usr/bin/env python3
"""A disk that fails at any one write, sync or renaming (failing_writes.c): the run ends with exit 1 and words, and what is
there afterwards is whole; it goes on from the last checkpoint to the digest of a run that never failed.

The same for ranks that write one file together, of which one has such a disk, or all have a full one.

Usage: test_failing_writes.py WEIR FAILING_WRITES
WEIR_TEST_WRITES in the environment: at how many of the writes of each run the disk fails (2); "all": at each.
"""
import errno
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
sys.path.insert(0, HERE)
import h5py
import numpy

import command
import weir_case

WRITES = os.environ.get("WEIR_TEST_WRITES", "2")

BODY = {"name": "body", "lattice": "D3Q19", "domain": {"cells": [16, 12, 10], "periodic": [True, False, True]}, "fluid": {"tau": 0.6},
        "force": [1e-5, 0, 0], "solids": [{"sphere": {"center": [8, 6, 5], "radius": 3}}], "blocks": {"cells": [8, 12, 10]},
        "run": {"steps": 20}, "checkpoint": {"every": 5, "keep": 2}}
OUTPUTS = {
    "checkpoints": [],
    "large checkpoints": [],
    "compressed checkpoints": [{"type": "averages", "every": 1, "start": 2}],
    "fields": [{"type": "fields", "every": 5}],
    "vtkhdf": [{"type": "fields", "format": "vtkhdf", "every": 5}],
    "images": [{"type": "image", "field": "speed", "plane": "z=0.5", "every": 5}],
    "tables": [{"type": "series", "every": 2}, {"type": "profile", "from": [0, 6, 5], "to": [16, 6, 5], "fields": ["velocity_x"], "every": 10},
               {"type": "probes", "points": [[1.5, 2.5, 3.5]], "every": 1}],
    "averages": [{"type": "averages", "every": 1}],
}

# What ranks write: fields and checkpoints together, the rest by rank 0.
RANKS = 2
OF_RANKS = {**BODY, "blocks": {"cells": [8, 6, 5]}, "ranks": {"timeout": 60},
            "output": [{"type": "fields", "every": 5}, {"type": "series", "every": 2}]}
# As the disk that fails names it (x86-64).
FTRUNCATE = "call 77 "


class FailingWritesTest(command.CommandTest):
    def run_on(self, out, case, at, number=errno.EIO, on=False, words=("run",)):
        """Runs a case on a disk that fails at write number `at`, -1: at none. What it said, its exit code, and how many there were."""
        count = os.path.join(self.folder(), "count")
        environment = {**weir_case.environment(1), "LD_PRELOAD": LIBRARY, "WEIR_FAIL_BELOW": out, "WEIR_FAIL_AT": str(at), "WEIR_FAIL_ERRNO": str(number),
                       "WEIR_FAIL_COUNT": count}
        if on:
            environment["WEIR_FAIL_ON"] = "1"
        done = subprocess.run([weir_case.program, *words, case, "--out", out, "--quiet"], env=environment, capture_output=True, text=True, timeout=100)
        if not os.path.exists(count): # it ended with _exit
            return done, None
        with open(count) as file:
            return done, int(file.readline())

    def check_whole(self, folder):
        """All that is there can be read to its end, and nothing is left that was being written."""
        for name in weir_case.results_in(folder) if os.path.exists(folder) else []:
            path = os.path.join(folder, name)
            if name.endswith(".h5"):
                with h5py.File(path) as file:
                    file.visititems(lambda _, item: item[...] if isinstance(item, h5py.Dataset) else None)
            elif name.endswith(".json"):
                with open(path) as file:
                    json.load(file)
            elif name.endswith(".csv"):
                with open(path) as file:
                    self.assertTrue(file.read().endswith("\n"), name)
            elif name.endswith(".png"):
                with open(path, "rb") as file:
                    self.assertIn(b"IEND", file.read()[-12:], name)
            elif name.endswith(".vtkhdf"):
                self.check_table(folder, name[:-len(".vtkhdf")])
            elif not name.endswith(".xmf"):
                self.fail(f"what is {name}?")

    def check_table(self, folder, output):
        """All steps whose files are there are found by the table, but perhaps the last, as their files have them."""
        files = sorted(name for name in os.listdir(folder) if re.fullmatch(rf"{output}_\d+\.h5", name))
        with h5py.File(os.path.join(folder, output + ".vtkhdf")) as table:
            steps = table["Weir/steps"][...].tolist()
            self.assertEqual(table["VTKHDF/Steps"].attrs["NSteps"], len(steps))
            self.assertIn([f"{output}_{step:09d}.h5" for step in steps], (files, files[:-1]))
            for k, name in enumerate(files[:len(steps)]):
                with h5py.File(os.path.join(folder, name)) as file:
                    for array, values in file.items():
                        numpy.testing.assert_array_equal(table["Weir/fields"][array][k], values[...])

    def check_goes_on(self, out, digest):
        """From the newest checkpoint, if there is one, to the digest of a run that never failed."""
        if any(re.match(r"checkpoint_\d+\.h5", name) for name in weir_case.results_in(out)) if os.path.exists(out) else False:
            resume = [weir_case.program, "resume", out, "--quiet"]
            done = subprocess.run(resume, env=weir_case.environment(1), capture_output=True, text=True, timeout=100)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(os.path.join(out, "summary.json")) as file:
                self.assertEqual(json.load(file)["digest"], digest)
            self.check_whole(out)

    def check_failed(self, done, out, number):
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(os.strerror(number), done.stderr)
        self.check_whole(out)

    def check_output(self, name):
        body = {**BODY, "output": OUTPUTS[name]}
        if name.startswith("large"):  # chunks of more than 1 MiB, and no multiple of 4096 bytes
            body.update(domain={**BODY["domain"], "cells": [49, 32, 20]}, blocks={"cells": [49, 32, 10]})
        if name.startswith("compressed"):
            body["checkpoint"] = {**BODY["checkpoint"], "compressed": True}
        case = self.write(body)
        done, writes = self.run_on(os.path.join(self.folder(), "out"), case, -1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(writes, 20)
        with open(os.path.join(self.compute(case).folder, "summary.json")) as file:
            digest = json.load(file)["digest"]
        chosen = range(writes) if WRITES == "all" else sorted({writes * k // int(WRITES) for k in range(int(WRITES))})
        for at in chosen:
            for number, on in ((errno.EIO, False), (errno.ENOSPC, True)) if WRITES == "all" else [((errno.EIO, False), (errno.ENOSPC, True))[at % 2]]:
                with self.subTest(output=name, at=at, of=writes, error=errno.errorcode[number]):
                    out = os.path.join(self.folder(), "out")
                    done, _ = self.run_on(out, case, at, number, on)
                    self.check_failed(done, out, number)
                    self.check_goes_on(out, digest)

    def test_quota_and_read_only(self):
        """Reasons with a way out of their own, from the middle of a run on."""
        case = self.write(BODY)
        _, writes = self.run_on(os.path.join(self.folder(), "out"), case, -1)
        for number, way_out in ((errno.EDQUOT, "free some space there"), (errno.EROFS, "make the folder writable"), (errno.EFBIG, "raise the limit on file sizes")):
            with self.subTest(errno.errorcode[number]):
                out = os.path.join(self.folder(), "out")
                done, _ = self.run_on(out, case, writes // 2, number, True)
                self.check_failed(done, out, number)
                self.assertIn(way_out, done.stderr)

    def run_ranks(self, out, case, at, rank, number=errno.EIO):
        """Runs a case on ranks, of which one, or, where it is None, each, has a disk that fails at its write number `at`; that of all is
        full from then on. What they said, how many writes each made, and which failed."""
        script, count = os.path.join(self.folder(), "rank.sh"), os.path.join(self.folder(), "count")
        with open(script, "w") as file:
            file.write(f'#!/bin/sh\n{"" if rank is None else f"[ $OMPI_COMM_WORLD_RANK = {rank} ] || WEIR_FAIL_AT=-1"}\n'
                       f'export WEIR_FAIL_AT WEIR_FAIL_COUNT="{count}$OMPI_COMM_WORLD_RANK" LD_PRELOAD="{LIBRARY}"\n'
                       f'exec "{os.path.abspath(weir_case.program)}" run "{case}" --out "{out}" --quiet\n')
        os.chmod(script, 0o755)
        words, variables = weir_case.launcher(RANKS)
        environment = {**weir_case.environment(1), **variables, "WEIR_FAIL_BELOW": out, "WEIR_FAIL_AT": str(at), "WEIR_FAIL_ERRNO": str(number)}
        if rank is None:
            environment["WEIR_FAIL_ON"] = "1"
        done = subprocess.run([*words, script], env=environment, capture_output=True, text=True, timeout=200)
        writes, failed = [], []
        for path in (count + str(k) for k in range(RANKS)):
            if os.path.exists(path):
                with open(path) as file:
                    writes.append(int(file.readline()))
                    failed.append(file.readline())
        return done, writes, failed

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_ranks(self):
        case = self.write(OF_RANKS)
        out = os.path.join(self.folder(), "out")
        done, writes, _ = self.run_ranks(out, case, -1, None)
        self.assertEqual((done.returncode, len(writes)), (0, RANKS), done.stderr)
        with open(os.path.join(out, "summary.json")) as file:
            digest = json.load(file)["digest"]
        for rank, count in ((0, writes[0]), (1, writes[1]), (None, min(writes))):
            # Among others a seventh is what HDF5 notes of the first file when rank 1 closes it.
            for at in range(count) if WRITES == "all" else sorted({count // 7, *(count * k // int(WRITES) for k in range(int(WRITES)))}):
                with self.subTest(rank=rank, at=at, of=count):
                    out = os.path.join(self.folder(), "out")
                    done, _, failed = self.run_ranks(out, case, at, rank, errno.ENOSPC if rank is None else errno.EIO)
                    said = weir_case.OPEN_MPI_SAYS.sub("", done.stderr)
                    if done.returncode == 0:
                        # All ranks set the length of a file; Open MPI heeds the first alone, which has done so.
                        self.assertTrue(rank == 1 and failed[1].startswith(FTRUNCATE), failed)
                        self.check_whole(out)
                        with open(os.path.join(out, "summary.json")) as file:
                            self.assertEqual(json.load(file)["digest"], digest)
                        continue
                    self.assertEqual(done.returncode, 1, said)
                    self.assertEqual(said.count("weir: "), 1, said)
                    self.assertIn("cannot ", said)
                    self.assertNotRegex(said, r"rank \d on \S+: rank \d")
                    for name in os.listdir(out) if os.path.exists(out) else []:
                        if name.endswith(".part"):  # left where all ranks had it open; the next run removes it
                            os.remove(os.path.join(out, name))
                    self.check_whole(out)
                    self.check_goes_on(out, digest)


# Each set of outputs is a test of its own, so that some, or all side by side, can be run at each write.
for output in OUTPUTS:
    setattr(FailingWritesTest, "test_" + output.replace(" ", "_"), lambda self, name=output: self.check_output(name))

if __name__ == "__main__":
    LIBRARY = sys.argv.pop(2)
    weir_case.main()
