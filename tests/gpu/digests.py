"""Digests of CPU-only, GPU-only and mixed runs of every lattice, collision and precision: they must be equal.

    python3 digests.py WEIR [STEPS]

For a machine with a GPU; not part of the test suites, which run without one. Prints a line per variant and, last,
'N passed, N failed'.
"""

import itertools
import json
import os
import subprocess
import sys
import tempfile

RUNS = [
    ("cpu", "cpu", "static"),
    ("gpu", "cuda", "static"),
    ("mixed", "all", "static"),
    ("mixed dmdas", "all", "starpu:dmdas"),
]


def case_of(lattice, collision, precision, steps):
    flat = lattice == "D2Q9"
    cells = [97, 61] if flat else [45, 37, 29]
    case = {
        "name": "digest",
        "lattice": lattice,
        "collision": {"operator": collision},
        "precision": precision,
        "domain": {"cells": cells, "periodic": [True, False] if flat else [True, False, False]},
        "fluid": {"tau": 0.7},
        "force": [1e-5, 2e-6] if flat else [1e-5, 2e-6, -3e-6],
        "boundaries": {"y+": {"type": "wall", "velocity": [0.05, 0.0] if flat else [0.05, 0.0, 0.02]}},
        "initial": {"velocity": ["0.02*sin(2*pi*x/nx)", "0.01*cos(2*pi*y/ny)"] + ([] if flat else ["0.01*sin(2*pi*z/nz)"])},
        "solids": [{"sphere": {"center": [c / 2 for c in cells], "radius": 8}}],
        "blocks": {"cells": [31, 20] if flat else [16, 13, 11]},
        "run": {"steps": steps, "check_every": 50},
    }
    return case


def digest(weir, folder, case, workers, policy):
    path = os.path.join(folder, "case.json")
    with open(path, "w") as file:
        json.dump(case, file)
    summary = os.path.join(folder, "summary.json")
    subprocess.run(
        weir + ["run", path, "--quiet", "--force", "--out", os.path.join(folder, "out"), "--summary", summary,
                "--set", "placement.workers=" + workers, "--set", "placement.policy=" + policy],
        check=True,
    )
    with open(summary) as file:
        result = json.load(file)
    kinds = sorted({w["kind"] for w in result["workers"] if w["tasks"] > 0})
    return result["digest"], "+".join(kinds)


def main():
    weir = sys.argv[1].split()
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for lattice, collision, precision in itertools.product(
            ["D2Q9", "D3Q15", "D3Q19", "D3Q27"], ["bgk", "trt"], ["single", "double"]
        ):
            case = case_of(lattice, collision, precision, steps)
            results = [(name, *digest(weir, folder, case, workers, policy)) for name, workers, policy in RUNS]
            equal = len({r[1] for r in results}) == 1
            passed += equal
            failed += not equal
            print(lattice, collision, precision, "equal" if equal else "DIFFERENT", results[0][1],
                  "; ".join(f"{name}: {kinds}" for name, _, kinds in results), flush=True)
            if not equal:
                for name, value, _ in results:
                    print("   ", name, value)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
