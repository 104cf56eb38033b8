#!/usr/bin/env python3
"""Time per step against the share of the cells that cores take beside a GPU, measured and predicted: figure 8 of Calore, Gabbana,
Schifano, Tripiccione (Int. J. High Perform. Comput. Appl., 2017) for this machine, with D2Q37 in double precision; beside it what
policies `model` and `balanced` come to, and GPU and cores alone. For a machine with a GPU; some three minutes. Without one it is the
share of the first core beside the others.

Usage: share_curve.py WEIR FOLDER [options]
       share_curve.py --picture FILE FOLDER

FOLDER gets share_curve.csv; --picture draws it as PNG or SVG (Matplotlib). The machine is measured first (weir calibrate), in a cache of
its own; each run begins with that measurement, and says what the time model makes of its placement. Shares are whole blocks: rows of
the domain from side to side.
"""
import argparse
import csv
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

COLUMNS = ["what", "blocks_of_cores", "share_of_cores", "measured_ms", "predicted_ms", "runs_ms"]


class Machine:
    """Runs of one case, each with the same measurement of the machine."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.cells, self.blocks = options.cells, options.blocks
        self.case = os.path.join(folder, "case.json")
        with open(self.case, "w") as file:
            json.dump({"name": "share_curve", "lattice": "D2Q37", "collision": {"operator": options.collision}, "precision": "double",
                       "domain": {"cells": self.cells, "periodic": [True, True]}, "fluid": {"tau": 0.6}, "run": {"steps": 1}}, file)
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        self.environment = {"WEIR_KERNEL_CACHE": os.path.join(cache, "weir", "kernels"), **os.environ, "XDG_CACHE_HOME": folder}
        self.has_gpu = not re.search(r"(?m)GPUs: 0$", self.weir("info"))
        # What is moved along the curve comes first.
        self.parts = ("cpu", "cuda") if self.has_gpu else ("cpu0", "cpu")
        self.cut = [f"placement.workers={'all' if self.has_gpu else 'cpu'}", f"blocks.cells={[self.cells[0], self.cells[1] // self.blocks]}"]

    def weir(self, *words, environment=None):
        done = subprocess.run([self.options.weir, *words], env=environment or self.environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def calibrate(self):
        print(self.weir("calibrate", self.case, *sets(*self.cut, "placement.policy=model")).strip(), flush=True)
        (self.measured_at,) = glob.glob(os.path.join(self.folder, "weir", "machines", "*.json"))
        with open(self.measured_at) as file:
            self.measured = file.read()
        rates = {part["kind"]: part["rates"][0]["fluid_cell_seconds"] / part.get("count", 1) for part in json.loads(self.measured)["parts"]}
        self.cell_seconds = (rates.get("team") or rates["core"], rates.get("cuda") or rates["core"])

    def predicted_best(self):
        """The blocks that cores, or the first core, get in the placement that the time model finds best, and seconds of a step there."""
        path = os.path.join(self.folder, "prediction.json")
        self.weir("predict", self.case, *sets(*self.cut, "placement.policy=model"), "--json", path)
        with open(path) as file:
            found = json.load(file)
        of_cores = [part["blocks"] for part in found["parts"] if part["kind"] != "cuda"]
        return sum(of_cores) if self.has_gpu else of_cores[0], found["step_seconds"]

    def run(self, words, step_seconds, environment=None):
        """The summary of a run that takes about so many seconds per step."""
        with open(self.measured_at, "w") as file:  # a run may have noted that it was far off, and the next would measure again
            file.write(self.measured)
        summary = os.path.join(self.folder, "summary.json")
        steps = max(20, round(self.options.seconds / step_seconds / 2) * 2)
        self.weir("run", self.case, "--quiet", "--force", "--steps", str(steps), "--out", os.path.join(self.folder, "out"), "--summary", summary,
                  *sets(*words), environment=environment)
        with open(summary) as file:
            return json.load(file)

    def rough_step(self, blocks):
        """For a number of steps only: the time model says it better."""
        cells = self.cells[0] * self.cells[1] / self.blocks
        return max(blocks * self.cell_seconds[0], (self.blocks - blocks) * self.cell_seconds[1]) * cells

    def seconds(self, summary, key="mlups"):
        return self.cells[0] * self.cells[1] / summary[key] / 1e6 if summary.get(key) else None


def sets(*words):
    return [f"--set={word}" for word in words]


def counts(text):
    return [int(word) for word in text.split(",")]


def curve_of(machine, blocks):
    """What is run: name, blocks of cores or None, keys, seconds of a step, environment."""
    first, other = machine.parts
    result = [("shares", k, [*machine.cut, "placement.policy=static",
                             f"placement.shares={json.dumps({first: k, other: machine.blocks - k})}"], machine.rough_step(k), None) for k in blocks]
    best = machine.rough_step(0)
    for policy in ("model", "balanced"):
        result.append((policy, None, [*machine.cut, f"placement.policy={policy}"], best, None))
    if machine.has_gpu:
        result.append(("GPU alone, default blocks", None, ["placement.workers=cuda"], best, None))
    result.append(("cores alone, default blocks", None, [], machine.rough_step(machine.blocks) if machine.has_gpu else best / 2,
                   {**machine.environment, "STARPU_NCUDA": "0"}))
    return result


def share_of_cores(machine, summary):
    """Of the updates that were done, by who did them."""
    updates = [(worker["kind"] == "cpu" if machine.has_gpu else worker["name"] == summary["workers"][0]["name"], worker["updates"])
               for worker in summary["workers"]]
    return sum(count for of_cores, count in updates if of_cores) / sum(count for _, count in updates)


def measure(machine, blocks):
    """Rows of COLUMNS: medians of the rounds, which go through all in turn."""
    planned = curve_of(machine, blocks)
    found = [[] for _ in planned]
    for _ in range(machine.options.rounds):
        for place, (what, k, words, seconds, environment) in enumerate(planned):
            found[place].append(machine.run(words, seconds, environment))
            print(f"{what} {'' if k is None else k}: {1e3 * machine.seconds(found[place][-1]):.4f} ms", flush=True)
    rows = []
    for (what, k, _, _, _), runs in zip(planned, found):
        seconds = sorted(machine.seconds(run) for run in runs)
        share = k / machine.blocks if k is not None else share_of_cores(machine, runs[-1])
        predicted = machine.seconds(runs[0], "predicted_mlups")
        rows.append([what, "" if k is None else k, f"{share:.4f}", f"{1e3 * statistics.median(seconds):.4f}",
                     f"{1e3 * predicted:.4f}" if predicted else "", " ".join(f"{1e3 * s:.4f}" for s in seconds)])
    return rows


def report(machine, rows, best):
    whose = "cores" if machine.has_gpu else "the first core"
    for row in rows:
        print("{:28s} {:>4s} {:>7s} measured {:>9s} ms, predicted {:>9s} ms; runs {}".format(row[0], str(row[1]), *row[2:]))
    curve = {row[1]: (float(row[3]), float(row[4])) for row in rows if row[0] == "shares"}
    measured, predicted = (min(curve, key=lambda k: curve[k][way]) for way in (0, 1))
    print(f"least measured {curve[measured][0]:.4f} ms with {measured} of {machine.blocks} blocks on {whose}; least predicted on the curve "
          f"{curve[predicted][1]:.4f} ms with {predicted}; weir predict: {1e3 * best[1]:.4f} ms with {best[0]}")
    print(f"predicted least time over measured least time {1e3 * best[1] / curve[measured][0]:.4f}; measured time where weir predict has the "
          f"minimum, over the least measured {curve[best[0]][0] / curve[measured][0]:.4f}")
    alone = {row[0]: float(row[3]) for row in rows if row[0] != "shares"}
    cores = alone["cores alone, default blocks"]
    if not machine.has_gpu:
        print("no GPU here: nothing of GPU and cores together")
        return
    gpu = min(alone["GPU alone, default blocks"], curve[0][0])
    together = 1 / (1 / gpu + 1 / cores)
    for name, value in [("best shares", curve[measured][0]), ("model", alone["model"]), ("balanced", alone["balanced"])]:
        print(f"{name}: {gpu / value:.4f} of the GPU alone, {together / value:.4f} of the sum of GPU alone ({gpu:.4f} ms) and cores alone "
              f"({cores:.4f} ms)")


def draw(folder, picture):
    import matplotlib.pyplot as plt

    with open(os.path.join(folder, "share_curve.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    curve = [row for row in rows if row["what"] == "shares"]
    figure, axes = plt.subplots(figsize=(8, 5))
    share = [100 * float(row["share_of_cores"]) for row in curve]
    axes.plot(share, [float(row["predicted_ms"]) for row in curve], "-", color="tab:blue", label="predicted")
    axes.plot(share, [float(row["measured_ms"]) for row in curve], "o", color="tab:red", label="measured")
    for row, mark in zip([row for row in rows if row["what"] in ("model", "balanced")], "^s"):
        axes.plot(100 * float(row["share_of_cores"]), float(row["measured_ms"]), mark, color="black", fillstyle="none", markersize=9, label=row["what"])
    for row, line in zip([row for row in rows if "alone" in row["what"]], ("--", ":")):
        axes.axhline(float(row["measured_ms"]), color="grey", linestyle=line, label=row["what"])
    axes.set(xlabel="share of cores, %", ylabel="time per step, ms", yscale="log", xlim=(0, 100))
    axes.set_xscale("symlog", linthresh=10)
    axes.set_xticks([0, 2, 4, 6, 8, 10, 20, 50, 100], [0, 2, 4, 6, 8, 10, 20, 50, 100])
    axes.legend()
    figure.tight_layout()
    figure.savefig(picture, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picture", metavar="FILE")
    parser.add_argument("words", nargs="+", metavar="WEIR FOLDER")
    parser.add_argument("--cells", type=counts, default=[4096, 8192], metavar="X,Y", help="(default: 4096,8192)")
    parser.add_argument("--blocks", type=int, default=64, help="rows of blocks, that divide Y (default: 64)")
    parser.add_argument("--of-cores", type=counts, default=[0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64], metavar="LIST",
                        help="blocks that cores take (default: 0,1,2,3,4,5,6,8,12,16,32,64)")
    parser.add_argument("--collision", default="thermal_bgk", help="(default: thermal_bgk)")
    parser.add_argument("--seconds", type=float, default=1.5, help="that a run's steps take, about (default: 1.5)")
    parser.add_argument("--rounds", type=int, default=1, help="each run so often, in turns (default: 1)")
    options = parser.parse_args()
    if options.picture:
        return draw(options.words[0], options.picture)
    if len(options.words) != 2:
        parser.error("give the program and a folder")
    if options.cells[1] % options.blocks:
        parser.error("--blocks must divide the rows of the domain")
    options.weir, folder = os.path.abspath(options.words[0]), options.words[1]
    with tempfile.TemporaryDirectory() as work:
        machine = Machine(options, work)
        print(f"{options.collision}, double, {options.cells[0]} x {options.cells[1]} in {options.blocks} blocks" +
              ("" if machine.has_gpu else "; no GPU: the share of the first core"), flush=True)
        machine.calibrate()
        best = machine.predicted_best()
        rows = measure(machine, sorted({*options.of_cores, best[0]}))
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "share_curve.csv"), "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    report(machine, rows, best)


if __name__ == "__main__":
    main()
