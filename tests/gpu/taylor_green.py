#!/usr/bin/env python3
"""Taylor-Green vortices in space at Reynolds number 1600, resolved as far as a GPU's memory goes: which collisions live to t* = 10 and
beyond, and the dissipation, what the kinetic energy loses, beside that of direct simulations, whose peak is 0.0129 at t* = 9 (van Rees,
Leonard, Pullin, Koumoutsakos, J. Comput. Phys. 230 (2011) 2794). For machines with a GPU: seconds for each run of 256 cells.

Usage: taylor_green.py WEIR FOLDER [--cells N] [--until T] [LATTICE:COLLISION[:CONSTANT[:MODEL]] ...]
       taylor_green.py --picture FILE FOLDER

CONSTANT, MODEL: of eddies. FOLDER gets dissipation.csv, a column for each run over t* (empty from where a run diverged on);
--picture draws it, with the peak of the direct simulations, as PNG or SVG (Matplotlib).
"""
import argparse
import csv
import json
import math
import os
import subprocess
import tempfile

CASE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "configs", "taylor_green_3d.json")
VELOCITY = 0.05
FLOWS = ["D3Q19:bgk", "D3Q19:trt", "D3Q19:mrt", "D3Q19:regularised", "D3Q19:recursive", "D3Q19:trt:0.17", "D3Q19:recursive:0.1",
         "D3Q27:bgk", "D3Q27:trt", "D3Q27:regularised", "D3Q27:recursive", "D3Q27:cumulant", "D3Q27:cumulant:1:qr"]


def run(weir, flow, cells, until, every):
    """Rows of (t*, kinetic energy in units of velocity and cells), and what the run said of its speed or end."""
    lattice, collision, *eddies = flow.split(":")
    length = cells / (2 * math.pi)
    sets = {"lattice": lattice, "collision.operator": collision, "domain.cells": [cells] * 3, "fluid.reynolds.length": length,
            "run.steps": math.ceil(until * length / VELOCITY / every) * every, "run.check_every": every,
            "output": [{"type": "series", "every": every}]}
    if eddies:
        sets["turbulence"] = {"constant": float(eddies[0]), **({"model": eddies[1]} if eddies[1:] else {})}
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        options = [f"--set={key}={value if isinstance(value, str) else json.dumps(value)}" for key, value in sets.items()]
        done = subprocess.run([weir, "run", CASE, "--out", out, "--quiet", *options], stderr=subprocess.PIPE, text=True)
        with open(os.path.join(out, "series.csv"), newline="") as file:
            rows = [(float(row["step"]) * VELOCITY / length, float(row["kinetic_energy"]) / cells**3 / VELOCITY**2)
                    for row in csv.DictReader(file)]
        if done.returncode:
            return rows, done.stderr.strip().splitlines()[-1]
        with open(os.path.join(out, "summary.json")) as file:
            return rows, f"{json.load(file)['mlups']:.0f} MLUPS"


def dissipation_of(rows):
    """(t*, dissipation) by central differences, as far as energies are finite."""
    found = []
    for (before, more), (now, _), (after, less) in zip(rows, rows[1:], rows[2:]):
        if not math.isfinite(less) or less > 1.01 * rows[0][1]:
            break
        found.append((now, (more - less) / (after - before)))
    return found


def draw(folder, picture):
    import matplotlib.pyplot as plt

    with open(os.path.join(folder, "dissipation.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    figure, axes = plt.subplots(figsize=(9, 5.5))
    for flow in list(rows[0])[1:]:
        points = [(float(row["t"]), float(row[flow])) for row in rows if row[flow] and float(row["t"]) > 0.5]
        axes.plot(*zip(*points), label=flow.replace(":", " "), linewidth=1, linestyle="-" if flow.startswith("D3Q27") else "--")
    axes.plot([9], [0.0129], "kx", markersize=9, label="peak of direct simulations")
    axes.set(xlabel="t*", ylabel="dissipation", xlim=(0, None), ylim=(0, 0.0145))
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(picture, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picture", metavar="FILE")
    parser.add_argument("words", nargs="+", metavar="WEIR FOLDER [FLOW ...]")
    parser.add_argument("--cells", type=int, default=256)
    parser.add_argument("--until", type=float, default=12)
    given = parser.parse_intermixed_args()
    if given.picture:
        return draw(given.words[0], given.picture)
    if len(given.words) < 2:
        parser.error("give the program and a folder")
    weir, folder, *flows = given.words
    every = max(1, given.cells // 6)
    columns = {}
    for flow in flows or FLOWS:
        rows, said = run(weir, flow, given.cells, given.until, every)
        columns[flow] = dict(dissipation_of(rows))
        after_start = {time: value for time, value in columns[flow].items() if time > given.until / 3}  # sound, before
        peak = max(after_start or columns[flow], key=columns[flow].get)
        print(f"{flow:24s} last t* {max(columns[flow]):5.2f}, peak {columns[flow][peak]:.5f} at {peak:.2f}; {said}", flush=True)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "dissipation.csv"), "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["t", *columns])
        for time in sorted({time for column in columns.values() for time in column}):
            writer.writerow([f"{time:.4f}", *(f"{column[time]:.6g}" if time in column else "" for column in columns.values())])


if __name__ == "__main__":
    main()
