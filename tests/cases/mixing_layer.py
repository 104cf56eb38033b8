#!/usr/bin/env python3
"""How a layer grows in which a cold gas above and a warm one below mix (Rayleigh and Taylor), on D2Q37, from random short waves: half of
its width, h = 3/4 times the integral of 4 q (1 - q) over the height, q the mean temperature at a height from 0 (cold) to 1 (warm), which
is half of the width of a profile that is straight, and half of the distance between the heights where q is 0.05 and 0.95. Late,
h = alpha A g (t - t0)^2, A = (rho_1 - rho_2) / (rho_1 + rho_2): alpha is of the slope of sqrt(h) over the later half of the run.

Usage: mixing_layer.py WEIR [FOLDER] [options]
       mixing_layer.py --picture FILE FOLDER

FOLDER gets mixing_layer.csv: both of each seed over steps; --picture draws h as PNG or SVG (Matplotlib). The exit status says whether
alpha of h, the mean of all seeds, is between 0.015 and 0.09, and no layer has come near the walls.
"""
import argparse
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

import h5py
import numpy

import thermal_walls

CONTRAST, GRAVITY, TAU = 0.2, 3e-4, 0.52
SHORTEST, LONGEST = 16, 40  # cells, of the waves at first
OUTPUTS = 40
LIMITS = 0.015, 0.09


def case_of(cells, steps, seed):
    waves = range(math.ceil(cells[0] / LONGEST), cells[0] // SHORTEST + 1)
    front = "0.4 * (" + " + ".join(f"cos({2 * k}*pi*x/nx + 2*pi*random({seed}, {k}))" for k in waves) + ")"
    low, high = (thermal_walls.wall(1 + sign * CONTRAST) for sign in (1, -1))
    case = thermal_walls.case(cells, TAU, low, high, steps, force=[0, -GRAVITY], initial=thermal_walls.layers(GRAVITY, CONTRAST, 4, front),
                              output=[{"type": "fields", "fields": ["temperature"], "every": steps // OUTPUTS}])
    return {**case, "name": "mixing_layer", "precision": "single"}


def half_widths(weir, cells, steps, seed):
    """Steps, and of each h and half of the distance between edges; of the last also the distance from the middle where q has changed by
    0.01."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "case.json"), os.path.join(folder, "out")
        with open(path, "w") as file:
            json.dump(case_of(cells, steps, seed), file)
        subprocess.run([weir, "run", path, "--quiet", "--out", out], check=True)
        found = []
        for step in range(steps // OUTPUTS, steps + 1, steps // OUTPUTS):
            with h5py.File(os.path.join(out, f"fields_{step:09d}.h5")) as file:
                mean = file["temperature"][0].mean(axis=1)
            warm = numpy.clip((mean - 1 + CONTRAST) / (2 * CONTRAST), 0, 1)
            found.append((step, 0.75 * (4 * warm * (1 - warm)).sum(), (numpy.where(warm > 0.05)[0].max() + 1 - numpy.where(warm < 0.95)[0].min()) / 2))
    changed = numpy.where(abs(warm - (numpy.arange(cells[1]) < cells[1] / 2)) > 0.01)[0]
    changed = changed[(changed >= 8) & (changed < cells[1] - 8)]  # beside walls temperatures jump
    return numpy.array(found), abs(changed + 0.5 - cells[1] / 2).max()


def alpha_of(steps, widths):
    later = len(steps) // 2
    return numpy.polyfit(steps[later:], numpy.sqrt(widths[later:]), 1)[0] ** 2 / (CONTRAST * GRAVITY)


def draw(folder, picture):
    import matplotlib.pyplot as plt

    with open(os.path.join(folder, "mixing_layer.csv"), newline="") as file:
        names, *rows = csv.reader(file)
    rows = numpy.array(rows, dtype=float)
    time = math.sqrt(CONTRAST * GRAVITY) * rows[:, 0]
    heights = {name: column for name, column in zip(names, rows.T) if name.startswith("h ")}
    figure, axes = plt.subplots(figsize=(8, 5))
    for name, column in heights.items():
        axes.plot(time, numpy.sqrt(column), linewidth=1, label=f"flow {name[2:]}: alpha = {alpha_of(rows[:, 0], column):.3f}")
    late, end = time[len(time) // 2:], numpy.sqrt(list(heights.values())).mean(axis=0)[-1]
    for alpha, line in ((0.02, ":"), (0.05, "--")):
        axes.plot(late, end + math.sqrt(alpha) * (late - late[-1]), color="black", linestyle=line, label=f"slope of alpha = {alpha}")
    axes.set(xlabel="t sqrt(A g)", ylabel="sqrt(h), cells", xlim=(0, None), ylim=(0, None))
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(picture, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picture", metavar="FILE")
    parser.add_argument("words", nargs="+", metavar="WEIR [FOLDER]")
    parser.add_argument("--cells", type=int, nargs=2, default=[512, 768], metavar=("X", "Y"), help="(default: 512 768)")
    parser.add_argument("--steps", type=int, default=8000, help="a multiple of 40 (default: 8000)")
    parser.add_argument("--seeds", type=int, default=3, help="flows (default: 3)")
    options = parser.parse_intermixed_args()
    if options.picture:
        return draw(options.words[0], options.picture)
    columns, right = {}, True
    for seed in range(1, options.seeds + 1):
        found, reach = half_widths(options.words[0], options.cells, options.steps, seed)
        columns["step"], columns[f"h {seed}"], columns[f"edges {seed}"] = found.T
        print(f"seed {seed}: h {found[-1, 1]:.1f} cells, alpha {alpha_of(*found.T[:2]):.4f}; edges {found[-1, 2]:.1f}, "
              f"alpha {alpha_of(*found.T[::2]):.4f}; the layer reaches {reach:.1f} of {options.cells[1] / 2:.0f}", flush=True)
        right = right and reach < options.cells[1] / 2 - 16
    mean = [numpy.mean([alpha_of(columns["step"], column) for name, column in columns.items() if name.startswith(what)]) for what in ("h", "edges")]
    print(f"alpha of h {mean[0]:.4f}, of edges {mean[1]:.4f}")
    if options.words[1:]:
        os.makedirs(options.words[1], exist_ok=True)
        with open(os.path.join(options.words[1], "mixing_layer.csv"), "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows([f"{value:.6g}" for value in row] for row in zip(*columns.values()))
    return int(not right or not LIMITS[0] < mean[0] < LIMITS[1])


if __name__ == "__main__":
    sys.exit(main())
