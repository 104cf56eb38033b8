#!/usr/bin/env python3
"""The digests that are kept as data, tests/data/digests.json: of the cases in configs/ and of every variant, as they have been since
they were first computed. Structure, speed and placement may change; these may not.

    python3 known_digests.py WEIR             computes them all and compares, on CPU workers
    python3 known_digests.py WEIR --write     and replaces those that differ: when numerics are meant to change

The file holds what was run, so that a reader can run it again:
    configs     of each case: options of weir run, and the digest at the end
    variants    per number of steps: "LATTICE COLLISION PRECISION walls|periodic|open|scalar|eddies|qr|incompressible|sides|rates|stirred", the case that variant_case() makes
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile

import weir_case
from further_collisions import FURTHER_COLLISIONS

HERE = os.path.dirname(os.path.abspath(__file__))
PATH = os.path.join(HERE, "..", "data", "digests.json")
CONFIGS = os.path.join(HERE, "..", "..", "configs")

VARIANTS = list(itertools.product(
    ["D2Q9", "D3Q15", "D3Q19", "D3Q27"], ["bgk", "trt"], ["single", "double", "half"], ["periodic", "walls", "open"]))
VARIANTS += [("D2Q9", "trt", "double", "scalar"), ("D3Q19", "trt", "single", "scalar")]
VARIANTS += [(lattice, collision, "single", "walls") for collision, lattices in FURTHER_COLLISIONS.items() for lattice in lattices]
VARIANTS += [("D3Q19", "mrt", "half", "open"), ("D3Q27", "cumulant", "double", "open"), ("D2Q9", "recursive", "double", "periodic"),
             *[(lattice, "trt", precision, "sides") for lattice in ["D2Q9", "D3Q19"] for precision in ["single", "double", "half"]],
             ("D3Q19", "bgk", "single", "eddies"), ("D2Q9", "trt", "double", "eddies"), ("D3Q27", "recursive", "single", "eddies")]
VARIANTS += [("D3Q13", "mrt", "half", "open"), ("D3Q13", "mrt", "double", "periodic"), ("D3Q19", "bgk", "single", "qr"), ("D3Q27", "trt", "double", "qr"),
             ("D2Q9", "bgk", "double", "incompressible"), ("D3Q19", "mrt", "single", "incompressible"),
             ("D3Q27", "parametrised_cumulant", "single", "walls"), ("D3Q27", "cumulant", "single", "rates"),
             ("D2Q9", "trt", "double", "stirred"), ("D3Q19", "recursive", "single", "stirred")]
# That keep moments.
VARIANTS += [("D2Q9", "recursive", "double_moments", "walls"), ("D2Q9", "regularised", "single_moments", "open"),
             ("D3Q15", "regularised", "single_moments", "periodic"), ("D3Q19", "recursive", "single_moments", "walls"),
             ("D3Q19", "recursive", "single_moments", "open"), ("D3Q19", "recursive", "double_moments", "sides"),
             ("D3Q27", "recursive", "single_moments", "eddies"), ("D3Q27", "regularised", "double_moments", "open"),
             ("D2Q9", "recursive", "mixed_moments", "walls"), ("D3Q19", "recursive", "mixed_moments", "open")]

# Of all cumulants, as no other variant has them.
RATES = {"rate_bulk": 1.5, "rate_third_sums": 1.6, "rate_third_differences": 0.7, "rate_xyz": 1.3, "rate_fourth_differences": 0.8,
         "rate_fourth_sum": 1.2, "rate_fourth_mixed": 1.4, "rate_fifth": 0.9, "rate_sixth": 1.1}

with open(PATH) as _file:
    KNOWN = json.load(_file)


def variant_name(lattice, collision, precision, ends):
    return " ".join([lattice, collision, precision, ends])


def variant_case(lattice, collision, precision, ends, steps):
    """Rows of blocks are long enough for whole warps of plain strips; along x there is a periodic seam, a wall that moves, or a flow
    that comes in and leaves, also through a solid."""
    flat = lattice == "D2Q9"
    cells = [150, 61] if flat else [150, 37, 29]
    wall = {"type": "wall", "velocity": [0.05, 0.0] if flat else [0.05, 0.0, 0.02]}
    side = {"type": "wall", "velocity": [0.0, 0.05] if flat else [0.0, 0.05, 0.02]}
    inlet = {"type": "velocity", "velocity": ["0.04*y*(ny - y)/ny^2", 0.01] if flat else ["0.04*y*(ny - y)/ny^2", 0.01, "0.01*z/nz"]}
    outlet = {"type": "pressure", "density": "1 + 0.001*y/ny"}
    scalar = ends in ("scalar", "stirred")  # open, with a value or a flux at walls and solids, and none at the outlet
    if scalar:
        wall, inlet = {**wall, "scalar_flux": 0.001}, {**inlet, "scalar": 0.5}
    eddies = {"eddies": {"constant": 0.3}, "qr": {"model": "qr", "constant": 1}, "stirred": {"constant": 0.3}}.get(ends)  # open, with an eddy viscosity
    opened = {"x-": inlet, "x+": outlet}
    faces = {"periodic": {}, "walls": {"x-": side}, "sides": other_sides(inlet, cells)}.get(ends, opened)
    return {
        **({"scalar": {"diffusivity": 0.02}} if scalar else {}),
        **({"turbulence": eddies} if eddies else {}),
        "name": "digest",
        "lattice": lattice,
        "collision": {"operator": collision, **({"equilibrium": ends} if ends == "incompressible" else RATES if ends == "rates" else {})},
        **weir_case.in_precision(precision),
        "domain": {"cells": cells, "periodic": [ends == "periodic", *[False] * (len(cells) - 1)]},
        "fluid": {"tau": 0.55 if collision == "parametrised_cumulant" else 0.7},
        "force": [1e-5, 2e-6] if flat else [1e-5, 2e-6, -3e-6],
        "boundaries": {"y+": wall, **faces},
        "initial": {"velocity": ["0.02*sin(2*pi*x/nx)", "0.01*cos(2*pi*y/ny)"] + ([] if flat else ["0.01*sin(2*pi*z/nz)"]),
                    **({"scalar": "0.2 + 0.1*sin(2*pi*x/40)*cos(2*pi*y/30)"} if scalar else {})},
        "solids": [{"sphere": {"center": [c / 2 for c in cells], "radius": 8}, **({"type": "pressure", "density": 1.002} if ends == "open" else {}),
                    **({"scalar": 1} if scalar else {})}],
        # Few planes at once: the two copies of moments share memory.
        "blocks": {"cells": [64, 20] if flat else [64, 20, 16], **({"planes_at_once": 5} if precision.endswith("moments") else {})},
        "run": {"steps": steps, "check_every": 50},
    }


def other_sides(inlet, cells):
    """The rules that the other ends have not, on faces and on parts of faces."""
    middle = [c / 2 for c in cells]
    shapes = {"ball": {"sphere": {"center": [0.4 * cells[0], cells[1], *middle[2:]], "radius": 9}},
              "bar": {"cylinder": {"center": [cells[0], *middle[1:]], **({"axis": "x"} if len(cells) == 3 else {}), "radius": 6}},
              "box": {"box": {"from": [70, 0, 0][:len(cells)], "to": [90, *cells[1:]]}}}
    still = [0] * len(cells)
    return {
        "x-": {**inlet, "type": "equilibrium_velocity"},
        "x+": {"type": "absorbing", "velocity": [0.01, *still[1:]],
               "parts": [{**shapes["bar"], "name": "bar", "type": "equilibrium_pressure", "density": 1.001}]},
        "y+": {"type": "wall", "parts": [{**shapes["ball"], "name": "ball", "type": "velocity", "velocity": [0.01, -0.02, 0][:len(cells)]}]},
        "y-": {"type": "wall", "parts": [{**shapes["box"], "name": "box", "type": "pressure", "density": 0.999}]},
    }


def variant_digest(steps, *variant):
    """None where no digest is kept for that many steps."""
    return KNOWN["variants"].get(str(steps), {}).get(variant_name(*variant))


def config_path(name):
    return os.path.join(CONFIGS, name)


def compute(weir, path, *options):
    """The digest of a run on cores; the run's words where it failed."""
    with tempfile.TemporaryDirectory(prefix="weir-digest-") as folder:
        done = subprocess.run(
            weir + ["run", path, "--quiet", "--out", os.path.join(folder, "out"), "--set", "placement.workers=cpu", *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            return f"exit code {done.returncode}: {done.stdout.strip()}"
        with open(os.path.join(folder, "out", "summary.json")) as file:
            return json.load(file)["digest"]


def compute_variant(weir, steps, *variant):
    with tempfile.TemporaryDirectory(prefix="weir-digest-") as folder:
        path = os.path.join(folder, "case.json")
        with open(path, "w") as file:
            json.dump(variant_case(*variant, steps), file)
        return compute(weir, path)


def main():
    weir, write = sys.argv[1].split(), "--write" in sys.argv[2:]
    different = 0

    def settle(rows, key, digest):
        nonlocal different
        kept = rows.get(key)
        if digest != kept:
            different += 1
            print(f"{key}: {digest}, kept: {kept}", flush=True)
        if write and len(digest) == 32:
            rows[key] = digest

    for name, row in KNOWN["configs"].items():
        settle(row, "digest", compute(weir, config_path(name), *row["options"].split()))
    for steps, rows in KNOWN["variants"].items():
        for variant in VARIANTS:
            settle(rows, variant_name(*variant), compute_variant(weir, int(steps), *variant))
    if write:
        with open(PATH, "w") as file:
            json.dump(KNOWN, file, indent=2)
            file.write("\n")
    print(f"{different} differ" + (" and were replaced" if write and different else ""))
    return 0 if write else different > 0


if __name__ == "__main__":
    sys.exit(main())
