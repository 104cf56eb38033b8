#!/usr/bin/env python3
"""The table of Tomczak and Szafran (Comput. Phys. Commun. 235 (2019) 258) on this machine, by Weir's default settings: a cavity, spheres of 40 cells at
random places at several porosities, and vessels of about the size and porosity of theirs, which are not public: one with an aneurysm, and an aorta with a
coarctation. BGK and MRT, both equilibria, double and single precision.

Usage: sparse_table.py WEIR [options]     a table, a row for each geometry and flow

GFLUPS count fluid cells. "of limit": 2 q values per update, of the bandwidth measured in the same run (a copy within the GPU). Beside it their MFLUPS and
the same share of their GTX Titan's 288.4 GB/s. --write FOLDER writes the cases only, for "weir kernels build FOLDER/*.json --arch sm_90 --out KERNELS" ahead of time. --done FILE leaves out the rows that stand in
a file already, in a table that was printed before; --seconds N begins no row after so many seconds, and names those that were left.
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time

VALUE_BYTES = {"single": 4, "double": 8}
TITAN_GBS = 288.4
POROSITIES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
# MFLUPS of theirs by precision, collision and equilibrium: cavity, spheres by porosity, aneurysm, aorta.
THEIRS = {
    ("double", "bgk", "incompressible"): (680, [649, 645, 638, 628, 614, 594, 563, 520, 446], 637, 617),
    ("double", "bgk", "compressible"): (613, [558, 558, 565, 564, 555, 532, 499, 459, 393], 553, 551),
    ("double", "mrt", "incompressible"): (468, [450, 436, 422, 404, 387, 366, 343, 317, 275], 439, 382),
    ("double", "mrt", "compressible"): (454, [436, 422, 407, 390, 373, 354, 332, 308, 270], 422, 368),
    ("single", "bgk", "incompressible"): (1006, [1008, 982, 954, 919, 880, 833, 775, 706, 589], 971, 864),
    ("single", "mrt", "incompressible"): (823, [815, 790, 766, 734, 703, 667, 624, 574, 496], 789, 685),
}


def tube(points, solids):
    """Hollow balls along a line of (place, radius), so near each other that they make a tube."""
    for (start, first), (end, last) in zip(points, points[1:]):
        count = max(1, math.ceil(math.dist(start, end) / (0.4 * min(first, last))))
        for k in range(count + 1):
            share = k / count
            center = [a + share * (b - a) for a, b in zip(start, end)]
            solids.append({"sphere": {"center": center, "radius": first + share * (last - first)}, "type": "fluid"})


def vessel(cells, points, boundaries):
    solids = [{"box": {"from": [0, 0, 0], "to": cells}}]
    tube(points, solids)
    return {"domain": {"cells": cells}, "solids": solids, "boundaries": boundaries}


def aneurysm(scale):
    """A vessel along x that bends, with a sac on its side."""
    cells = [round(n * scale) for n in (730, 342, 334)]
    x, y, z = cells
    radius = 54 * scale
    points = [([x * k / 24, y * (0.36 - 0.08 * math.sin(math.pi * k / 24)), z / 2], radius) for k in range(25)]
    case = vessel(cells, points, {"x-": {"type": "velocity", "velocity": [0.02, 0, 0]}, "x+": {"type": "pressure", "density": 1}})
    case["solids"].append({"sphere": {"center": [x / 2, y - 125 * scale, z / 2], "radius": 122 * scale}, "type": "fluid"})
    return case


def aorta(scale):
    """Up, around an arch and down again, where it is narrow for a short way; both ends at z-."""
    cells = [round(n * scale) for n in (93, 161, 442)]
    x, y, z = (n / 2 for n in cells)
    radius, arch = 15.5 * scale, 56 * scale
    top = 2 * z - arch - 1.3 * radius
    points = [([x, y - arch, 0], radius), ([x, y - arch, top], radius)]
    points += [([x, y - arch * math.cos(math.pi * k / 16), top + arch * math.sin(math.pi * k / 16)], radius) for k in range(1, 16)]
    points += [([x, y + arch, top], radius), ([x, y + arch, 0.72 * top], radius), ([x, y + arch, 0.66 * top], 0.45 * radius), ([x, y + arch, 0.6 * top], radius),
               ([x, y + arch, 0], radius)]
    inlet = {"box": {"from": [0, 0, -1], "to": [cells[0], y, 1]}, "type": "velocity", "velocity": [0, 0, 0.02], "name": "inlet"}
    outlet = {"box": {"from": [0, y, -1], "to": [*cells[:2], 1]}, "type": "pressure", "density": 1, "name": "outlet"}
    return vessel(cells, points, {"z-": {"type": "wall", "parts": [inlet, outlet]}})


def geometries(scale, porosities):
    """(name, what of a case is the geometry, which of THEIRS it is), one by one."""
    lid = {"z+": {"type": "wall", "velocity": [0.05, 0, 0]}}
    yield "cavity", {"domain": {"cells": [round(100 * scale)] * 3}, "boundaries": lid}, lambda row: row[0]
    for porosity in porosities:
        spheres = {"spheres": {"radius": 20 * min(1, 2 * scale), "porosity": porosity, "seed": 7}}
        theirs = POROSITIES.index(porosity) if porosity in POROSITIES else None
        yield f"spheres {porosity:g}", {"domain": {"cells": [round(192 * scale)] * 3, "periodic": [True] * 3}, "solids": [spheres], "force": [1e-6, 0, 0]}, \
            lambda row, k=theirs: row[1][k] if k is not None else math.nan
    yield "aneurysm", aneurysm(scale), lambda row: row[2]
    yield "aorta", aorta(scale), lambda row: row[3]


def estimate(geometry, name):
    """Fluid cells, about: as many steps are computed as make the updates that are asked for."""
    share = {"cavity": 1, "aneurysm": 0.175, "aorta": 0.094}.get(name) or float(name.split()[1])
    return share * math.prod(geometry["domain"]["cells"])


def rows_in(path):
    """(geometry, precision, collision, equilibrium) of the rows of tables in a file."""
    names = "cavity|aneurysm|aorta|spheres [0-9.]+"
    with open(path) as file:
        return set(re.findall(rf"(?m)^ *({names}) +(double|single) +(bgk|mrt) (incompressible|compressible) +[0-9]", file.read()))


def cases(options):
    """(name, case, MFLUPS of theirs) of all rows."""
    done = rows_in(options.done) if options.done else set()
    for name, geometry, theirs in geometries(options.scale, [float(word) for word in options.porosities.split(",")]):
        if options.geometries and name.split()[0] not in options.geometries.split(","):
            continue
        steps = max(20, math.ceil(options.updates / estimate(geometry, name) / 20) * 20)
        for (precision, collision, equilibrium), row in THEIRS.items():
            if (name, precision, collision, equilibrium) in done:
                continue
            if precision in options.precisions.split(",") and collision in options.collisions.split(","):
                yield name, {"name": f"{name.replace(' ', '_')}_{collision}_{equilibrium}_{precision}", "lattice": "D3Q19", "precision": precision,
                             "collision": {"operator": collision, "equilibrium": equilibrium}, "fluid": {"tau": 0.8}, **geometry,
                             "placement": {"workers": options.workers}, "run": {"steps": steps}}, theirs(row)


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
    parser.add_argument("--scale", type=float, default=1, help="of all lengths but spheres' (default: 1)")
    parser.add_argument("--geometries", help="list of cavity, spheres, aneurysm, aorta (default: all)")
    parser.add_argument("--porosities", default="0.9,0.7,0.5,0.3,0.1", help="list (default: 0.9,0.7,0.5,0.3,0.1)")
    parser.add_argument("--precisions", default="double,single", help="list (default: double,single)")
    parser.add_argument("--collisions", default="bgk,mrt", help="list (default: bgk,mrt)")
    parser.add_argument("--updates", type=float, default=4e9, help="of fluid cells in each run; the limit is measured from 5e8 on (default: 4e9)")
    parser.add_argument("--copy", type=float, help="GB/s of a copy within the GPU, where runs do not know it")
    parser.add_argument("--workers", default="auto", help="placement.workers (default: auto)")
    parser.add_argument("--done", metavar="FILE", help="leave out the rows of a table in this file")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no row after so many (default: all are run)")
    parser.add_argument("--write", metavar="FOLDER", help="write the cases there, and run none")
    options = parser.parse_args()
    if options.write:
        os.makedirs(options.write, exist_ok=True)
        for _, case, _ in cases(options):
            with open(os.path.join(options.write, case["name"] + ".json"), "w") as file:
                json.dump(case, file)
        return
    print(f"{'geometry':12}{'precision':10}{'collision':20}{'fluid cells':>12}{'of box':>7}{'steps':>7}{'GFLUPS':>8}{'of limit':>9}{'B/cell':>8}"
          f"{'theirs, MFLUPS':>16}{'of peak':>8}  digest", flush=True)
    start, left = time.monotonic(), []
    with tempfile.TemporaryDirectory() as folder:
        for name, case, theirs in cases(options):
            if time.monotonic() - start > options.seconds:
                left.append(case["name"])
                continue
            found, precision, collision = run(options.weir, case, folder), case["precision"], case["collision"]
            traffic = 1e-3 * 38 * VALUE_BYTES[precision]  # GB/s of a MFLUPS
            limit = found["limit_gbs"] or options.copy or math.nan
            print(f"{name:12}{precision:10}{collision['operator'] + ' ' + collision['equilibrium']:20}{found['fluid_cells']:12}"
                  f"{found['fluid_cells'] / math.prod(found['cells']):7.3f}{case['run']['steps']:7}{found['mlups'] / 1e3:8.3f}{100 * found['mlups'] * traffic / limit:7.1f} %"
                  f"{found['memory_bytes'] / found['fluid_cells']:8.1f}{theirs:16.0f}{100 * theirs * traffic / TITAN_GBS:6.1f} %  {found['digest']}", flush=True)
    if left:
        print(f"left, as {options.seconds:g} s were over: " + ", ".join(left))


if __name__ == "__main__":
    sys.exit(main())
