"""Digests of CPU-only, GPU-only and mixed runs of every lattice, collision and precision, or of the cases in configs/, and of two
ranks of which, on a machine with a single GPU, one has it: they must be equal, and equal to those that tests/data/digests.json
keeps for the cases, and for 21, 100 and 200 steps of the variants.

    python3 digests.py WEIR [STEPS] [--of variants|configs] [--runs one|ranks|all] [--only K/N] [--match NAME,NAME] [--seconds N] [--at-once N]

For a machine with a GPU; not part of the test suites, which run without one. Where there is none, only runs on cores are
compared. The flows are those of known_digests.py. Prints a line per flow, what a run that failed said, and last
'N passed, N failed', with what is left where time was up. --runs: of one process, or of ranks beside the one on cores;
--only 2/4: the second quarter of the flows; --match: those whose names have one of these words in them; --seconds: after so many,
no flow is begun; --at-once: flows side by side.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import known_digests
import weir_case

# Name, workers, policy, ranks. Of two ranks each has half of the blocks, or as many as suit it, which may be none. "whole": in one
# block, of which a task takes many steps.
RUNS = [
    ("cpu", "cpu", "static", 1),
    ("gpu", "cuda", "static", 1),
    ("gpu whole", "cuda", "balanced", 1),
    ("mixed", "all", "static", 1),
    ("mixed balanced", "all", "balanced", 1),
    ("mixed dmdas", "all", "starpu:dmdas", 1),
    ("ranks", "all", "static", 2),
    ("ranks balanced", "all", "balanced", 2),
]
# With GPU kernels compiled for the blocks, one with all constants, the other for several blocks; all others with the general ones.
FOR_THEIR_BLOCKS = {"gpu whole", "mixed"}
WITHOUT_GPU = [("cpu", "cpu", "static", 1), ("cpu whole", "team", "balanced", 1), ("cpu lws", "cpu", "starpu:lws", 1), ("ranks", "cpu", "static", 2),
               ("ranks balanced", "cpu", "balanced", 2)]


def variant_flow(variant, steps):
    """Name of a flow, the options of weir run beside its case's file, its cells, the digest that is kept or None, and what writes the
    case into a folder and returns the path."""
    case = known_digests.variant_case(*variant, steps)

    def write(folder):
        path = os.path.join(folder, "case.json")
        with open(path, "w") as file:
            json.dump(case, file)
        return path

    return known_digests.variant_name(*variant), [], case["domain"]["cells"], known_digests.variant_digest(steps, *variant), write


def config_flow(name, row):
    path = known_digests.config_path(name)
    with open(path) as file:
        cells = json.load(file)["domain"]["cells"]
    return name, row["options"].split(), cells, row["digest"], lambda folder: path


def digest(weir, folder, path, options, cells, name, workers, policy, ranks):
    if name.endswith("whole"):
        options = [*options, "--set", f"blocks.cells={cells}"]
    summary = os.path.join(folder, "summary.json")
    # Given shares need no measurement, and are so wrong that a policy that moves blocks does so.
    given = workers == "all" and policy in ("static", "balanced") and ranks == 1
    shares = ["--set", 'placement.shares={"cuda": 1, "cpu": 1}'] if given else []
    if ranks > 1 and policy == "static":
        along = max(range(len(cells)), key=lambda axis: (cells[axis], axis))  # where there are most likely two blocks
        shares = ["--set", f"ranks.grid={[ranks if axis == along else 1 for axis in range(len(cells))]}"]
    launcher, variables = weir_case.launcher(ranks)
    variables = {**variables, "WEIR_KERNEL_CONSTANTS": "first" if name in FOR_THEIR_BLOCKS else "never"}
    done = subprocess.run(
        launcher + weir + ["run", path, *options, *shares, "--quiet", "--force", "--out", os.path.join(folder, "out"), "--summary", summary,
                "--set", "placement.workers=" + workers, "--set", "placement.policy=" + policy],
        env={**os.environ, **variables}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    if done.returncode != 0:
        return f"failed with exit code {done.returncode}: {done.stdout.strip()}", "nothing"
    with open(summary) as file:
        result = json.load(file)
    kinds = sorted({w["kind"] for w in result["workers"] if w["tasks"] > 0})
    return result["digest"], "+".join(kinds)


def compare(weir, runs, deadline, flow):
    """The lines to be printed about a flow, and whether the digests are equal: None where time was up."""
    if time.monotonic() > deadline:
        return [], None
    flow_name, options, cells, kept, write = flow
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder)
        results = [(how[0], *digest(weir, folder, path, options, cells, *how)) for how in runs]
    if kept:
        results.append(("kept", kept, "data"))
    equal = len({r[1] for r in results}) == 1 and not results[0][1].startswith("failed")
    lines = [" ".join([flow_name, "equal" if equal else "DIFFERENT",
                       results[0][1] if equal else "", "; ".join(f"{name}: {kinds}" for name, _, kinds in results)])]
    if not equal:
        lines += [f"    {name} {value}" for name, value, _ in results]
    return lines, equal


def main():
    parser = argparse.ArgumentParser(description="Compares digests of runs on CPUs, GPUs, both, and several ranks.")
    parser.add_argument("weir", type=str.split, help="program, and words after it")
    parser.add_argument("steps", type=int, nargs="?", default=200, help="of variants (default: 200)")
    parser.add_argument("--of", choices=["variants", "configs"], default="variants")
    parser.add_argument("--runs", choices=["one", "ranks", "all"], default="all", help="of one process, of ranks beside one on cores, both")
    parser.add_argument("--only", metavar="K/N", default="1/1", help="the Kth of N parts of the flows")
    parser.add_argument("--match", type=lambda words: words.split(","), default=[""], help="flows whose names have one of these words in them")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after so many, no flow is begun")
    parser.add_argument("--at-once", type=int, default=4, help="flows that are compared side by side (default: 4)")
    options = parser.parse_args()
    part, parts = map(int, options.only.split("/"))
    has_gpu = not re.search(r"(?m)GPUs: 0$", subprocess.run(options.weir + ["info"], capture_output=True, text=True, check=True).stdout)
    runs = [run for number, run in enumerate(RUNS if has_gpu else WITHOUT_GPU)
            if number == 0 or options.runs in ("all", "one" if run[3] == 1 else "ranks")]
    deadline = time.monotonic() + options.seconds
    if options.of == "variants":
        flows = [variant_flow(variant, options.steps) for variant in known_digests.VARIANTS]
    else:
        flows = [config_flow(name, row) for name, row in known_digests.KNOWN["configs"].items()]
    flows = [flow for flow in flows if any(word in flow[0] for word in options.match)]
    flows = flows[len(flows) * (part - 1) // parts:len(flows) * part // parts]
    count = {True: 0, False: 0, None: 0}
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        for lines, equal in pool.map(lambda flow: compare(options.weir, runs, deadline, flow), flows):
            for line in lines:
                print(line, flush=True)
            count[equal] += 1
    left = f"; time was up before {count[None]} more" if count[None] else ""
    print(f"{count[True]} passed, {count[False]} failed{left}")
    return count[True] != len(flows)


if __name__ == "__main__":
    sys.exit(main())
