#!/usr/bin/env python3
"""Speed of blocks that are lists of fluid cells against bricks, through the task graph, and that both come to the same digest: random
overlapping spheres of 40 cells at several porosities, and a tree of vessels. For machines with a GPU.

Usage: lists.py WEIR [options]     a table; the exit status says whether digests agree

Speeds are of fluid cells; the limit is the device's copy, measured in each run, over 2 q values per update.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

VALUE_BYTES = {"single": 4, "double": 8}


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def branch(size, at, along, aside, radius, least, draw, found):
    """Adds a vessel and all that branch off it: lengths of 5 to 6.5 radii, children of 0.79 of their parent's radius, as cube roots of
    halves are (Murray, PNAS 12 (1926) 207), each fork in the plane across that of the last. Vessels turn back at the box."""
    if radius < least:
        return
    length = radius * (5 + 1.5 * draw.random())
    along = [-u if not radius <= x + length * u <= n - radius else u for x, u, n in zip(at, along, size)]
    end = [x + length * u for x, u in zip(at, along)]
    found.append((at, end, radius))
    dot = sum(a * b for a, b in zip(aside, along))
    aside = [a - dot * b for a, b in zip(aside, along)]
    norm = math.sqrt(sum(a * a for a in aside)) or 1
    aside = [a / norm for a in aside]
    across = cross(along, aside)
    for side in (-1, 1):
        angle = side * (0.5 + 0.3 * draw.random())
        way = [math.cos(angle) * u + math.sin(angle) * v for u, v in zip(along, aside)]
        branch(size, end, way, across, radius * (0.79 + 0.04 * (draw.random() - 0.5)), least, draw, found)


def paint(size, labels, start, end, radius):
    """Makes voxels fluid (0) whose centres are nearer than radius to a line."""
    low = [max(0, int(min(a, b) - radius)) for a, b in zip(start, end)]
    high = [min(n, int(max(a, b) + radius) + 1) for a, b, n in zip(start, end, size)]
    way = [b - a for a, b in zip(start, end)]
    square = sum(w * w for w in way)
    for z in range(low[2], high[2]):
        for y in range(low[1], high[1]):
            row = (z * size[1] + y) * size[0]
            for x in range(low[0], high[0]):
                off = [x + 0.5 - start[0], y + 0.5 - start[1], z + 0.5 - start[2]]
                share = min(1, max(0, (off[0] * way[0] + off[1] * way[1] + off[2] * way[2]) / square))
                if sum((o - share * w) ** 2 for o, w in zip(off, way)) < radius * radius:
                    labels[row + x] = 0


def vessels(cells, voxel, path):
    """A file of labels, 1 outside of the vessels: six trees, from two faces of each axis."""
    size = [n // voxel for n in cells]
    draw, found, labels = random.Random(1), [], bytearray(b"\1" * math.prod(size))
    for tree in range(6):
        axis, far = tree % 3, tree // 3
        at = [n * (0.2 + 0.6 * draw.random()) for n in size]
        at[axis] = size[axis] - 1 if far else 0
        along, aside = [0, 0, 0], [0, 0, 0]
        along[axis], aside[(axis + 1) % 3] = -1 if far else 1, 1
        branch(size, at, along, aside, size[0] / 22 * (0.8 + 0.4 * draw.random()), 6 / voxel, draw, found)
    for vessel in found:
        paint(size, labels, *vessel)
    with open(path, "wb") as file:
        file.write(labels)
    return size


def geometries(options, folder):
    """(name, cells, solids), one by one."""
    cube = [options.cells] * 3
    for word in options.porosities.split(","):
        share = float(word)
        yield word, cube, [] if share == 1 else [{"spheres": {"radius": 20, "porosity": share, "seed": 7}}]
    if options.vessel:
        voxel = 2
        cells = [options.cells * n // 24 // voxel * voxel for n in (44, 36, 32)]
        path = os.path.join(folder, "vessel.raw")
        yield "vessel", cells, [{"volume": {"file": path, "cells": vessels(cells, voxel, path), "solid": [1], "voxel_size": voxel}}]


def run(weir, case, folder):
    path, summary = os.path.join(folder, "case.json"), os.path.join(folder, "summary.json")
    with open(path, "w") as file:
        json.dump(case, file)
    subprocess.run([weir, "run", path, "--quiet", "--force", "--out", os.path.join(folder, "out"), "--summary", summary], check=True)
    with open(summary) as file:
        return json.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weir")
    parser.add_argument("--cells", type=int, default=384, help="edge of the cube (default: 384)")
    parser.add_argument("--block", type=int, default=0, help="edge of blocks (default: the whole domain is one)")
    parser.add_argument("--porosities", default="1,0.9,0.7,0.5,0.3,0.1", help="list (default: 1,0.9,0.7,0.5,0.3,0.1)")
    parser.add_argument("--precisions", default="single,double", help="list (default: single,double)")
    parser.add_argument("--no-vessel", dest="vessel", action="store_false", help="spheres only")
    parser.add_argument("--updates", type=float, default=2e10, help="of fluid cells in each run (default: 2e10)")
    parser.add_argument("--copy", type=float, help="GB/s of a copy within the GPU, where runs do not know it")
    parser.add_argument("--workers", default="cuda", help="placement.workers (default: cuda)")
    options = parser.parse_args()
    different = False
    print(f"{'geometry':9}{'precision':10}{'kind':6}{'fluid cells':>12}{'steps':>7}{'GLUPS':>8}{'of limit':>9}{'B/cell':>8}  digest", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, cells, solids in geometries(options, folder):
            for precision in options.precisions.split(","):
                digests = set()
                fluid = math.prod(cells) * (0.1 if name == "vessel" else float(name))
                steps = max(20, int(options.updates / fluid) // 20 * 20)
                for kind in ("brick", "list"):
                    case = {"name": "porous", "lattice": "D3Q19", "collision": {"operator": "bgk"}, "precision": precision,
                            "domain": {"cells": cells, "periodic": [True] * 3}, "fluid": {"tau": 0.8}, "force": [1e-6, 0, 0], "solids": solids,
                            "blocks": {"cells": [options.block] * 3 if options.block else cells, "list_up_to": int(kind == "list")},
                            "placement": {"workers": options.workers}, "run": {"steps": steps}}
                    found = run(options.weir, case, folder)
                    digests.add(found["digest"])
                    limit = 1e-3 * found["mlups"] * 38 * VALUE_BYTES[precision] / (found["limit_gbs"] or options.copy or math.nan)
                    print(f"{name:9}{precision:10}{kind:6}{found['fluid_cells']:12}{steps:7}{found['mlups'] / 1e3:8.2f}{100 * limit:7.1f} %"
                          f"{found['memory_bytes'] / found['fluid_cells']:8.1f}  {found['digest']}", flush=True)
                if len(digests) > 1:
                    print(f"{name}, {precision}: digests differ", flush=True)
                    different = True
    return int(different)


if __name__ == "__main__":
    sys.exit(main())
