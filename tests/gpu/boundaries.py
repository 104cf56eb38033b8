#!/usr/bin/env python3
"""Boundaries on a GPU: a box with a rule at its ends, and others at its sides, has the same digest on cores and on the GPU, in bricks and in lists, whole and in
blocks; in all precisions and storages, flat and in space, with a body force and without. So has a scalar that eddies mix and solids conduct ("heat"), and forces
and flows of these are the same to the last bit; and moments where more cells of a tile are near an inlet than there are notes of ("wide_inlet").

Usage: boundaries.py WEIR [--rules NAME...] [--precisions NAME...] [--at-once N]
"""
import argparse
import concurrent.futures
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

RULES = ("velocity", "pressure", "slip", "absorbing", "equilibrium_velocity", "equilibrium_pressure", "zou_he_velocity", "zou_he_pressure",
         "regularised_velocity", "regularised_pressure", "convective")
HEAT = "heat"
WIDE_INLET = "wide_inlet"
PRECISIONS = ("single", "double", "half", "moments", "double moments", "mixed_moments")
BALL = {"sphere": {"center": [20, 11, 9], "radius": 4.4}}


def value_of(rule, way):
    if rule.endswith("pressure"):
        return {"density": "1 + 0.002*sin(y)"} if way else {"density": 1}
    if rule in ("slip", "wall"):
        return {}
    return {"velocity": [f"0.03 * y*(ny - y)*4/ny^2 * (1 + 0.2*sin(t/20))" if way else 0.02, 0, 0]}


def case_of(rule, flat, precision, forced, other):
    ends = {"x-": {"type": rule, **value_of(rule, 1)}, "x+": {"type": rule, **value_of(rule, 0)}}
    sides = {"y-": {"type": other, **({"density": 1.001} if other.endswith("pressure") else {})}}
    case = {
        "lattice": "D2Q9" if flat else "D3Q19",
        "precision": "double" if precision.startswith("double") else "single",
        "domain": {"cells": [48, 24] if flat else [48, 24, 20], "periodic": [False, False] if flat else [False, False, True]},
        "fluid": {"tau": 0.6},
        "boundaries": {**ends, **sides},
        "solids": [] if flat else [{**BALL, "type": "interpolated_wall"}],
        "run": {"steps": 101},
        "output": [{"type": "series", "every": 50, "faces": True}],
    }
    storage = precision.split()[-1]
    if storage not in ("single", "double"):
        case["storage"] = storage
    if storage.endswith("moments"):
        case["collision"] = {"operator": "recursive"}
    if forced:
        case["force"] = [1e-5, 2e-5] if flat else [1e-5, 2e-5, -1e-5]
    if flat:
        for face in ends.values():
            if "velocity" in face:
                face["velocity"] = face["velocity"][:2]
        case["solids"] = [{"sphere": {"center": [20, 11], "radius": 4.4}, "type": "interpolated_wall"}]
    return case


def heat_case(flat, precision, forced):
    """A ball and a cover at a mirror that conduct a scalar, a box without a name, and eddies."""
    case = case_of("velocity", flat, precision, forced, "slip")
    count = 2 if flat else 3
    solids = [({"sphere": {"center": [20, 11, 9][:count], "radius": 4.4}, "name": "ball"}, 0.1), ({"box": {"from": [28, 0, 3][:count], "to": [34, 5, 12][:count]}, "name": "cover"}, 0.02),
              ({"box": {"from": [22, 8, 5][:count], "to": [29, 14, 12][:count]}}, 0.3)]
    case["boundaries"]["x-"]["scalar"] = 1
    case["boundaries"]["x+"] = {"type": "pressure", "density": 1}
    return {**case, "scalar": {"diffusivity": 0.01, "turbulent_prandtl": 0.5}, "turbulence": {"constant": 0.3},
            "solids": [{**solid, "conductor": {"diffusivity": diffusivity, "heat_capacity": 1.5}} for solid, diffusivity in solids]}


def wide_inlet_case(precision, forced):
    """So many tiles that a thread block takes 16 planes of one (weir_tile_planes): an inlet normal to y then has 512 of its cells."""
    case = case_of("velocity", False, precision, forced, "wall")
    return {**case, "domain": {"cells": [1056, 26, 32], "periodic": [True, False, True]}, "run": {"steps": 21},
            "boundaries": {"y-": {"type": "velocity", "velocity": [0, 0.01, 0.005]}, "y+": {"type": "pressure", "density": 1}}}


def result(weir, folder, case, workers, blocks):
    path, out = folder / "case.json", folder / "out"
    path.write_text(json.dumps({**case, "blocks": blocks}))
    run = subprocess.run([weir, "run", path, "--quiet", "--set", "placement.workers=" + workers, "--out", out, "--force"], capture_output=True, text=True)
    if run.returncode != 0:
        return run.stderr.strip()[-300:]
    return json.loads((out / "summary.json").read_text())["digest"], (out / "series.csv").read_bytes()


def compare(weir, rule, flat, precision, forced):
    """A line about a rule, and whether all is equal."""
    other = "slip" if rule in ("slip", "velocity") else "zou_he_pressure" if rule.startswith("zou") else "wall"
    case = (heat_case(flat, precision, forced) if rule == HEAT else wide_inlet_case(precision, forced) if rule == WIDE_INLET
            else case_of(rule, flat, precision, forced, other))
    whole = {"list_up_to": 0, "cells": case["domain"]["cells"]}
    cut = {"list_up_to": 0 if precision.endswith("moments") else 1, "cells": [16, 12] if flat else [528, 26, 16] if rule == WIDE_INLET else [16, 12, 10]}
    with tempfile.TemporaryDirectory() as folder:
        results = [result(weir, pathlib.Path(folder), case, *how) for how in (("cpu", whole), ("cuda", whole), ("cuda", cut))]
    same = isinstance(results[0], tuple) and all(r == results[0] for r in results)
    said = "equal" if same else f"DIFFERENT: {[r if isinstance(r, str) else r[0] for r in results]}"
    return f"{rule} {'D2Q9' if flat else 'D3Q19'} {precision}{' forced' if forced else ''} {said}", same


def main():
    parser = argparse.ArgumentParser(description="Compares what boundaries do on cores and on a GPU.")
    parser.add_argument("weir")
    parser.add_argument("--rules", nargs="+", default=(*RULES, HEAT, WIDE_INLET), choices=(*RULES, HEAT, WIDE_INLET))
    parser.add_argument("--precisions", nargs="+", default=PRECISIONS, choices=PRECISIONS)
    parser.add_argument("--at-once", type=int, default=6, help="runs side by side: most of the time goes into compiling kernels")
    options = parser.parse_args()
    # Of each rule first all precisions flat, then in space: those side by side seldom wait for the same kernels.
    ways = [way for way in itertools.product((True, False), options.rules, (False, True), options.precisions)
            if (way[3] in ("single", "double") if way[1] == HEAT else not way[0] and way[3].endswith("moments") if way[1] == WIDE_INLET else True)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        for line, same in pool.map(lambda way: compare(options.weir, way[1], way[0], way[3], way[2]), ways):
            print(line, flush=True)
            failed += not same
    print("different:", failed)
    sys.exit(failed > 0)


main()
