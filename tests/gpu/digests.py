"""Digests of CPU-only, GPU-only and mixed runs of every lattice, collision and precision, and of two ranks of which, on a
machine with a single GPU, one has it: they must be equal.

    python3 digests.py WEIR [STEPS]

For a machine with a GPU; not part of the test suites, which run without one. Rows of blocks are long enough for whole
warps of plain strips; along x there are a periodic seam in one flow and walls in the other. Prints a line per variant
and flow and, last, 'N passed, N failed'.
"""

import concurrent.futures
import itertools
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import weir_case

RUNS = [
    ("cpu", "cpu", "static", 1),
    ("gpu", "cuda", "static", 1),
    ("mixed", "all", "static", 1),
    ("mixed balanced", "all", "balanced", 1),
    ("mixed dmdas", "all", "starpu:dmdas", 1),
    ("ranks", "all", "balanced", 2),
]


def case_of(lattice, collision, precision, walled, steps):
    flat = lattice == "D2Q9"
    cells = [150, 61] if flat else [150, 37, 29]
    wall = {"type": "wall", "velocity": [0.05, 0.0] if flat else [0.05, 0.0, 0.02]}
    side = {"type": "wall", "velocity": [0.0, 0.05] if flat else [0.0, 0.05, 0.02]}
    case = {
        "name": "digest",
        "lattice": lattice,
        "collision": {"operator": collision},
        "precision": "double" if precision == "double" else "single",
        "storage": "half" if precision == "half" else "full",
        "domain": {"cells": cells, "periodic": [not walled, False] if flat else [not walled, False, False]},
        "fluid": {"tau": 0.7},
        "force": [1e-5, 2e-6] if flat else [1e-5, 2e-6, -3e-6],
        "boundaries": {"y+": wall, "x-": side} if walled else {"y+": wall},
        "initial": {"velocity": ["0.02*sin(2*pi*x/nx)", "0.01*cos(2*pi*y/ny)"] + ([] if flat else ["0.01*sin(2*pi*z/nz)"])},
        "solids": [{"sphere": {"center": [c / 2 for c in cells], "radius": 8}}],
        "blocks": {"cells": [64, 20] if flat else [64, 20, 16]},
        "run": {"steps": steps, "check_every": 50},
    }
    return case


def digest(weir, folder, case, workers, policy, ranks):
    path = os.path.join(folder, "case.json")
    with open(path, "w") as file:
        json.dump(case, file)
    summary = os.path.join(folder, "summary.json")
    # Given shares need no measurement, and are so wrong that a policy that moves blocks does so.
    given = workers == "all" and policy in ("static", "balanced") and ranks == 1
    shares = ["--set", 'placement.shares={"cuda": 1, "cpu": 1}'] if given else []
    launcher, variables = weir_case.launcher(ranks)
    subprocess.run(
        launcher + weir + ["run", path, *shares, "--quiet", "--force", "--out", os.path.join(folder, "out"), "--summary", summary,
                "--set", "placement.workers=" + workers, "--set", "placement.policy=" + policy],
        check=True, env={**os.environ, **variables},
    )
    with open(summary) as file:
        result = json.load(file)
    kinds = sorted({w["kind"] for w in result["workers"] if w["tasks"] > 0})
    return result["digest"], "+".join(kinds)


def compare(weir, steps, variant):
    """The lines to be printed about a variant and flow, and whether the digests are equal."""
    lattice, collision, precision, walled = variant
    with tempfile.TemporaryDirectory() as folder:
        case = case_of(lattice, collision, precision, walled, steps)
        results = [(name, *digest(weir, folder, case, *how)) for name, *how in RUNS]
    equal = len({r[1] for r in results}) == 1
    lines = [" ".join([lattice, collision, precision, "walls" if walled else "periodic", "equal" if equal else "DIFFERENT",
                       results[0][1], "; ".join(f"{name}: {kinds}" for name, _, kinds in results)])]
    if not equal:
        lines += [f"    {name} {value}" for name, value, _ in results]
    return lines, equal


def main():
    weir = sys.argv[1].split()
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    variants = list(itertools.product(
        ["D2Q9", "D3Q15", "D3Q19", "D3Q27"], ["bgk", "trt"], ["single", "double", "half"], [False, True]))
    passed = 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for lines, equal in pool.map(lambda variant: compare(weir, steps, variant), variants):
            print("\n".join(lines), flush=True)
            passed += equal
    print(f"{passed} passed, {len(variants) - passed} failed")
    return passed != len(variants)


if __name__ == "__main__":
    sys.exit(main())
