#!/usr/bin/env python3
"""configs/schema.json, the configs and the case reader agree: configs are valid for both, the reader accepts every
key and every example, default and choice that the schema names, and the schema names every key the reader knows.

Usage: test_schema.py SCHEMA CONFIGS_FOLDER WEIR
"""
import copy
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jsonschema

CUMULANTS = {"rate_bulk", "rate_third_sums", "rate_third_differences", "rate_xyz", "rate_fourth_differences", "rate_fourth_sum",
             "rate_fourth_mixed", "rate_fifth", "rate_sixth", "limiter"}  # keys of collisions on D3Q27
CASE = {"domain": {"cells": [16, 16, 16]}, "fluid": {"tau": 0.6}, "run": {"steps": 10}}


def resolve(node):
    """The node with its $ref and allOf parts merged in, its own words first."""
    parts = [{key: value for key, value in node.items() if key not in ("$ref", "allOf")}]
    if "$ref" in node:
        parts.append(resolve(SCHEMA["definitions"][node["$ref"].rpartition("/")[2]]))
    parts += [resolve(part) for part in node.get("allOf", [])]
    merged = {}
    for part in parts:
        for key, value in part.items():
            merged.setdefault(key, value)
    return merged


def values(node):
    """Values the schema itself names as right."""
    named = node.get("examples", []) + node.get("enum", [])
    return named + [node[key] for key in ("const", "default") if key in node]


def objects(node):
    """The objects that a node may be: itself, or one of several kinds, of which each names its own keys."""
    return [node] if "properties" in node else [kind for kind in map(resolve, node.get("oneOf", [])) if "properties" in kind]


def alternatives(node):
    """Members of an object of which it has exactly one."""
    return [name for choice in node.get("oneOf", []) for name in choice["required"]]


def sample(node):
    """One right value; of an object the least it must hold."""
    if values(node):
        return copy.deepcopy(values(node)[0])
    (node, *_) = objects(node)
    return {key: sample(resolve(node["properties"][key])) for key in node.get("required", []) + alternatives(node)[:1]}


def holder(node, key):
    """The least object that may hold `key`."""
    result, others = sample(node), alternatives(node)
    if key in others:
        for name in others:
            result.pop(name, None)
    return result


def walk(node, path="", whole=None):
    """Yields (path, node, function from the key's value to a whole case) for every key below an object."""
    whole = whole or (lambda value: {**copy.deepcopy(CASE), **value})
    for key, child in node["properties"].items():
        child, child_path = resolve(child), f"{path}{key}"

        def child_whole(value, node=node, key=key, whole=whole):
            return whole({**holder(node, key), key: value})

        yield child_path, child, child_whole
        for kind in objects(child):
            yield from walk(kind, child_path + ".", child_whole)
        if child.get("type") == "array":
            for item in objects(resolve(child["items"])):
                yield from walk(item, child_path + "[].", lambda value, outer=child_whole: outer([value]))


def has_temperature(case):
    """Whether something is asked of a case that only flows with a temperature of their own have."""
    collision, shown, faces = case.get("collision", {}), case.get("output", []), case.get("boundaries", {}).values()
    return (case.get("lattice") == "D2Q37" or collision.get("operator", "").startswith("thermal") or {"prandtl", "fourth_order_rate"} & collision.keys() or
            any("temperature" in values for values in [case.get("initial", {}), *faces]) or
            any("temperature" in [output.get("field"), *output.get("fields", [])] for output in shown))


