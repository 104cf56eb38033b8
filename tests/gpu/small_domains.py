#!/usr/bin/env python3
"""Speed of small problems by default settings: what a user meets who changes nothing. For machines with a GPU, or many cores.

Usage: small_domains.py WEIR [--cores] [--rounds N]     a table of MLUPS, medians and spread of N runs in turns (default 3)

--cores leaves GPUs out. Lid-driven cavities; as many steps as take about half a second at the speed that is hoped for.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

GPU = [("D3Q19", [64, 64, 64], 13.1), ("D3Q19", [96, 96, 96], 16.1), ("D3Q19", [128, 128, 128], 20.0), ("D3Q19", [192, 192, 192], 22.0),
       ("D3Q19", [256, 256, 256], 22.6), ("D3Q19", [512, 512, 512], 23.1), ("D2Q9", [256, 256], 3.0)]
CORES = [("D2Q9", [64, 64], 0.18), ("D2Q9", [256, 256], 1.5), ("D2Q9", [640, 160], 1.0), ("D3Q19", [32, 32, 32], 0.5), ("D3Q19", [64, 64, 64], 0.8)]


def case_of(lattice, cells, steps):
    lid = "y+" if len(cells) == 2 else "z+"
    return {"name": "cavity", "lattice": lattice, "collision": {"operator": "trt"}, "domain": {"cells": cells}, "fluid": {"tau": 0.55},
            "boundaries": {lid: {"type": "wall", "velocity": [0.05, 0, 0][:len(cells)]}}, "run": {"steps": steps}}


def speed(weir, case, folder, environment):
    path = os.path.join(folder, "case.json")
    with open(path, "w") as file:
        json.dump(case, file)
    summary = os.path.join(folder, "summary.json")
    subprocess.run([*weir, "run", path, "--quiet", "--force", "--out", os.path.join(folder, "out"), "--summary", summary], check=True,
                   env=environment)
    with open(summary) as file:
        return json.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weir", nargs="+")
    parser.add_argument("--cores", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    environment = dict(os.environ, **({"STARPU_NCUDA": "0"} if options.cores else {}))
    problems = CORES if options.cores else GPU
    seconds = 0.5
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            for lattice, cells, hoped in problems:
                count = 1
                for side in cells:
                    count *= side
                case = case_of(lattice, cells, max(20, int(seconds * hoped * 1e9 / count)))
                found.setdefault((lattice, *cells), []).append(speed(options.weir, case, folder, environment))
    print(f"{'lattice':8}{'cells':16}{'blocks':>7}{'MLUPS':>10}{'least':>10}{'most':>10}{'aim':>10}  digest")
    for (lattice, cells, hoped), runs in zip(problems, found.values()):
        rates = [run["mlups"] for run in runs]
        digests = {run["digest"] for run in runs}
        print(f"{lattice:8}{' x '.join(map(str, cells)):16}{runs[0]['blocks']:7}{statistics.median(rates):10.1f}{min(rates):10.1f}{max(rates):10.1f}"
              f"{1000 * hoped:10.1f}  {' '.join(sorted(digests))}", flush=True)


if __name__ == "__main__":
    main()
