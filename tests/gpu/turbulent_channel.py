#!/usr/bin/env python3
"""Turbulent channel at Re_tau 178, without a model of what the cells do not resolve, against the mean velocity of Moser, Kim and Mansour
(Phys. Fluids 11 (1999) 943): within 3 % beyond y+ = 10. For machines with a GPU: half an hour's work of 16 cores and more, minutes of a GPU.

Usage: turbulent_channel.py WEIR [--half N] [--settle T] [--average T] [--lattice L --collision C]

A constant body force u_tau^2 / h drives the fluid, so that the mean shear at the walls, and with it u_tau, is known. It starts from
Reichardt's profile with rolls and waves. --half: cells of half the channel's height h, which are 178 / N wall units each; the box is
5 h long and 2.5 h wide (the reference has 12.6 and 4.2). --settle, --average: in h / u_tau. Prints the profile beside the reference, its
greatest difference beyond y+ = 10, and the rms velocities. The exit status says whether the difference is below 3 %.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy

RE_TAU, U_TAU = 178.12, 0.005
SAMPLE = 400  # steps between samples of the averages
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases", "data", "moser1999.csv")


def case_of(half, lattice, collision, settle, average):
    turnover = half / U_TAU  # steps
    height = f"(1 - abs(2*y/ny - 1))*{RE_TAU}"
    reichardt = f"{U_TAU}*(2.5*ln(1 + 0.4*{height}) + 7.8*(1 - exp(-{height}/11) - {height}/11*exp(-{height}/3)))"
    eta, scale = "(2*y/ny - 1)", 2 * half
    bump = f"(1 - {eta}^2)^2"
    slope = f"(-4*{eta}*(1 - {eta}^2))*2/ny"  # of the bump, along y
    rolls, waves = 3 * U_TAU, 3 * U_TAU  # greatest velocities; each is free of divergence
    return {
        "name": "turbulent_channel", "lattice": lattice, "collision": {"operator": collision}, "precision": "single",
        "domain": {"cells": [5 * half, scale, 5 * half // 2], "periodic": [True, False, True]},
        "fluid": {"viscosity": U_TAU * half / RE_TAU}, "force": [U_TAU**2 / half, 0, 0],
        "initial": {"velocity": [f"{reichardt} + {waves}*{bump}*sin(4*pi*z/nz + 1)",
                                 f"{rolls}*{bump}*cos(4*pi*z/nz) + {rolls}*{bump}*cos(6*pi*z/nz + 1)",
                                 f"-{rolls}*({slope})*(nz/(4*pi)*sin(4*pi*z/nz) + nz/(6*pi)*sin(6*pi*z/nz + 1))"
                                 f" + {waves}*{bump}*(sin(4*pi*x/nx) + sin(6*pi*x/nx + 2))"]},
        "run": {"steps": int((settle + average) * turnover), "check_every": 1000},
        "output": [{"type": "averages", "start": int(settle * turnover), "every": SAMPLE, "fields": ["velocity", "velocity_rms", "reynolds_stress"]},
                   {"type": "series", "every": 1000}],
    }


def folded(values, sign=1):
    """Means over planes, and over both halves: of cells from the wall to the middle."""
    mean = values.mean(axis=(0, 2))
    return 0.5 * (mean + sign * mean[::-1])[:len(mean) // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weir")
    parser.add_argument("--half", type=int, default=72)
    parser.add_argument("--settle", type=float, default=12)
    parser.add_argument("--average", type=float, default=18)
    parser.add_argument("--lattice", default="D3Q27")
    parser.add_argument("--collision", default="cumulant")
    given = parser.parse_args()
    with open(TABLE, newline="") as file:
        places, expected = numpy.array([(float(row["y_plus"]), float(row["u_plus"])) for row in csv.DictReader(file)]).T
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "case.json"), os.path.join(folder, "out")
        case = case_of(given.half, given.lattice, given.collision, given.settle, given.average)
        with open(path, "w") as file:
            json.dump(case, file)
        subprocess.run([given.weir, "run", path, "--out", out, "--quiet"], check=True)
        with open(os.path.join(out, "summary.json")) as file:
            summary = json.load(file)
        with h5py.File(os.path.join(out, f"averages_{case['run']['steps']:09d}.h5")) as file:
            means = {name: data[...] for name, data in file.items()}
    velocity = folded(means["velocity"][..., 0]) / U_TAU
    rms = [folded(means["velocity_rms"][..., axis]) / U_TAU for axis in range(3)]
    heights = (numpy.arange(given.half) + 0.5) / given.half * RE_TAU
    computed = numpy.interp(places, numpy.concatenate([[0], heights]), numpy.concatenate([[0], velocity]))
    print(f"{case['domain']['cells']} cells of {RE_TAU / given.half:.2f} wall units, {given.lattice} {given.collision}, {summary['steps']} steps, {summary['mlups']:.0f} MLUPS")
    print("   y+   u+ reference difference")
    for place, value, known in zip(places, computed, expected):
        print(f"{place:6.1f} {value:6.3f} {known:6.3f} {100 * (value / known - 1):6.2f} %")
    print("greatest rms of u, v, w: " + ", ".join(f"{values.max():.3f} at y+ {heights[values.argmax()]:.1f}" for values in rms))
    greatest = numpy.abs(computed / expected - 1)[places > 10].max()
    print(f"greatest difference beyond y+ = 10: {100 * greatest:.2f} %")
    sys.exit(int(greatest > 0.03))


if __name__ == "__main__":
    main()