def complete(case):
    """Adds what some values ask of keys elsewhere."""
    if has_temperature(case):
        case["lattice"] = "D2Q37"
        case["domain"].update(cells=[16, 16], periodic=2 * ["boundaries" not in case])
        if "boundaries" in case:  # it is flat
            case["boundaries"] = {name.replace("z", "y"): face for name, face in case["boundaries"].items()}
        for output in case.get("output", []):
            output.pop("plane", None)
        collision = case.setdefault("collision", {})
        collision["operator"] = "thermal_bgk" if collision.keys() <= {"operator"} and collision.get("operator") != "thermal_hermite" else "thermal_hermite"
    if case.get("lattice") == "D2Q9":
        case["domain"]["cells"] = [16, 16]
    if case.get("lattice") == "D3Q13":
        case["collision"] = {"operator": "mrt"}
    if "si" in case:
        case["units"] = "si"
    if case.get("units") == "si" and "si" not in case:
        case["si"] = sample(resolve(SCHEMA["properties"]["si"]))
    faces = case.get("boundaries", {}).values()
    parts = [part for face in faces for part in face.get("parts", [])]
    for part in parts: # reach through the face
        if "box" in part:
            part["box"]["from"] = [-1, -1, -1]
        for shape in (part[key] for key in ("sphere", "cylinder") if key in part):
            shape["radius"] = 12
        if "velocity" in part or "ramp" in part:
            part["type"] = "velocity"
    for boundary in [*faces, *parts, *case.get("solids", [])]:
        kind = boundary.get("type", "wall")
        if "density" in boundary and not kind.endswith("pressure"):
            boundary["type"] = "pressure"
        elif kind.endswith("pressure"):
            boundary.setdefault("density", 1)
        elif kind.startswith("regularised") and case.get("lattice") == "D3Q13":
            boundary["type"] = "wall"
            boundary.pop("density", None)
            boundary.pop("velocity", None)
        elif kind == "slip":
            boundary.pop("velocity", None)
        elif kind == "fluid":
            case["solids"].insert(0, {"box": {"from": [0, 0, 0], "to": [8, 8, 8]}})
        elif not kind.endswith("wall"):
            boundary.setdefault("velocity", [0.01, 0, 0])
    for volume in (solid["volume"] for solid in case.get("solids", []) if "volume" in solid):
        if volume.keys() & {"cells", "values"}:  # of raw values
            volume.update(file="labels16.raw" if "16" in volume.get("values", "") else "labels.raw", cells=[16, 16, 16])
        if "array" in volume:
            volume.update(file="labels.vti")
    if "cumulant" in json.dumps(case.get("collision", {})) or CUMULANTS & case.get("collision", {}).keys():
        case["lattice"] = "D3Q27"
    if case.get("collision", {}).get("operator") == "parametrised_cumulant":
        case["fluid"] = {"tau": 0.55}
    if "flow_rate" in case:
        case["domain"]["periodic"] = [True] * 3
        case["flow_rate"].setdefault("velocity", [0.05, 0, 0])
    if any(word in json.dumps(case) for word in ('"scalar', '"nusselt"', '"conductor"')):
        case.setdefault("scalar", {"diffusivity": 0.01})
    if case.get("phases", {}).get("equation") == "two_components":
        case.setdefault("scalar", {"diffusivity": 0.1})
    if '"adhesion"' in json.dumps(case):
        case.setdefault("phases", {"equation": "shan_chen"})
    if '"fill_level"' in json.dumps(case):
        case.setdefault("free_surface", {"liquid": "8 - y"})
    if '"contact_angle"' in json.dumps(case):
        case.setdefault("free_surface", {"liquid": "8 - y"}).setdefault("tension", 0.01)
    if '"atmosphere"' in json.dumps(case):
        case["free_surface"]["bubbles"] = True
    if '"eddy_viscosity"' in json.dumps(case) or '"turbulent_prandtl"' in json.dumps(case):
        case.setdefault("turbulence", {})
    if any(output.get("type") == "surface" for output in case.get("output", [])):
        case.setdefault("solids", [{"sphere": {"center": [8, 8, 8], "radius": 3}}])
    if any(output.get("type") == "permeability" for output in case.get("output", [])):
        case["domain"]["periodic"] = [True] * 3
        case["force"] = [1e-6, 0, 0]
    return case


def write_solids(folder):
    """The files that examples name."""
    labels = bytes(range(2)) * 2048
    header = str({"descr": "|u1", "fortran_order": False, "shape": (16, 16, 16)}).ljust(117) + "\n"
    Path(folder, "labels.npy").write_bytes(b"\x93NUMPY\x01\0" + len(header).to_bytes(2, "little") + header.encode() + labels)
    Path(folder, "labels.raw").write_bytes(labels)
    Path(folder, "labels16.raw").write_bytes(2 * labels)
    Path(folder, "labels.vti").write_bytes(
        b'<VTKFile type="ImageData" byte_order="LittleEndian"><ImageData><Piece Extent="0 16 0 16 0 16"><CellData><DataArray type="UInt8" Name="labels" '
        b'format="appended" offset="0"/></CellData></Piece></ImageData><AppendedData encoding="raw">_' + len(labels).to_bytes(4, "little") + labels)
    corners = "000", "900", "090", "009"
    faces = "".join("facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {' '.join(corners[int(k)])}\n" for k in face) + "endloop\nendfacet\n"
                    for face in ("021", "013", "032", "123"))
    Path(folder, "body.stl").write_text(f"solid tetrahedron\n{faces}endsolid tetrahedron\n")


