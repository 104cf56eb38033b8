#!/usr/bin/env python3
"""How fast checkpoints are written, beside what dd writes to the same folder in the same round, and what they take of the processors.

Usage: checkpoint_speed.py [--set PATH=VALUE]... [--lost] FOLDER ROUNDS WEIR [WEIR...]

A run of 160^3 cells (D3Q19, TRT, single precision) takes 24 steps with a checkpoint every two, of which each waits for the one before, and 24 without: the
difference is what twelve checkpoints take, with their copies, checksums and digests, from the copy of the first block to the file that has its name and the removal
of an older one. dd writes as many bytes as one, of zeros, and waits for the disk (conv=fsync). Programs take turns within a round; medians are of all rounds.

With --lost: also what a run loses in which a checkpoint, by what it took above, takes a tenth of its interval, that is, how much longer it takes than the same run without, of which one comes before it and one after.
--set: as of weir run, for all runs.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

CASE = {"name": "speed", "lattice": "D3Q19", "precision": "single", "domain": {"cells": [160, 160, 160], "periodic": [True, True, False]}, "fluid": {"tau": 0.6},
        "force": [1e-6, 0, 0], "run": {"steps": 24}}
EVERY, COUNT = 2, 12
INTERVALS = 6.5  # of a run that is to lose time: none of its checkpoints is due at its end
RATE_SECONDS = 2  # of the run that says how many steps an interval has


def run(weir, folder, *options):
    """Wall and processor seconds, and bytes of a checkpoint."""
    with tempfile.TemporaryDirectory(dir=folder) as out:
        path = os.path.join(out, "case.json")
        with open(path, "w") as file:
            json.dump(CASE, file)
        before = os.times()
        subprocess.run([weir, "run", path, "-q", "--out", os.path.join(out, "out"), *options], check=True)
        after = os.times()
        with open(os.path.join(out, "out", "summary.json")) as file:
            wall = json.load(file)["wall_seconds"]
        sizes = [os.path.getsize(os.path.join(out, "out", name)) for name in os.listdir(os.path.join(out, "out")) if name.endswith(".h5")]
    return wall, after.children_user + after.children_system - before.children_user - before.children_system, max(sizes, default=0)


def write(folder, size):
    """Bytes per second of dd."""
    path = os.path.join(folder, "dd")
    began = time.monotonic()
    subprocess.run(["dd", "if=/dev/zero", f"of={path}", "bs=4M", f"count={size // (4 << 20)}", "conv=fsync"], stderr=subprocess.DEVNULL, check=True)
    seconds = time.monotonic() - began
    os.unlink(path)
    return size // (4 << 20) * (4 << 20) / seconds


def lost(weir, folder, seconds, options):
    """Share of its time that a run loses by checkpoints that take so many seconds, each a tenth of the interval; and the same run without any, beside itself."""
    steps = 200
    wall, _, _ = run(weir, folder, *options, "--steps", str(steps))
    while wall < RATE_SECONDS:  # what a run begins with is little of it then
        steps *= max(2, min(10, round(1.5 * RATE_SECONDS / wall)))
        wall, _, _ = run(weir, folder, *options, "--steps", str(steps))
    every = max(1, round(10 * seconds * steps / wall))
    length = ["--steps", str(int(INTERVALS * every))]
    without = [run(weir, folder, *options, *length)[0]]
    wall = run(weir, folder, *options, *length, "--set", f"checkpoint.every={every}")[0]
    without.append(run(weir, folder, *options, *length)[0])
    return wall / statistics.mean(without) - 1, without[1] / without[0] - 1


def main():
    parser = argparse.ArgumentParser(usage="%(prog)s [--set PATH=VALUE]... [--lost] FOLDER ROUNDS WEIR [WEIR...]")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--lost", action="store_true")
    parser.add_argument("folder")
    parser.add_argument("rounds", type=int)
    parser.add_argument("programs", nargs="+")
    asked = parser.parse_args()
    options = [word for key in asked.set for word in ("--set", key)]
    found = {}
    for _ in range(asked.rounds):
        for weir in asked.programs:
            wall, used, _ = run(weir, asked.folder, *options)
            wall_with, used_with, size = run(weir, asked.folder, *options, "--set", f"checkpoint.every={EVERY}")
            seconds = max(wall_with - wall, 1e-9) / COUNT
            row = {"dd, MB/s": write(asked.folder, size) / 1e6, "checkpoint, MB/s": size / seconds / 1e6, "processor, s each": (used_with - used) / COUNT}
            if asked.lost:
                row["lost, %"], row["second run beside first, %"] = (100 * share for share in lost(weir, asked.folder, seconds, options))
            for name, value in row.items():
                found.setdefault((weir, name), []).append(value)
            print(weir, {name: round(value, 3) for name, value in row.items()}, flush=True)
    for (weir, name), values in found.items():
        print(f"{weir}: {name}: median {statistics.median(values):.4g}, {min(values):.4g} to {max(values):.4g}")


if __name__ == "__main__":
    main()