class Schema(unittest.TestCase):
    def test_files_are_as_generated(self):
        """configs/schema.json and the tables of docs/ follow from the program's rows."""
        done = subprocess.run([sys.executable, os.path.join(os.path.dirname(SCHEMA_PATH), "../docs/generate.py"), WEIR, "--check"],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def check(self, path, *options):
        done = subprocess.run([WEIR, "check", path, *options], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)

    def validate(self, case):
        errors = [f"{list(error.path)}: {error.message}" for error in VALIDATOR.iter_errors(case)]
        self.assertEqual(errors, [])

    def test_configs(self):
        paths = [path for path in glob.glob(os.path.join(CONFIGS, "*.json")) if path != SCHEMA_PATH]
        self.assertGreaterEqual(len(paths), 6)
        for path in paths:
            with self.subTest(path):
                with open(path) as file:
                    case = json.load(file)
                self.validate(case)
                if MESHES or '"mesh"' not in json.dumps(case):
                    self.check(path)

    def test_maps(self):
        """The maps of ranks are right for the cases that their descriptions name."""
        validator = jsonschema.Draft7Validator({**SCHEMA["definitions"]["rank_map"], "definitions": SCHEMA["definitions"]})
        paths = [path for path in glob.glob(os.path.join(CONFIGS, "maps/*.json")) if not path.endswith("schema.json")]
        self.assertGreaterEqual(len(paths), 2)
        for path in paths:
            with self.subTest(path):
                with open(path) as file:
                    ranks = json.load(file)
                self.assertEqual([error.message for error in validator.iter_errors(ranks)], [])
                (case,) = [word for word in ranks["description"].split() if word.endswith(".json")]
                self.check(os.path.join(CONFIGS, case), "--ranks", "2", "--set", f"ranks.map=maps/{os.path.basename(path)}")

    def test_reader_accepts_schema(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "case.json")
            write_solids(folder)
            parts_seen = set() # alike for all faces and types of these
            for key, node, whole in walk(SCHEMA):
                if key.startswith("solids[].mesh") and not MESHES:
                    continue
                for value in values(node) or [[] if node.get("type") == "array" else sample(node)]:
                    part = re.sub("^boundaries.*parts", "", key) + json.dumps(value)
                    if "parts[]" in key and part in parts_seen:
                        continue
                    parts_seen.add(part)
                    with self.subTest(key=key, value=value):
                        case = complete(whole(value))
                        self.validate(case)
                        with open(path, "w") as file:
                            json.dump(case, file)
                        self.check(path)

    def test_schema_names_what_reader_knows(self):
        done = subprocess.run([WEIR, "schema", "keys"], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({key for key, _, _ in walk(SCHEMA)}, set(done.stdout.split()))

    def test_every_key_is_described(self):
        for key, node, _ in walk(SCHEMA):
            with self.subTest(key):
                self.assertTrue(node.get("description") or "const" in node)

    def test_schema_refuses(self):
        """Spot checks that the schema is strict where editors should warn."""
        for change in (
            {"colision": {}},
            {"lattice": "D3Q18"},
            {"fluid": {"tau": 0.5}},
            {"fluid": {"tau": 0.6, "viscosity": 0.1}},
            {"units": "si"},
            {"si": {"cell_size": 1, "time_step": 1}},
            {"collision": {"operator": "bgk", "magic": 0.25}},
            {"solids": [{"name": "ball"}]},
            {"boundaries": {"x-": {"type": "velocity"}}},
            {"boundaries": {"x-": {"type": "wall", "density": 1}}},
            {"boundaries": {"x-": {"type": "wall", "velocity": [0, "0.1*y", 0]}}},
            {"boundaries": {"x-": {"type": "pressure", "density": 1, "velocity": [0, 0, 0]}}},
            {"solids": [{"sphere": {"center": [8, 8, 8], "radius": 4}, "type": "pressure"}]},
            {"ranks": {"grid": [1, 1, 1], "map": "map.json"}},
            {"ranks": {"map": {"regions": [{"from": [0, 0, 0], "to": [16, 16, 16]}]}}},
            {"ranks": {"map": {"regions": [{"from": [0, 0, 0], "to": [16, 16, 16], "rank": 0, "gpu": 0, "part": "cpu"}]}}},
            {"output": [{"type": "series", "plane": "y=0.5"}]},
            {"output": [{"type": "fields", "fields": ["vorticty"]}]},
        ):
            with self.subTest(change):
                self.assertFalse(VALIDATOR.is_valid({**CASE, **change}))


if __name__ == "__main__":
    SCHEMA_PATH, CONFIGS, WEIR = map(os.path.abspath, sys.argv[1:4])
    del sys.argv[1:4]
    with open(SCHEMA_PATH) as schema_file:
        SCHEMA = json.load(schema_file)
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    MESHES = "meshes of solids: yes" in subprocess.run([WEIR, "--version"], capture_output=True, text=True, check=True).stdout
    VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
    unittest.main()
