#!/usr/bin/env python3
"""Every broken case below must be refused by `weir run` and `weir check` alike: exit code 2, one message on stderr
that names the file and the key, and nothing written.

Usage: test_bad_cases.py WEIR
"""
import copy
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

GOOD = {
    "domain": {"cells": [16, 16, 16]},
    "fluid": {"tau": 0.8},
    "run": {"steps": 10},
}
FLAT = {"lattice": "D2Q9", "domain.cells": [16, 16]}
THERMAL = {"lattice": "D2Q37", "collision": {"operator": "thermal_bgk"}, "domain.cells": [16, 16], "domain.periodic": [True, True]}
SI = {"units": "si", "si": {"cell_size": 0.001, "time_step": 0.0001}, "fluid": {"viscosity": 1e-3}}
SPHERE = {"sphere": {"center": [8, 8, 8], "radius": 3}}
REGION = {"from": [0, 0, 0], "to": [16, 16, 16]}
DELETE = object()


def case(changes):
    """GOOD with the values at some dotted paths replaced."""
    result = copy.deepcopy(GOOD)
    for path, value in changes.items():
        *parents, key = path.split(".")
        place = result
        for parent in parents:
            place = place.setdefault(parent, {})
        if value is DELETE:
            del place[key]
        else:
            place[key] = copy.deepcopy(value)
    return json.dumps(result, indent=1)


def region(**keys):
    """Changes to GOOD: a map of one region with such keys."""
    return {"ranks.map.regions": [{**REGION, **keys}]}


# name: (changes to GOOD or the whole text, words the message must hold)
CASES = {
    # not JSON at all
    "empty file": ("", ["line 1"]),
    "only words": ("cavity, please", ["line 1"]),
    "comma missing": ('{"run": {"steps": 1}\n "fluid": {"tau": 1}}', ["line 2"]),
    "comma at the end": ('{"run": {"steps": 1,}}', ["line 1"]),
    "brace missing": ('{"run": {"steps": 1}', ["line 1", "'}'"]),
    "comment": ('{\n// steps\n"run": {"steps": 1}}', ["line 2"]),
    "single quotes": ("{'run': {'steps': 1}}", ["line 1"]),
    "python words": ('{"domain": {"periodic": [True, False, False]}}', ["line 1"]),
    "bare NaN": ('{"fluid": {"tau": NaN}}', ["line 1"]),
    "number beyond double": ('{"fluid": {"tau": 1e999}}', ["line 1"]),
    "number beyond integer": ('{"run": {"steps": 99999999999999999999}}', ["line 1"]),
    "key twice": ('{"run": {"steps": 1, "steps": 2}}', ["line 1", "duplicate", "steps"]),
    "two objects": ("{} {}", ["line 1"]),
    "a list": ("[1, 2, 3]", ["list"]),
    "not UTF-8": (b'{"name": "\xff\xfe"}', ["line 1"]),
    "zero byte": (b'{"name": "a\\u0000b"}', ["line 1"]),
    "nested too deep": ("[" * 100000, ["line 1"]),
    # misspelt keys
    "colision": ({"colision": {"operator": "trt"}}, ["colision: unknown key", '"collision"']),
    "capital": ({"Lattice": "D3Q19"}, ["Lattice: unknown key", '"lattice"']),
    "key of another object": ({"steps": 10}, ["steps: unknown key", '"run.steps"']),
    "no key at all like it": ({"wobble": True}, ["wobble: unknown key", '"fluid"']),
    "misspelt inside": ({"domain.cels": [8, 8, 8]}, ["domain.cels", '"cells"']),
    "face misspelt": ({"boundaries.zplus": {"type": "wall"}}, ["boundaries.zplus", '"z+"']),
    "inside a face": ({"boundaries": {"z+": {"tpye": "wall"}}}, ["boundaries.z+.tpye", '"type"']),
    "inside a solid": ({"solids": [{"sphere": {"centre": [8, 8, 8], "radius": 3}}]},
                       ["solids[0].sphere.centre", '"center"']),
    "inside an output": ({"output": [{"type": "fields", "evry": 5}]}, ["output[0].evry", '"every"']),
    "line break in a key": ({"a\nb": 1}, ["a?b: unknown key"]),
    # missing
    "no domain": ({"domain": DELETE}, ["domain: missing"]),
    "no cells": ({"domain": {}}, ["domain.cells: missing"]),
    "no fluid": ({"fluid": DELETE}, ["fluid: missing"]),
    "fluid empty": ({"fluid": {}}, ["fluid", "viscosity", "tau", "reynolds"]),
    "no run": ({"run": DELETE}, ["run: missing"]),
    "no steps": ({"run": {}}, ["run.steps: missing"]),
    "reynolds without length": ({"fluid": {"reynolds": {"number": 10, "velocity": 0.1}}},
                                ["fluid.reynolds.length: missing"]),
    "si without scales": ({"units": "si"}, ["si", "cell_size"]),
    "si without time step": ({"units": "si", "si": {"cell_size": 0.1}}, ["si.time_step: missing"]),
    "steady missing": ({"run.stop_when": {"every": 10}}, ["run.stop_when.steady: missing"]),
    "output without type": ({"output": [{"every": 10}]}, ["output[0].type: missing"]),
    "image without plane": ({"output": [{"type": "image"}]}, ["output[0].plane: missing"]),
    "coefficients without an area": ({"output": [{"type": "series", "coefficients": {"velocity": 0.05}}]},
                                     ["output[0].coefficients.area: missing", "the reference area", "12.6"]),
    "coefficients at rest": ({"output": [{"type": "series", "coefficients": {"velocity": 0, "area": 10}}]},
                             ["output[0].coefficients.velocity", "greater than 0"]),
    "coefficients of a profile": ({"output": [{"type": "profile", "from": [0, 8, 8], "to": [16, 8, 8], "coefficients": {"velocity": 0.05, "area": 1}}]},
                                  ["output[0].coefficients: belongs to"]),
    "averages that begin too late": ({"output": [{"type": "averages", "start": 1000000}]},
                                     ["output[0].start: lies behind the run's last step", "give an earlier one"]),
    "too many averages": ({"output": 5 * [{"type": "averages"}]}, ["output[4].type", "more than 4 outputs of averages"]),
    "averages of vorticity": ({"output": [{"type": "averages", "fields": ["vorticity"]}]},
                              ['output[0].fields[0]: "vorticity" takes the cells around', '"reynolds_stress"']),
    "eddies where there are none": ({"output": [{"type": "fields", "fields": ["eddy_viscosity"]}]},
                                    ['output[0].fields[0]: "eddy_viscosity" needs a "turbulence" in the case, such as {"model": "smagorinsky"}', "give"]),
    "a picture of eddies where there are none": ({"output": [{"type": "image", "plane": "y=0.5", "field": "eddy_viscosity"}]},
                                                 ['output[0].field: "eddy_viscosity" needs a "turbulence" in the case']),
    "averages of eddies where there are none": ({"output": [{"type": "averages", "fields": ["eddy_viscosity"]}]},
                                                ['output[0].fields[0]: "eddy_viscosity" needs a "turbulence" in the case', "give"]),
    "fields in a format unknown": ({"output": [{"type": "fields", "format": "vti"}]}, ['output[0].format: "vti"', '"xdmf"', '"vtkhdf"']),
    "streamlines without end": ({"output": [{"type": "image", "plane": "y=0.5", "streamlines": 100000}]},
                                ["output[0].streamlines: 100000", "from 4 to 200"]),
    "streamlines as a word": ({"output": [{"type": "image", "plane": "y=0.5", "streamlines": "many"}]},
                              ["output[0].streamlines", "true, or how many lines"]),
    "streamlines of a profile": ({"output": [{"type": "profile", "from": [0, 8, 8], "to": [16, 8, 8], "streamlines": True}]},
                                 ["output[0].streamlines: belongs to"]),
    "a picture in a format": ({"output": [{"type": "image", "plane": "y=0.5", "format": "vtkhdf"}]}, ["output[0].format: belongs to"]),
    "fluctuations in fields": ({"output": [{"type": "fields", "fields": ["reynolds_stress"]}]},
                               ['"reynolds_stress" is for outputs of type "averages"']),
    "probes without points": ({"output": [{"type": "probes"}]}, ["output[0].points: missing", "[[8, 8, 4.5], [4, 8, 8]]"]),
    "probes outside": ({"output": [{"type": "probes", "points": [[8, 8, 8], [8, 8, 17]]}]},
                       ["output[0].points[1][2]: 17 is outside the domain", "0 to 16"]),
    "probes in a solid": ({"solids": [SPHERE], "output": [{"type": "probes", "points": [[8, 8, 8]]}]},
                          ["output[0].points[0]", "lies in the solid", "give a place in the fluid"]),
    "probes of vorticity": ({"output": [{"type": "probes", "points": [[8, 8, 8]], "fields": ["vorticity"]}]},
                            ['output[0].fields[0]: "vorticity"', "give"]),
    "probes from nowhere": ({"output": [{"type": "probes", "points": "nowhere.csv"}]},
                            ["output[0].points", "nowhere.csv: No such file", "CSV file of points"]),
    "probes with a plane": ({"output": [{"type": "probes", "points": [[8, 8, 8]], "plane": "z=0.5"}]},
                            ['output[0].plane: belongs to output[0].type "image", but that is "probes"']),
    "difference of one point": ({"output": [{"type": "probes", "points": [[8, 8, 8], [4, 4, 4]], "differences": [[1, 1]]}]},
                                ["output[0].differences[0]", "two different points, from 1 to 2"]),
    "difference of a point that is not there": ({"output": [{"type": "probes", "points": [[8, 8, 8], [4, 4, 4]], "differences": [[1, 3]]}]},
                                                ["output[0].differences[0][1]: 3", "from 1 to 2"]),
    "flux through a line": ({"output": [{"type": "flux", "from": [8, 0, 4], "to": [8, 16, 4]}]},
                            ["output[0]: \"from\" and \"to\" are equal in 2 components", "exactly one"]),
    "flux through a box": ({"output": [{"type": "flux", "from": [4, 0, 0], "to": [8, 16, 16]}]}, ["are equal in 0 components"]),
    "fields outside": ({"output": [{"type": "fields", "from": [0, 0, 17]}]}, ["output[0].from[2]: 17 is outside the domain"]),
    "fields of a stride beyond them": ({"output": [{"type": "fields", "to": [16, 16, 3], "stride": 4}]}, ["output[0].stride: 4 is more than the 3 cells along z"]),
    "fields of no stride": ({"output": [{"type": "fields", "stride": 0}]}, ["output[0].stride: 0", "1 or more"]),
    "flux outside": ({"output": [{"type": "flux", "from": [8, 0, 0], "to": [8, 16, 17]}]}, ["output[0].to[2]: 17 is outside the domain"]),
    "flux without a corner": ({"output": [{"type": "flux", "from": [8, 0, 0]}]}, ["output[0].to: missing", "the rectangle's opposite corner"]),
    "permeability without a force": ({"output": [{"type": "permeability"}]}, ["output[0].type: ", 'is that along "force"', "there is none"]),
    "permeability against a wall": ({"domain.periodic": [False] * 3, "force": [0, 1e-6, 0], "output": [{"type": "permeability"}]}, ["output[0].type: ", "and y is not"]),
    "permeability at a flow rate": ({"domain.periodic": [True] * 3, "boundaries": {}, "force": [1e-6, 0, 0], "flow_rate": {"velocity": [0.01, 0, 0]},
                                     "output": [{"type": "permeability"}]}, ["output[0].type: ", '"flow_rate" changes it']),
    "permeability with eddies": ({"domain.periodic": [True] * 3, "boundaries": {}, "force": [1e-6, 0, 0], "turbulence": {"model": "smagorinsky"},
                                  "output": [{"type": "permeability"}]}, ["output[0].type: ", 'remove "turbulence"']),
    "permeability of phases": ({"domain.periodic": [True] * 3, "boundaries": {}, "force": [1e-6, 0, 0], "phases": {"equation": "shan_chen"},
                                "output": [{"type": "permeability"}]}, ["output[0].type: ", 'remove "phases"']),
    "permeability of buoyancy": ({"domain.periodic": [True] * 3, "boundaries": {}, "force": [1e-6, 0, 0],
                                  "scalar": {"diffusivity": 0.01, "buoyancy": {"expansion": 1, "gravity": [0, 1e-3, 0]}},
                                  "output": [{"type": "permeability"}]}, ["output[0].type: ", "remove scalar.buoyancy"]),
    "permeability beside an inlet": ({"domain.periodic": [True, True, False], "boundaries": {"z-": {"type": "velocity", "velocity": [0, 0, 0.01]}}, "force": [1e-6, 0, 0],
                                      "output": [{"type": "permeability"}]}, ["output[0].type: ", 'the boundary "z-" lets fluid pass']),
    "text of nothing": ({"solids": [{"text": {"height": 6}}]}, ["solids[0].text.letters: missing", "a text such as"]),
    "text without a height": ({"solids": [{"text": {"letters": "W"}}]}, ["solids[0].text.height: missing", "the height of capital letters"]),
    "text of blanks": ({"solids": [{"text": {"letters": "  ", "height": 6}}]}, ["solids[0].text.letters: ", "nothing of it is to be seen"]),
    "text of signs that the font lacks": ({"solids": [{"text": {"letters": "水", "height": 6}}]}, ["solids[0].text.letters: ", 'the built-in font has no "水"']),
    "text outside": ({"solids": [{"text": {"letters": "W", "height": 6, "origin": [40, 2, 0]}}]}, ["solids[0].text: ", "lies outside the domain: along x", '"origin"']),
    "surface of nothing": ({"output": [{"type": "surface"}]}, ["output[0].type: ", "this case has none that is a wall", 'add some to "solids"']),
    "surface in two dimensions": ({**FLAT, "solids": [{"sphere": {"center": [8, 8], "radius": 3}}], "output": [{"type": "surface"}]},
                                  ["output[0].type: ", "is for three dimensions", '"wall_shear_stress"']),
    "surface of a body that is not there": ({"solids": [SPHERE], "output": [{"type": "surface", "bodies": ["ball"]}]},
                                            ['output[0].bodies[0]: "ball" is no body of this case', '"name"']),
    "surface of a body named twice": ({"solids": [SPHERE], "output": [{"type": "surface", "bodies": ["solids", "solids"]}]},
                                      ['output[0].bodies[1]: "solids" is named twice']),
    "surface that fluid passes": ({"solids": [{**SPHERE, "type": "velocity", "velocity": [0.01, 0, 0], "name": "jet"}], "output": [{"type": "surface", "bodies": ["jet"]}]},
                                  ['output[0].bodies[0]: "jet" lets fluid pass', "bodies that are walls"]),
    "surface of no bodies": ({"solids": [SPHERE], "output": [{"type": "surface", "bodies": []}]}, ["output[0].bodies: ", "a list of names of bodies"]),
    "surface of fields": ({"solids": [SPHERE], "output": [{"type": "surface", "fields": ["pressure"]}]},
                          ['output[0].fields: belongs to output[0].type ', 'but that is "surface"']),
    "surface without a period": ({"solids": [{"minimal_surface": {}}]}, ["solids[0].minimal_surface.period: missing"]),
    "surface with a seam": ({"domain.periodic": [True] * 3, "boundaries": {}, "solids": [{"minimal_surface": {"period": 7}}]},
                            ["solids[0].minimal_surface.period: 7 does not divide", "along x", "such as 8"]),
    "surface of nothing": ({"solids": [{"minimal_surface": {"period": 8, "porosity": 1}}]}, ["solids[0].minimal_surface.porosity: 1", "0.05 to 0.95"]),
    "surface misspelt": ({"solids": [{"minimal_surface": {"surface": "gyroide", "period": 8}}]}, ["solids[0].minimal_surface.surface", '"gyroid"']),
    "vessels without a radius": ({"domain.periodic": [False] * 3, "boundaries": {}, "solids": [{"vessel_tree": {}}]}, ["solids[0].vessel_tree.radius: missing"]),
    "vessels along a periodic axis": ({"domain.periodic": [True] * 3, "boundaries": {}, "solids": [{"vessel_tree": {"radius": 2}}]},
                                      ["solids[0].vessel_tree: ", "periodic along x", '"axis"']),
    "vessels that leave": ({"domain.periodic": [False] * 3, "boundaries": {}, "solids": [{"vessel_tree": {"radius": 5, "generations": 1}}]},
                           ["solids[0].vessel_tree: a branch of radius 3.97 cells leaves the domain along y"]),
    "vessels of which the first leave": ({"domain.periodic": [False] * 3, "boundaries": {}, "solids": [{"vessel_tree": {"radius": 4.2, "generations": 2}}]},
                                         ["solids[0].vessel_tree: a branch of radius 3.33 cells leaves the domain along y"]),
    "profile without to": ({"output": [{"type": "profile", "from": [0, 8, 8]}]}, ["output[0].to: missing"]),
    "solid without shape": ({"solids": [{"name": "ball"}]}, ["solids[0]", '"sphere"']),
    "cylinder without axis": ({"solids": [{"cylinder": {"center": [8, 8, 8], "radius": 2}}]},
                              ["solids[0].cylinder.axis: missing"]),
    "lists up to more than all": ({"blocks.list_up_to": 1.1}, ["blocks.list_up_to: 1.1", "a share of cells"]),
    "map that is not there": ({"ranks.map": "map.json"}, ["ranks.map: ", "map.json: No such file"]),
    "map and grid": ({"ranks": {"grid": [1, 1, 1], "map": {"regions": []}}}, ["ranks: has both a grid and a map"]),
    "map a number": ({"ranks.map": 3}, ["ranks.map: 3", "path of a file"]),
    "map without name": ({"ranks.map": ""}, ["ranks.map: is empty", "path of a file"]),
    "map without regions": ({"ranks.map": {}}, ["ranks.map.regions: missing"]),
    "map of no region": ({"ranks.map.regions": []}, ["ranks.map.regions: has 0 entries"]),
    "map of too many regions": ({"ranks.map.regions": 4097 * [{**REGION, "rank": 0}]}, ["ranks.map.regions: has 4097 entries"]),
    "region's key unknown": (region(hots="a"), ["ranks.map.regions[0].hots", '"host"']),
    "region without owner": (region(), ["ranks.map.regions[0]: has neither", "rank", "host"]),
    "region with two owners": (region(rank=0, host="a"), ["ranks.map.regions[0]: has both a rank and a host"]),
    "region's rank below 0": (region(rank=-1), ["ranks.map.regions[0].rank: -1"]),
    "region's host without name": (region(host=".org"), ['ranks.map.regions[0].host: ".org" is not a host']),
    "region's GPU too large": (region(rank=0, gpu=64), ["ranks.map.regions[0].gpu: 64"]),
    "region's part unknown": (region(rank=0, part="gpu0"), ['ranks.map.regions[0].part: "gpu0"', "cuda0"]),
    "region with GPU and part": (region(rank=0, part="cpu", gpu=0), ["ranks.map.regions[0]: has both gpu and part"]),
    "region outside": (region(rank=0, to=[16, 17, 16]), ["ranks.map.regions[0].to[1]: 17 is too large", "16, 16, 16"]),
    "region without end": (region(rank=0, to=None), ["ranks.map.regions[0].to: null"]),
    "region turned round": (region(**{"rank": 0, "from": [0, 0, 16]}), ["ranks.map.regions[0].to: 16 along z is not beyond 16"]),
    "region too small": (region(rank=0, to=[16, 16, 15]), ["ranks.map.regions: cell [0, 0, 15] belongs to none"]),
    "regions overlap": ({"ranks.map.regions": 2 * [{**REGION, "rank": 0}]}, ["ranks.map.regions[1]: cells [0, 0, 0] to [16, 16, 16]", "regions[0]"]),
    # types
    "name a number": ({"name": 5}, ["name: 5"]),
    "description a list": ({"description": []}, ["description"]),
    "schema a number": ({"$schema": 7}, ["$schema: 7"]),
    "lattice a number": ({"lattice": 19}, ["lattice: 19", "D3Q19"]),
    "lattice null": ({"lattice": None}, ["lattice: null"]),
    "domain a list": ({"domain": [16, 16, 16]}, ["domain", "cells"]),
    "cells a number": ({"domain.cells": 16}, ["domain.cells: 16"]),
    "cells of text": ({"domain.cells": ["16", 16, 16]}, ['domain.cells[0]: "16"']),
    "cells broken": ({"domain.cells": [16.5, 16, 16]}, ["domain.cells[0]: 16.5", "whole"]),
    "periodic a number": ({"domain.periodic": [1, 0, 0]}, ["domain.periodic[0]: 1", "true or false"]),
    "wall speed a word": ({"boundaries": {"z+": {"type": "wall", "velocity": [0, "fast", 0]}}},
                          ['boundaries.z+.velocity[1]: "fast" is not a number', "speed"]),
    "force a number": ({"force": 1e-5}, ["force: 1e-5"]),
    "ranks a number": ({"ranks": 4}, ["ranks: 4", "grid"]),
    "timeout negative": ({"ranks": {"timeout": -1}}, ["ranks.timeout: -1", "seconds"]),
    "timeout of next to nothing": ({"ranks": {"timeout": 0.5}}, ["ranks.timeout: 0.5", "seconds"]),
    "timeout a word": ({"ranks": {"timeout": "never"}}, ['ranks.timeout: "never"', "0 for never"]),
    "steps a word": ({"run.steps": "many"}, ['run.steps: "many"']),
    "steps broken": ({"run.steps": 10.5}, ["run.steps: 10.5"]),
    "steps true": ({"run.steps": True}, ["run.steps: true"]),
    "output an object": ({"output": {"type": "fields"}}, ["output"]),
    "output a word": ({"output": ["fields"]}, ['output[0]: "fields"']),
    "solids an object": ({"solids": SPHERE}, ["solids"]),
    "fluid a number": ({"fluid": 0.8}, ["fluid: 0.8"]),
    "tau a word": ({"fluid.tau": "0.8"}, ['fluid.tau: "0.8"']),
    "policy a list": ({"placement.policy": ["static"]}, ["placement.policy"]),
    "long text quoted short": ({"fluid.tau": "x" * 5000}, ["fluid.tau", "..."]),
    # lengths of lists
    "two cells for D3Q19": ({"domain.cells": [16, 16]}, ["domain.cells", "2 entries"]),
    "four cells": ({"domain.cells": [16, 16, 16, 16]}, ["domain.cells", "4 entries"]),
    "one periodic": ({"domain.periodic": [True]}, ["domain.periodic", "1 entry"]),
    "force of two": ({"force": [0, 0]}, ["force", "2 entries"]),
    "range of one": ({"output": [{"type": "image", "plane": "x=0.5", "range": [0]}]},
                     ["output[0].range", "1 entry"]),
    "no fields": ({"output": [{"type": "fields", "fields": []}]}, ["output[0].fields"]),
    # choices
    "D3Q18": ({"lattice": "D3Q18"}, ['lattice: "D3Q18"', "D3Q19"]),
    "a lattice for scalars": ({"lattice": "D3Q7"}, ["lattice:", "D3Q7 cannot carry a flow", "scalars", "choose D3Q19"]),
    "a lattice for scalars in a plane": ({"lattice": "D2Q5"}, ["D2Q5 cannot carry a flow", "choose D2Q9"]),
    "a lattice that needs its own collision": ({"lattice": "D3Q13"}, ['lattice: "trt" cannot be used on lattice D3Q13', "direction", "mrt"]),
    "one rate for the stress on D3Q13": ({"lattice": "D3Q13", "collision": {"operator": "bgk"}}, ["collision.operator", "direction", "mrt"]),
    "eddies on D3Q13": ({"lattice": "D3Q13", "collision": {"operator": "mrt"}, "turbulence": {}}, ["turbulence", "D3Q13", "choose D3Q15"]),
    "a rate that D3Q13 has not": ({"lattice": "D3Q13", "collision": {"operator": "mrt", "rate_q": 1.2}},
                                  ["collision.rate_q", "D3Q13 has no such moments", "remove it"]),
    # flows with a temperature
    "no energy": ({**THERMAL, "collision": {"operator": "bgk"}}, ["collision.operator", "does not conserve energy", "thermal_bgk"]),
    "no collision said with a temperature": ({"lattice": "D2Q37", "domain.cells": [16, 16], "domain.periodic": [True, True]}, ["lattice:", '"trt" cannot be used on lattice D2Q37', "thermal_bgk"]),
    "energy without a temperature": ({**FLAT, "collision": {"operator": "thermal_bgk"}}, ["collision.operator", "needs lattice D2Q37"]),
    "temperature without one": ({**FLAT, "initial": {"temperature": 1}}, ["initial.temperature", "choose lattice D2Q37"]),
    "temperature 0": ({**THERMAL, "initial": {"temperature": 0}}, ["initial.temperature", "greater than 0"]),
    "formula of temperature below 0": ({**THERMAL, "initial": {"temperature": "x - 8"}}, ["initial.temperature", "greater than 0"]),
    "Prandtl of bgk": ({**THERMAL, "collision": {"operator": "thermal_bgk", "prandtl": 0.7}}, ["collision.prandtl"]),
    "Prandtl 0": ({**THERMAL, "collision": {"operator": "thermal_hermite", "prandtl": 0}}, ["collision.prandtl", "such as 0.71"]),
    "temperature and scalar": ({**THERMAL, "scalar": {"diffusivity": 0.01}}, ["scalar:", "D2Q37"]),
    "temperature and phases": ({**THERMAL, "phases": {"equation": "shan_chen"}}, ["phases:", "ideal gas"]),
    "temperature and a surface": ({**THERMAL, "free_surface": {"liquid": "8 - y"}, "output": [{"type": "fields", "fields": ["fill_level"]}]},
                                  ["free_surface: ", "D2Q37", "remove it"]),
    "temperature and turbulence": ({**THERMAL, "turbulence": {}}, ["turbulence:", "thermal_bgk", "remove"]),
    "temperature and solids": ({**THERMAL, "solids": [{"type": "wall", "box": {"from": [2, 2], "to": [4, 4]}}]}, ["solids:", "remove them"]),
    "temperature and flow rate": ({**THERMAL, "flow_rate": {"velocity": [0.01, 0]}}, ["flow_rate:", "per mass"]),
    "temperature in 16 bits": ({**THERMAL, "storage": "half"}, ["storage:", "half", "remove it"]),
    "temperature in SI": ({**THERMAL, "units": "si", "si": {"cell_size": 0.001, "time_step": 0.0001}}, ["units:", "D2Q37", "remove"]),
    "temperature in lists": ({**THERMAL, "blocks": {"list_up_to": 1}}, ["blocks.list_up_to", "no solids", "remove it"]),
    "temperature between walls": ({**THERMAL, "domain.periodic": [True, False]}, ["domain:", "ends along y", "periodic[1]"]),
    "a picture of no temperature": ({**FLAT, "output": [{"type": "image", "field": "temperature"}]}, ["temperature", "lattice D2Q37"]),
    "no collision": ({"collision": {"operator": "none"}}, ["collision.operator", "bgk", "trt"]),
    "lattice in small letters": ({"lattice": "d3q19"}, ['lattice: "d3q19"', 'mean "D3Q19"']),
    "operator mrtt": ({"collision": {"operator": "mrtt"}}, ['collision.operator: "mrtt"', '"mrt"']),
    "mrt in space with all products": ({"lattice": "D3Q27", "collision": {"operator": "mrt"}}, ["collision.operator", "D3Q27", "choose D3Q19"]),
    "parametrised cumulants at a large viscosity": (
        {"lattice": "D3Q27", "collision": {"operator": "parametrised_cumulant"}, "fluid": {"tau": 0.6}}, ["fluid.tau", "less than 0.571", "cumulant"]),
    "parametrised cumulants among eddies": (
        {"lattice": "D3Q27", "collision": {"operator": "parametrised_cumulant"}, "fluid": {"tau": 0.51}, "turbulence": {}}, ["turbulence", "one viscosity"]),
    "cumulants of a lattice without corners": ({"collision": {"operator": "cumulant"}}, ["collision.operator", "choose that"]),
    "recursion on D3Q15": ({"lattice": "D3Q15", "collision": {"operator": "recursive"}}, ["collision.operator", "choose D3Q19"]),
    "a rate beyond 2": ({"collision": {"operator": "mrt", "rate_e": 2.5}}, ["collision.rate_e: 2.5", "below 2"]),
    "a rate of moments that are not there": ({"lattice": "D3Q15", "collision": {"operator": "mrt", "rate_pi": 1.2}},
                                             ["collision.rate_pi", "D3Q15 has no such moments", "remove it"]),
    "a model of turbulence unknown": ({"turbulence": {"model": "sigma"}}, ['turbulence.model: "sigma"', "smagorinsky"]),
    "a solid that does not move as one": ({"solids": [{**SPHERE, "velocity": ["0.01*y", 0, 0]}]}, ["solids[0].velocity[0]", "formula of t"]),
    "a solid that is too fast at times": ({"solids": [{**SPHERE, "velocity": ["t", 0, 0]}]}, ["solids[0].velocity[0]", "0.577"]),
    "a curved solid in time": ({"solids": [{**SPHERE, "type": "interpolated_wall", "velocity": ["0.01*sin(t)", 0, 0]}]}, ["solids[0]: ", 'type "wall"']),
    "a ramp of a pressure that is none": ({"solids": [{**SPHERE, "ramp": -1}]}, ["solids[0].ramp: -1", "1000"]),
    "a stress of differences alone": ({"collision": {"operator": "hybrid_recursive", "sigma": 0}}, ["collision.sigma: 0", "0.98"]),
    "more than the populations' stress": ({"collision": {"operator": "hybrid_recursive", "sigma": 1.5}}, ["collision.sigma: 1.5", "at most 1"]),
    "phases and differences": ({"phases": {"equation": "shan_chen"}, "collision": {"operator": "hybrid_recursive"}}, ["phases: ", "recursive"]),
    "hybrid recursive on few directions": ({"lattice": "D3Q15", "collision": {"operator": "hybrid_recursive"}}, ["D3Q15", "choose D3Q19"]),
    "a model of turbulence that does nothing in a plane": ({"lattice": "D2Q9", "domain": {"cells": [8, 8]}, "turbulence": {"model": "qr"}},
                                                           ['turbulence.model: "qr"', "smagorinsky"]),
    "an equilibrium that a collision has not": ({"collision": {"operator": "regularised", "equilibrium": "incompressible"}},
                                                ["collision.equilibrium", "regularised", "bgk"]),
    "an equilibrium unknown": ({"collision": {"equilibrium": "barometric"}}, ['collision.equilibrium: "barometric"', "incompressible"]),
    "a constant of turbulence too large": ({"turbulence": {"constant": 17}}, ["turbulence.constant: 17", "at most 1", "0.17"]),
    "turbulence as a word": ({"turbulence": "smagorinsky"}, ["turbulence:", '{"model": "smagorinsky"}']),
    "half precision": ({"precision": "half"}, ['precision: "half"', "single"]),
    "units imperial": ({"units": "imperial"}, ['units: "imperial"', "si"]),
    "scalar without diffusivity": ({"scalar": {}}, ["scalar.diffusivity: missing", "0.01"]),
    "scalar that hardly diffuses": ({"scalar": {"diffusivity": 1e-7}}, ["scalar.diffusivity: 1e-07", "too near 0.5", "at least"]),
    "scalar of SI that hardly diffuses": ({**SI, "scalar": {"diffusivity": 1e-9}}, ["scalar.diffusivity: 1e-09", "m^2/s", "larger si.time_step"]),
    "half storage of doubles": ({"precision": "double", "storage": "half"}, ["storage: ", 'precision "double"', 'as "half"', 'remove']),
    "scalar stored in half": ({"storage": "half", "scalar": {"diffusivity": 0.01}}, ["scalar: ", '"half"', 'remove "storage"']),
    "buoyancy without expansion": ({"scalar": {"diffusivity": 0.01, "buoyancy": {"gravity": [0, -1e-3, 0]}}},
                                   ["scalar.buoyancy.expansion: missing", "per unit of the scalar"]),
    "buoyancy without gravity": ({"scalar": {"diffusivity": 0.01, "buoyancy": {"expansion": 0.01}}}, ["scalar.buoyancy.gravity: missing", "acceleration"]),
    "buoyancy of no expansion": ({"scalar": {"diffusivity": 0.01, "buoyancy": {"expansion": 0, "gravity": [0, -1e-3, 0]}}},
                                 ["scalar.buoyancy.expansion: is 0", 'remove "buoyancy"']),
    "buoyancy of no gravity": ({"scalar": {"diffusivity": 0.01, "buoyancy": {"expansion": 1, "gravity": [0, 0, 0]}}},
                               ["scalar.buoyancy.gravity: is 0", 'remove "buoyancy"']),
    "buoyancy with too few axes": ({"scalar": {"diffusivity": 0.01, "buoyancy": {"expansion": 1, "gravity": [0, 1e-3]}}},
                                   ["scalar.buoyancy.gravity: ", "3 numbers"]),
    "buoyancy with a word for a reference": ({"scalar": {"diffusivity": 0.01, "buoyancy": {"expansion": 1, "gravity": [0, 1e-3, 0], "reference": "hot"}}},
                                             ["scalar.buoyancy.reference: "]),
    "buoyancy misspelt": ({"scalar": {"diffusivity": 0.01, "buoyancy": {"expansion": 1, "gravity": [0, 1e-3, 0], "refernce": 1}}},
                          ["scalar.buoyancy.refernce", "reference"]),
    "phases without an equation": ({"phases": {}}, ["phases.equation: missing", "carnahan_starling"]),
    "phases of no equation": ({"phases": {"equation": "van_der_waals"}}, ['phases.equation: "van_der_waals"', "peng_robinson"]),
    "phases with another's number": ({"phases": {"equation": "shan_chen", "temperature": 0.8}}, ["phases.temperature: belongs to", "carnahan_starling"]),
    "phases that repel": ({"phases": {"equation": "shan_chen", "strength": 5}}, ["phases.strength: 5", "-5"]),
    "phases and a scalar": ({"phases": {"equation": "shan_chen"}, "scalar": {"diffusivity": 0.01}}, ["phases: ", "scalar", "remove one"]),
    "phases and turbulence": ({"phases": {"equation": "shan_chen"}, "turbulence": {}}, ["phases: ", "turbulence", "remove one"]),
    "phases in half": ({"phases": {"equation": "shan_chen"}, "storage": "half"}, ["phases: ", '"full"']),
    "phases on D3Q13": ({"phases": {"equation": "shan_chen"}, "lattice": "D3Q13", "collision": {"operator": "mrt"}}, ["phases: ", "D3Q19"]),
    "phases in lists": ({"phases": {"equation": "shan_chen"}, "blocks": {"list_up_to": 1}}, ["blocks.list_up_to: ", "remove"]),
    "phases in SI": ({**SI, "phases": {"equation": "shan_chen"}}, ["phases: ", "lattice units"]),
    "phases at an outlet": ({"phases": {"equation": "shan_chen"}, "boundaries": {"x+": {"type": "pressure", "density": 1}}}, ["boundaries.x+: ", "wall"]),
    "phases at a lid": ({"phases": {"equation": "shan_chen"}, "boundaries": {"z+": {"type": "wall", "velocity": [0.1, 0, 0]}}}, ["boundaries.z+: moves", "at rest"]),
    "surface of no liquid": ({"free_surface": {}}, ["free_surface.liquid: missing", "ny/2 - y"]),
    "surface of a word": ({"free_surface": "flat"}, ["free_surface: ", '"liquid"']),
    "surface by a wrong formula": ({"free_surface": {"liquid": "8 - h"}}, ["free_surface.liquid: ", "h"]),
    "surface with a gas that is no number": ({"free_surface": {"liquid": "8 - y", "gas_density": "air"}}, ["free_surface.gas_density: "]),
    "surface with too dense a gas": ({"free_surface": {"liquid": "8 - y", "gas_density": 80}}, ["free_surface.gas_density: 80"]),
    "surface pulled too much": ({"free_surface": {"liquid": "8 - y", "tension": 0.5}}, ["free_surface.tension: 0.5", "from 0 to 0.1"]),
    "surface that pushes": ({"free_surface": {"liquid": "8 - y", "tension": -0.01}}, ["free_surface.tension: -0.01", "from 0 to 0.1"]),
    "surface with an angle and no tension": ({"free_surface": {"liquid": "8 - y", "contact_angle": 60}}, ["free_surface.contact_angle: ", '"tension"']),
    "surface at no angle": ({"free_surface": {"liquid": "8 - y", "tension": 0.01, "contact_angle": 200}}, ["free_surface.contact_angle: 200", "30 to 150"]),
    "surface misspelt": ({"free_surface": {"liquid": "8 - y", "gas_densty": 1}}, ["free_surface.gas_densty", "gas_density"]),
    "surface and a scalar": ({"free_surface": {"liquid": "8 - y"}, "scalar": {"diffusivity": 0.01}}, ["free_surface: ", "a scalar", "remove one"]),
    "surface and phases": ({"free_surface": {"liquid": "8 - y"}, "phases": {"equation": "shan_chen"}}, ["free_surface: ", "phases", "remove one"]),
    "surface and turbulence": ({"free_surface": {"liquid": "8 - y"}, "turbulence": {}}, ["free_surface: ", "turbulence", "remove one"]),
    "averages with a surface": ({"free_surface": {"liquid": "8 - y"}, "output": [{"type": "averages"}]}, ["output[0].type: ", '"fields"']),
    "permeability with a surface": ({"free_surface": {"liquid": "8 - y"}, "force": [1e-6, 0, 0], "domain.periodic": [True] * 3, "output": [{"type": "permeability"}]},
                                    ["output[0].type: ", '"free_surface"']),
    "surface in half": ({"free_surface": {"liquid": "8 - y"}, "storage": "half"}, ["free_surface: ", '"full"']),
    "surface in lists": ({"free_surface": {"liquid": "8 - y"}, "blocks": {"list_up_to": 1}}, ["blocks.list_up_to: ", "remove"]),
    "surface with a flow rate": ({"free_surface": {"liquid": "8 - y"}, "domain.periodic": [True] * 3, "flow_rate": {"velocity": [0.01, 0, 0]}},
                                 ["free_surface: ", '"flow_rate"']),
    "surface at an outlet": ({"free_surface": {"liquid": "8 - y"}, "boundaries": {"x+": {"type": "pressure", "density": 1}}}, ["free_surface: ", '"x+"', '"wall"']),
    "surface along a mirror": ({"free_surface": {"liquid": "8 - y"}, "boundaries": {"x+": {"type": "slip"}}}, ["free_surface: ", '"x+"', '"slip"']),
    "surface under a lid": ({"free_surface": {"liquid": "8 - y"}, "boundaries": {"z+": {"type": "wall", "velocity": [0.1, 0, 0]}}},
                            ["free_surface: ", '"z+"', "at rest"]),
    "surface beside a body that moves in time": ({"free_surface": {"liquid": "8 - y"}, "solids": [{**SPHERE, "velocity": ["0.01*sin(t)", 0, 0]}]},
                                                 ["free_surface: ", "moves", "at rest"]),
    "surface about a body that is interpolated": ({"free_surface": {"liquid": "8 - y"}, "solids": [{**SPHERE, "type": "interpolated_wall"}]},
                                                  ["free_surface: ", '"interpolated_wall"']),
    "fill level of no surface": ({"output": [{"type": "fields", "fields": ["fill_level"]}]}, ["output[0].fields", "free_surface"]),
    "adhesion of no phases": ({"solids": [{**SPHERE, "adhesion": 0.1}]}, ["solids[0].adhesion: ", "no phases"]),
    "adhesion too strong": ({"phases": {"equation": "shan_chen"}, "solids": [{**SPHERE, "adhesion": 2}]}, ["solids[0].adhesion: 2", "0.01"]),
    "value of no scalar": ({"boundaries": {"x-": {"type": "wall", "scalar": 1}}}, ["boundaries.x-.scalar: ", "no scalar", '"diffusivity"']),
    "flux of no scalar": ({"solids": [{**SPHERE, "scalar_flux": 1}]}, ["solids[0].scalar_flux: ", "no scalar"]),
    "beginning of no scalar": ({"initial": {"scalar": 1}}, ["initial.scalar: ", "no scalar"]),
    "picture of no scalar": ({"output": [{"type": "image", "plane": "y=0.5", "field": "scalar"}]}, ['output[0].field: "scalar" needs', "diffusivity"]),
    "scalar's formula": ({"scalar": {"diffusivity": 0.01}, "boundaries": {"x-": {"type": "wall", "scalar": "y*q"}}},
                         ["boundaries.x-.scalar: ", '"y*q" is not a formula', "x, y, z, t"]),
    "scalar's formula in a solid": ({"scalar": {"diffusivity": 0.01}, "solids": [{"sphere": {"center": [8, 8, 8], "radius": 2}, "scalar": "y"}]},
                                    ["solids[0].scalar", "formula of t"]),
    "time in the initial state": ({"initial": {"density": "1 + t"}}, ["initial.density", "is not a formula"]),
    "ramp of no time": ({"boundaries": {"x-": {"type": "velocity", "velocity": [0.1, 0, 0], "ramp": 0}}}, ["boundaries.x-.ramp", "greater than 0"]),
    "ramp of a wall": ({"boundaries": {"x-": {"type": "wall", "ramp": 10}}}, ["boundaries.x-.ramp"]),
    "too fast after a while": ({"boundaries": {"x-": {"type": "velocity", "velocity": ["0.001*t", 0, 0]}}}, ["velocity[0]", "t = 1024", "must stay below"]),
    "value and flux of a scalar": ({"scalar": {"diffusivity": 0.01}, "boundaries": {"x-": {"type": "wall", "scalar": 1, "scalar_flux": 0}}},
                                   ["boundaries.x-.scalar_flux: ", "remove one of the two"]),
    "scalar that is not finite": ({"scalar": {"diffusivity": 0.01}, "initial": {"scalar": "1/(x - 0.5)"}}, ["initial.scalar: ", "must be finite"]),
    "part of a face beside it": ({"boundaries": {"x-": {"type": "wall", "parts": [{"sphere": {"center": [8, 8, 8], "radius": 2}}]}}},
                                 ["boundaries.x-.parts[0]", 'no cell of face "x-"', "reach through the face"]),
    "part of a face that moves": ({"boundaries": {"x-": {"type": "wall", "velocity": [0, 0.1, 0], "parts": [{"sphere": {"center": [0, 8, 8], "radius": 4}}]}}},
                                  ["boundaries.x-.parts[0]", 'face "x-" moves', "remove"]),
    "part that moves": ({"boundaries": {"x-": {"type": "wall", "parts": [{"sphere": {"center": [0, 8, 8], "radius": 4}, "velocity": [0, 0.1, 0]}]}}},
                        ["boundaries.x-.parts[0].velocity", "rests", '"velocity"']),
    "part with a formula": ({"boundaries": {"x-": {"type": "wall", "parts": [
        {"sphere": {"center": [0, 8, 8], "radius": 4}, "type": "velocity", "velocity": ["0.1*y", 0, 0]}]}}},
        ["boundaries.x-.parts[0].velocity", "part", "formula of t"]),
    "part without a density": ({"boundaries": {"x-": {"type": "wall", "parts": [{"sphere": {"center": [0, 8, 8], "radius": 4}, "type": "pressure"}]}}},
                               ["boundaries.x-.parts[0].density", "missing"]),
    "absorbing without a velocity": ({"boundaries": {"x-": {"type": "absorbing"}}}, ["boundaries.x-.velocity: missing"]),
    "inlet": ({"boundaries": {"x-": {"type": "inlet"}}}, ['boundaries.x-.type: "inlet"', "wall", "velocity", "pressure"]),
    "velocity without one": ({"boundaries": {"x-": {"type": "velocity"}}}, ["boundaries.x-.velocity: missing", "0.05"]),
    "pressure without density": ({"boundaries": {"x+": {"type": "pressure"}}}, ["boundaries.x+.density: missing"]),
    "density of a velocity": ({"boundaries": {"x-": {"type": "velocity", "velocity": [0.1, 0, 0], "density": 1}}},
                              ["boundaries.x-.density", 'type "pressure"', '"velocity"']),
    "velocity of a pressure": ({"boundaries": {"x+": {"type": "pressure", "density": 1, "velocity": [0.1, 0, 0]}}},
                               ["boundaries.x+.velocity", '"wall", "velocity"', '"pressure"']),
    "pressure of nothing": ({"boundaries": {"x+": {"type": "pressure", "density": 0}}}, ["boundaries.x+.density: 0", "greater than 0"]),
    "pressure of water": ({"boundaries": {"x+": {"type": "pressure", "density": 1000}}}, ["boundaries.x+.density: 1000", "density for a boundary"]),
    "profile misspelt": ({"boundaries": {"x-": {"type": "velocity", "velocity": ["0.1*yy", 0, 0]}}},
                         ["boundaries.x-.velocity[0]", "0.1*yy", "formula"]),
    "profile too fast": ({"boundaries": {"x-": {"type": "velocity", "velocity": ["0.1*y", 0, 0]}}},
                         ["boundaries.x-.velocity[0]", '"0.1*y" gives', "x = 0", "0.577"]),
    "profile not finite": ({"boundaries": {"y+": {"type": "velocity", "velocity": [0, "0.01/(x - 0.5)", 0]}}},
                           ["boundaries.y+.velocity[1]", "gives inf", "y = 16", "finite"]),
    "profile of negative density": ({"boundaries": {"x+": {"type": "pressure", "density": "1 - y/4"}}},
                                    ["boundaries.x+.density", "gives -", "must lie between"]),
    "profile of a wall": ({"boundaries": {"y+": {"type": "wall", "velocity": ["0.1*x/nx", 0, 0]}}},
                          ["boundaries.y+.velocity[0]", "is not a number"]),
    "table that is not there": ({"boundaries": {"x-": {"type": "velocity", "velocity": [{"table": "nowhere.csv"}, 0, 0]}}},
                               ["boundaries.x-.velocity[0].table", "nowhere.csv", "No such file", "CSV file"]),
    "table of nothing": ({"boundaries": {"x+": {"type": "pressure", "density": {"column": "rho"}}}}, ["boundaries.x+.density.table: missing", "CSV file"]),
    "table misspelt": ({"boundaries": {"x+": {"type": "pressure", "density": {"table": {"y": [0, 16], "rho": [1, 1]}, "repaet": True}}}},
                       ["boundaries.x+.density.repaet: unknown key", '"repeat"']),
    "table of words": ({"boundaries": {"x+": {"type": "pressure", "density": {"table": {"y": [0, "high"], "rho": [1, 1]}}}}},
                       ["boundaries.x+.density.table.y[1]", "is not a number"]),
    "table of unequal columns": ({"boundaries": {"x+": {"type": "pressure", "density": {"table": {"y": [0, 16], "rho": [1]}}}}},
                                 ["boundaries.x+.density.table.rho", "has 1 numbers", "2"]),
    "table that does not reach": ({"boundaries": {"x+": {"type": "pressure", "density": {"table": {"y": [1, 15], "rho": [1, 1.01]}}}}},
                                  ["boundaries.x+.density: the table has y from 1 to 15", "y = 0.5"]),
    "table too fast": ({"boundaries": {"x-": {"type": "velocity", "velocity": [{"table": {"t": [0, 5000], "u": [0, 1]}}, 0, 0]}}},
                       ["boundaries.x-.velocity[0]: the table gives 1", "t = 5000", "must stay below"]),
    "table of negative density": ({"boundaries": {"x+": {"type": "pressure", "density": {"table": {"y": [0, 16], "rho": [-1, 1]}}}}},
                                  ["boundaries.x+.density: the table gives -", "must lie between"]),
    "table of an initial state": ({"initial": {"density": {"table": {"y": [0, 16], "rho": [1, 1]}}}}, ["initial.density", "is not a number"]),
    "z velocity of D2Q9": ({**FLAT, "boundaries": {"x-": {"type": "velocity", "velocity": [0.1, 0, "0.1"]}}},
                           ["boundaries.x-.velocity[2]", "D2Q9"]),
    "profile of a solid": ({"solids": [{**SPHERE, "type": "velocity", "velocity": ["0.1*x/nx", 0, 0]}]},
                           ["solids[0].velocity[0]", "all over", "change in time alone"]),
    "density of a solid that is a wall": ({"solids": [{**SPHERE, "density": 1}]}, ["solids[0].density", 'type "wall"', "velocity"]),
    "one body, two types": ({"solids": [{**SPHERE, "type": "pressure", "density": 1.01}, SPHERE]}, ["solids[1]", '"solids"', "type"]),
    "axis w": ({"solids": [{"cylinder": {"center": [8, 8, 8], "axis": "w", "radius": 2}}]},
               ['solids[0].cylinder.axis: "w"']),
    "series called like a profile": ({"output": [{"type": "series", "name": "line_000000010"},
                                                {"type": "profile", "name": "line", "from": [0, 8, 8], "to": [16, 8, 8]}]},
                                     ['output[1].name', 'output[0], called "line_000000010"', "same file"]),
    "profile called like a series": ({"output": [{"type": "profile", "from": [0, 8, 8], "to": [16, 8, 8]},
                                                {"type": "series", "name": "profile_1000000000"}]},
                                     ['output[1].name: "profile_1000000000"', 'output[0], called "profile"', "same file"]),
    "output type film": ({"output": [{"type": "film"}]}, ['output[0].type: "film"']),
    "field that images do not have, misspelt": ({"output": [{"type": "image", "plane": "z=0.5", "field": "cell_tpe"}]},
                                               ['output[0].field: "cell_tpe" is not a field; give "density"', '"q_criterion" or "shear_rate"']),
    "field of a plane": ({**FLAT, "output": [{"type": "image", "field": "temperature"}]},
                         ['output[0].field: "temperature"', '"velocity_y", "speed", "vorticity", "q_criterion" or "shear_rate"']),
    "field temperature": ({"output": [{"type": "fields", "fields": ["density", "temperature"]}]},
                          ['output[0].fields[1]: "temperature"']),
    "policy unknown": ({"placement.policy": "best"}, ['placement.policy: "best"', "static"]),
    "policy without scheduler": ({"placement.policy": "starpu:"}, ['placement.policy: "starpu:"']),
    "workers tpu": ({"placement.workers": "tpu"}, ['placement.workers: "tpu"', "cuda"]),
    # ranges and absurd sizes
    "no cells along y": ({"domain.cells": [16, 0, 16]}, ["domain.cells[1]: 0"]),
    "negative cells": ({"domain.cells": [-16, 16, 16]}, ["domain.cells[0]: -16"]),
    "too long": ({"domain.cells": [65537, 1, 1]}, ["domain.cells[0]: 65537", "65536"]),
    "too many": ({"domain.cells": [65536, 65536, 65536]}, ["domain.cells: 65536 x 65536 x 65536", "2^40"]),
    "cells 1e300": ({"domain.cells": [1e300, 1, 1]}, ["domain.cells[0]"]),
    "tau one half": ({"fluid.tau": 0.5}, ["fluid.tau: 0.5", "0.5001"]),
    "tau below": ({"fluid.tau": 0.2}, ["fluid.tau: 0.2"]),
    "tau hopeless": ({"fluid.tau": 0.500001}, ["fluid.tau: 0.500001", "stable"]),
    "tau huge": ({"fluid.tau": 1e9}, ["fluid.tau"]),
    "viscosity zero": ({"fluid": {"viscosity": 0}}, ["fluid.viscosity: 0"]),
    "viscosity negative": ({"fluid": {"viscosity": -0.1}}, ["fluid.viscosity: -0.1"]),
    "viscosity hopeless": ({"fluid": {"viscosity": 1e-7}}, ["fluid.viscosity", "relaxation time"]),
    "viscosity huge": ({"fluid": {"viscosity": 1e300}}, ["fluid.viscosity", "relaxation time"]),
    "reynolds zero": ({"fluid": {"reynolds": {"number": 0, "velocity": 0.1, "length": 16}}},
                      ["fluid.reynolds.number: 0"]),
    "reynolds hopeless": ({"fluid": {"reynolds": {"number": 1e6, "velocity": 0.1, "length": 16}}},
                          ["fluid.reynolds", "relaxation time", "at most 4.795e+04"]),
    "reynolds supersonic": ({"fluid": {"reynolds": {"number": 100, "velocity": 1, "length": 16}}},
                            ["fluid.reynolds.velocity", "0.577"]),
    "magic zero": ({"collision": {"magic": 0}}, ["collision.magic: 0"]),
    "wall supersonic": ({"boundaries": {"z+": {"type": "wall", "velocity": [0.5, 0.5, 0]}}},
                        ["boundaries.z+.velocity", "0.577"]),
    "initial supersonic": ({"initial.velocity": [0.6, 0, 0]}, ["initial.velocity", "0.577"]),
    "initial density zero": ({"initial.density": 0}, ["initial.density: 0"]),
    "initial density absurd": ({"initial.density": 1e30}, ["initial.density: 1e+30", "between 0.02 and 50"]),
    "initial density of almost nothing": ({"initial.density": 1e-30}, ["initial.density: 1e-30", "between"]),
    "initial density beyond 16 bits": ({"storage": "half", "initial.density": 5}, ["initial.density: 5", "and 4"]),
    "si density absurd": ({**SI, "initial.density": 1e6}, ["initial.density: 1e+06", "between 20 and 50000"]),
    "formula absurd": ({"initial.density": "1e30+x"}, ["initial.density", "between 0.02 and 50"]),
    "larger than memory": ({"domain.cells": [16384, 16384, 1024]}, ["domain.cells: the domain needs", "GiB, and ", "choose fewer cells"]),
    "slip of a solid": ({"solids": [{**SPHERE, "type": "slip"}]}, ["solids[0].type: ", '"slip"', '"wall"']),
    "cells on a solid": ({"solids": [{**SPHERE, "type": "zou_he_velocity"}]}, ["solids[0].type: ", '"zou_he_velocity"', '"wall"']),
    "convective without a velocity": ({"boundaries": {"x+": {"type": "convective"}}}, ["boundaries.x+.velocity: missing"]),
    "convective with a density": ({"boundaries": {"x+": {"type": "convective", "velocity": [0.05, 0, 0], "density": 1}}}, ["boundaries.x+.density", "convective"]),
    "a convective solid": ({"solids": [{**SPHERE, "type": "convective", "velocity": [0.05, 0, 0]}]}, ["solids[0].type: ", '"convective"', '"wall"']),
    "cells on a face without a density": ({"boundaries": {"y-": {"type": "zou_he_pressure"}}}, ["boundaries.y-.density"]),
    "regularised cells of planes": ({"lattice": "D3Q13", "collision": {"operator": "mrt"}, "boundaries": {"y-": {"type": "regularised_pressure", "density": 1}}},
                                    ["boundaries.y-.type", "D3Q13", "zou_he_pressure"]),
    "velocity along free slip": ({"boundaries": {"y-": {"type": "slip", "velocity": [0.1, 0, 0]}}}, ["boundaries.y-.velocity"]),
    "flow rate of nothing": ({"domain.periodic": [True] * 3, "flow_rate": {"gain": 0.5}}, ["flow_rate", '"velocity"']),
    "flow rate against a wall": ({"domain.periodic": [False] * 3, "flow_rate": {"velocity": [0.05, 0, 0]}}, ["flow_rate.velocity", "along x", "periodic"]),
    "flow rate absurd": ({"domain.periodic": [True] * 3, "flow_rate": {"velocity": [0.9, 0, 0]}}, ["flow_rate.velocity", "0.577"]),
    "flow rate at rest": ({"domain.periodic": [True] * 3, "flow_rate": {"velocity": [0, 0, 0]}}, ["flow_rate.velocity", "above 0"]),
    "gain of a flow rate": ({"domain.periodic": [True] * 3, "flow_rate": {"velocity": [0.05, 0, 0], "gain": 2}}, ["flow_rate.gain: 2", "at most 1"]),
    "force absurd": ({"force": [10, 0, 0]}, ["force", "0.577"]),
    "steps negative": ({"run.steps": -1}, ["run.steps: -1"]),
    "steps endless": ({"run.steps": 10**13}, ["run.steps: 10000000000000"]),
    "check_every zero": ({"run.check_every": 0}, ["run.check_every: 0"]),
    "steady negative": ({"run.stop_when": {"steady": -1e-8}}, ["run.stop_when.steady: -1e-8"]),
    "every zero": ({"output": [{"type": "fields", "every": 0}]}, ["output[0].every: 0"]),
    "time in lattice units": ({"output": [{"type": "fields", "every": "0.1 s"}]}, ["output[0].every", "0.1 s", "SI units"]),
    "time of less than a step": ({**SI, "output": [{"type": "series", "every": "1e-5 s"}]}, ["output[0].every", "1e-5 s", "0.0001 s"]),
    "time without end": ({**SI, "output": [{"type": "series", "every": "1e10 s"}]}, ["output[0].every", "1e10 s"]),
    "compressed picture": ({"output": [{"type": "image", "plane": "y=0.5", "compressed": True}]}, ["output[0].compressed", "fields"]),
    "compressed a little": ({"checkpoint": {"compressed": "a little"}}, ["checkpoint.compressed"]),
    "time without unit": ({"output": [{"type": "fields", "every": "0.1"}]}, ["output[0].every", '"0.1 s"']),
    "statistics before the run": ({"output": [{"type": "series", "statistics": -1}]}, ["output[0].statistics: -1"]),
    "statistics of a picture": ({"output": [{"type": "image", "plane": "y=0.5", "statistics": 1}]}, ["output[0].statistics", "series"]),
    "length of coefficients": ({"output": [{"type": "series", "coefficients": {"velocity": 0.1, "area": 1, "length": 0}}]}, ["output[0].coefficients.length"]),
    "plane outside": ({"output": [{"type": "image", "plane": "y=1.5"}]}, ['output[0].plane: "y=1.5"']),
    "plane without axis": ({"output": [{"type": "image", "plane": "0.5"}]}, ['output[0].plane: "0.5"']),
    "plane of NaN": ({"output": [{"type": "image", "plane": "y=nan"}]}, ['output[0].plane: "y=nan"']),
    "plane with a tail": ({"output": [{"type": "image", "plane": "y=0.5m"}]}, ['output[0].plane: "y=0.5m"']),
    "range upside down": ({"output": [{"type": "image", "plane": "y=0.5", "range": [1, 0]}]},
                          ["output[0].range"]),
    "pixels one": ({"output": [{"type": "image", "plane": "y=0.5", "pixels": 1}]}, ["output[0].pixels: 1"]),
    "block of zero": ({"blocks.cells": [8, 8, 0]}, ["blocks.cells[2]: 0"]),
    "radius zero": ({"solids": [{"sphere": {"center": [8, 8, 8], "radius": 0}}]},
                    ["solids[0].sphere.radius: 0"]),
    "si cell size zero": ({**SI, "si.cell_size": 0}, ["si.cell_size: 0"]),
    "name with a slash": ({"name": "../etc"}, ['name: "../etc"']),
    "name empty": ({"name": ""}, ['name: ""']),
    "name of dots": ({"name": ".."}, ['name: ".."']),
    "output name with a slash": ({"output": [{"type": "series", "name": "a/b"}]}, ['output[0].name: "a/b"']),
    # contradictions
    "two viscosities": ({"fluid": {"tau": 0.8, "viscosity": 0.1}}, ["fluid", '"viscosity" and "tau"']),
    "magic of bgk": ({"collision": {"operator": "bgk", "magic": 0.25}},
                     ["collision.magic", "collision.operator", "bgk"]),
    "si with lattice units": ({"si": SI["si"]}, ["si", "units"]),
    "wall on periodic axis": ({"domain.periodic": [False, False, True],
                               "boundaries": {"z+": {"type": "wall"}}},
                              ["boundaries.z+: the domain is periodic along z", "domain.periodic[2]"]),
    "wall through itself": ({"boundaries": {"z+": {"type": "wall", "velocity": [0, 0, 0.1]}}},
                            ["boundaries.z+.velocity[2]: 0.1", "mass"]),
    "z wall of D2Q9": ({**FLAT, "boundaries": {"z+": {"type": "wall"}}}, ["boundaries.z+", "D2Q9"]),
    "D2Q9 with depth": ({"lattice": "D2Q9"}, ["domain.cells[2]", "D2Q9"]),
    "D2Q9 with force along z": ({**FLAT, "force": [0, 0, 1e-5]}, ["force[2]: 1e-5", "D2Q9"]),
    "D2Q9 with velocity along z": ({**FLAT, "initial.velocity": [0, 0, "0.1*x"]},
                                   ["initial.velocity[2]", "D2Q9"]),
    "D2Q9 plane y": ({**FLAT, "output": [{"type": "image", "plane": "y=0.5"}]}, ["output[0].plane", "z=0.5"]),
    "D2Q9 velocity_z": ({**FLAT, "output": [{"type": "fields", "fields": ["velocity_z"]}]},
                        ["output[0].fields[0]", "D2Q9"]),
    "solid by no formula": ({"solids": [{"formula": "(x - 8"}]}, ["solids[0].formula", "Missing parenthesis"]),
    "solid by no condition": ({"solids": [{"formula": "x - 8"}]}, ["solids[0].formula", "gives -7.5 at x = 0.5", "true (1) or false (0)"]),
    "solid everywhere by formula": ({"solids": [{"formula": "x > 0"}]}, ["solids: no fluid cell is left"]),
    "rotation without a rate": ({"solids": [{**SPHERE, "rotation": {"axis": "z"}}]}, ["solids[0].rotation.rate: missing", "radians"]),
    "rotation without an axis": ({"solids": [{**SPHERE, "rotation": {"rate": 0.01}}]}, ["solids[0].rotation.axis: missing", '"z"']),
    "rotation too fast": ({"solids": [{**SPHERE, "rotation": {"rate": 0.5, "axis": "z"}}]}, ["solids[0].rotation.rate", "too fast"]),
    "rotation of an inlet": ({"solids": [{**SPHERE, "type": "velocity", "velocity": [0, 0, 0.01], "rotation": {"rate": 0.01, "axis": "z"}}]},
                             ["solids[0].rotation", '"velocity"', "does not turn"]),
    "one body, two rotations": ({"solids": [{**SPHERE, "rotation": {"rate": 0.01, "axis": "z"}}, SPHERE]}, ["solids[1]", '"rotation"']),
    "how many spheres": ({"solids": [{"spheres": {"radius": 2}}]}, ["solids[0].spheres", '"porosity" and "count"']),
    "porosity and count": ({"solids": [{"spheres": {"radius": 2, "porosity": 0.5, "count": 3}}]}, ["solids[0].spheres", "has both"]),
    "porosity in percent": ({"solids": [{"spheres": {"radius": 2, "porosity": 45}}]}, ["solids[0].spheres.porosity: 45", "0.6"]),
    "spheres without room": ({"solids": [{"spheres": {"radius": 4, "count": 60, "overlap": False}}]}, ["solids[0].spheres", "60 balls would take", '"overlap": true']),
    "spheres elsewhere": ({"solids": [{"spheres": {"radius": 2, "count": 3, "to": [16, 16, 32]}}]}, ["solids[0].spheres", "along z", "16"]),
    "volume of no file": ({"solids": [{"volume": {"solid": [1]}}]}, ["solids[0].volume.file: missing"]),
    "volume that is not there": ({"solids": [{"volume": {"file": "none.npy", "solid": [1]}}]}, ["solids[0].volume.file", "none.npy", "No such file"]),
    "volume that is a folder": ({"solids": [{"volume": {"file": ".", "cells": [8, 8, 8], "solid": [1]}}]}, ["solids[0].volume.file", "is a folder"]),
    "slices that are not there": ({"solids": [{"volume": {"file": "none/*.png", "solid": [1]}}]}, ["solids[0].volume.file", "none/*.png"]),
    "volume of no size": ({"solids": [{"volume": {"file": "none.raw", "solid": [1]}}]}, ["solids[0].volume.cells: missing", "[400, 300, 200]"]),
    "hollow in nothing": ({"solids": [{**SPHERE, "type": "fluid"}]}, ["solids[0].type", "first of the list"]),
    "hollow with a name": ({"solids": [SPHERE, {**SPHERE, "type": "fluid", "name": "hole"}]}, ["solids[1].name", "hollow"]),
    "hollow that moves": ({"solids": [SPHERE, {**SPHERE, "type": "fluid", "velocity": [0, 0, 0.1]}]}, ["solids[1].velocity", "hollow"]),
    "pockets as a word": ({"domain.close_pockets": "yes"}, ["domain.close_pockets", "true or false"]),
    "pockets beside a body of that name": ({"domain.close_pockets": True, "solids": [{**SPHERE, "name": "pockets"}]}, ["domain.close_pockets", '"pockets"', "another name"]),
    "array of a file without arrays": ({"solids": [{"volume": {"file": "none.npy", "array": "labels", "solid": [1]}}]}, ["solids[0].volume.array", ".vti"]),
    "array that is no name": ({"solids": [{"volume": {"file": "none.vti", "array": 3, "solid": [1]}}]}, ["solids[0].volume.array: 3"]),
    "image of VTK that is not there": ({"solids": [{"volume": {"file": "none.vti", "solid": [1]}}]}, ["solids[0].volume.file", "none.vti", "No such file"]),
    "mesh of no file": ({"solids": [{"mesh": {"scale": 2}}]}, ["solids[0].mesh.file: missing"]),
    "mesh in two dimensions": ({**FLAT, "solids": [{"mesh": {"file": "none.stl"}}]}, ["solids[0].mesh", "two"]),
    "mesh fitted and moved": ({"solids": [{"mesh": {"file": "none.stl", "fit": {}, "translate": [0, 0, 1]}}]}, ["solids[0].mesh", '"fit" and "translate"']),
    "two shapes in one": ({"solids": [{**SPHERE, "box": {"from": [0, 0, 0], "to": [4, 4, 4]}}]},
                          ["solids[0]", '"sphere"', '"box"']),
    "solid outside": ({"solids": [{"sphere": {"center": [80, 8, 8], "radius": 3}}]},
                      ["solids[0].sphere", "outside"]),
    "nothing but solid": ({"solids": [{"sphere": {"center": [8, 8, 8], "radius": 14}}]}, ["solids: no fluid cell is left"]),
    "solid but for no cell": ({"solids": [{"box": {"from": [0, 0, 0], "to": [9, 16, 16]}}, {"box": {"from": [9, 0, 0], "to": [16, 16, 16]}}]},
                              ["solids: no fluid cell is left"]),
    "box inside out": ({"solids": [{"box": {"from": [8, 8, 8], "to": [4, 12, 12]}}]},
                       ["solids[0].box", "from"]),
    "one body, two velocities": ({"solids": [{**SPHERE, "velocity": [0.1, 0, 0]}, SPHERE]},
                                 ["solids[1]", '"solids"', "velocity"]),
    "too many bodies": ({"solids": [{**SPHERE, "name": f"ball{i}"} for i in range(122)]},
                        ["solids[120]", "120"]),
    "body named like a face": ({"solids": [{**SPHERE, "name": "z-"}]}, ['solids[0].name: "z-"', "body_z-"]),
    "image of a vector": ({"output": [{"type": "image", "plane": "y=0.5", "field": "velocity"}]},
                          ["output[0].field", "speed"]),
    "tensor in an image": ({"output": [{"type": "image", "plane": "z=0.5", "field": "strain_rate"}]},
                           ["output[0].field", "strain_rate", "several components", "shear_rate"]),
    "cell type in a profile": ({"output": [{"type": "profile", "from": [0, 8, 8], "to": [16, 8, 8], "fields": ["cell_type"]}]},
                               ["output[0].fields[0]", '"cell_type" is for outputs of type "fields"']),
    "field twice": ({"output": [{"type": "fields", "fields": ["density", "density"]}]},
                    ["output[0].fields[1]", "twice"]),
    "plane of a series": ({"output": [{"type": "series", "plane": "y=0.5"}]},
                          ["output[0].plane", "image", "series"]),
    "faces of an image": ({"output": [{"type": "image", "plane": "y=0.5", "faces": True}]},
                          ["output[0].faces", "series", "image"]),
    "faces by name": ({"output": [{"type": "series", "faces": "z+"}]}, ['output[0].faces: "z+"', "true or false"]),
    "profile of a point": ({"output": [{"type": "profile", "from": [8, 8, 8], "to": [8, 8, 8]}]},
                           ["output[0]", "one axis"]),
    "profile askew": ({"output": [{"type": "profile", "from": [0, 0, 8], "to": [16, 16, 8]}]},
                      ["output[0]", "one axis"]),
    "profile between centres": ({"output": [{"type": "profile", "from": [8.6, 8, 8], "to": [9.4, 8, 8]}]},
                                ["output[0]: no centre of a cell", "from 8.6 to 9.4 along x"]),
    "profile outside": ({"output": [{"type": "profile", "from": [0, 8, 8], "to": [17, 8, 8]}]},
                        ["output[0].to[0]: 17"]),
    "output name twice": ({"output": [{"type": "series", "name": "a"}, {"type": "fields", "name": "a"}]},
                          ["output[1].name", "output[0]"]),
    # formulas
    "formula open": ({"initial.density": "1+sin(x"}, ['initial.density: "1+sin(x"', "arenthesis"]),
    "formula of unknown name": ({"initial.velocity": ["r*2", 0, 0]},
                                ["initial.velocity[0]", '"r', "x, y, z"]),
    "formula empty": ({"initial.density": ""}, ["initial.density", "empty"]),
    "formula assigning": ({"initial.density": "x=1"}, ["initial.density", "=="]),
    "formulas in one": ({"initial.density": "x, y"}, ["initial.density", "2 formulas"]),
    "formula infinite in one cell": ({"domain.cells": [64, 16, 16], "initial.density": "1 + 1e-9/(x-0.5)"}, ["initial.density", "finite", "x = 0.5"]),
    "formula without end": ({"initial.density": "a" * 3000}, ["initial.density", "3000 letters"]),
    "formula infinite": ({"initial.density": "1/(x-x)"}, ["initial.density", "finite"]),
    "formula not a number": ({"initial.velocity": [0, "sqrt(-1)", 0]}, ["initial.velocity[1]", "finite"]),
    "formula without mass": ({"initial.density": "0*x"}, ["initial.density", "greater than 0"]),
    "formula supersonic": ({"initial.velocity": [0, 0, "x"]}, ["initial.velocity[2]", "0.577"]),
    # SI
    "si wall supersonic": ({**SI, "boundaries": {"z+": {"type": "wall", "velocity": [10, 0, 0]}}},
                           ["boundaries.z+.velocity", "10 m/s", "time_step"]),
    "si viscosity hopeless": ({**SI, "fluid": {"viscosity": 1e-9}},
                              ["fluid.viscosity", "m^2/s", "time_step"]),
    "si profile outside": ({**SI, "output": [{"type": "profile", "from": [0, 0, 0], "to": [0.5, 0, 0]}]},
                           ["output[0].to[0]: 0.5", "0.016 m"]),
    "si scales absurd": ({**SI, "si": {"cell_size": 1e-200, "time_step": 1e200}}, ["fluid.viscosity"]),
}

# name: (changes to GOOD or the whole text, the lines of the message in their order, by words of each)
MISTAKES = {
    "empty object": ("{}", ["domain: missing", "fluid: missing", "run: missing"]),
    "keys of all sections": ({"colision": {}, "fluid.tau": 0.2, "run.stepps": 4, "placement": {"workers": "tpu"}, "solids": [{"sphere": {"center": [8, 8, 8]}}],
                              "boundaries": {"z+": {"type": "wall", "velocity": [9, 0, 0]}, "y-": {"type": "inlet"}}},
                             ["colision: unknown key", "fluid.tau: 0.2", 'placement.workers: "tpu"', "run.stepps: unknown key", 'boundaries.y-.type: "inlet"',
                              "boundaries.z+.velocity: a speed of 9", "solids[0].sphere.radius: missing"]),
    "keys of one object": ({"domain": {"cells": [16, 16, 16], "celles": 1, "periodik": 2}}, ["domain.celles: unknown key", "domain.periodik: unknown key"]),
    "several outputs": ({"output": [{"type": "film"}, {"type": "image", "plane": "y=2"}, {"type": "image"}, {"type": "series"}]},
                        ['output[0].type: "film"', "output[1].plane", "output[2].plane: missing"]),
    "several solids": ({"solids": [{"name": "a"}, SPHERE, {"box": {"from": [8, 8, 8], "to": [4, 12, 12]}}]}, ["solids[0]: has no shape", "solids[2].box"]),
    "both of the initial state": ({"initial": {"density": -1, "velocity": [0.6, 0, 0]}}, ["initial.density: -1", "initial.velocity"]),
    "what follows from the domain waits for it": ({"domain.cells": [16, 16], "run.steps": -1, "blocks.cells": [0], "force": 3},
                                                  ["domain.cells", "run.steps: -1"]),
    "what follows from units waits for them": ({"units": "si", "fluid.tau": 0.2}, ["si: missing"]),
    "a section by another name is not missing": ({"run": DELETE, "runs": {"steps": 4}, "precision": "half"}, ["runs: unknown key", 'precision: "half"']),
}

# name: (value of --set, words the message must hold)
SETS = {
    "no equals sign": ("run.steps", ["--set", "run.steps", "="]),
    "no path": ("=5", ["--set", "=5"]),
    "two dots": ("run..steps=5", ["--set", "run..steps"]),
    "dot at the end": ("run.=5", ["--set run.=5", "no key"]),
    "misspelt": ("run.stesp=5", ["run.stesp: unknown key", '"steps"', "--set run.stesp=5"]),
    "misspelt object": ("rn.steps=5", ["rn: unknown key", '"run"', "--set"]),
    "wrong type": ("run.steps=many", ['run.steps: "many"', "--set run.steps=many"]),
    "key of a list": ("domain.cells.x=5", ["--set", "domain.cells is not an object", '"x"']),
    "key of a number": ("fluid.tau.x=5", ["--set", "fluid.tau is not an object", '"x"']),
    "index of an object": ("run[0]=5", ["--set", "run is not a list"]),
    "index beyond": ("domain.cells[4]=5", ["--set", "3 entries"]),
    "index too many": ("domain.cells[3]=5", ["domain.cells", "4 entries"]),
    "index a word": ("domain.cells[x]=5", ["--set", "index"]),
    "index negative": ("domain.cells[-1]=5", ["--set", "index"]),
    "index open": ("domain.cells[0=5", ["--set", "]"]),
    "value half an object": ('fluid={"tau": 0.8', ["--set", "JSON"]),
    "value empty": ("run.steps=", ['run.steps: ""', "--set"]),
    "removal of nothing": ("initial.density=null", ["--set initial.density=null", "nothing to remove"]),
    "removal beyond a list": ("output[0]=null", ["--set output[0]=null", "nothing to remove"]),
    "removal of what is needed": ("fluid.tau=null", ["fluid: says nothing of the viscosity", "--set fluid.tau=null"]),
    "path without end": ("a." * 60000 + "a=1", ["--set", "deeper than any key"]),
    "lists without end": ("a" + "[0]" * 40000 + "=1", ["--set", "deeper than any key"]),
    "contradiction": ("fluid.viscosity=0.1", ["fluid", '"viscosity" and "tau"', "--set fluid.viscosity=0.1"]),
}


class BadCases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """What a first run on a machine says of StarPU's measurements is said here, not beside an error."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "case.json")
            with open(path, "w") as file:
                json.dump(GOOD, file)
            subprocess.run([WEIR, "run", path, "--quiet", "--out", os.path.join(folder, "out")], check=True, capture_output=True, timeout=300)

    def refuse(self, path, words, *options):
        """Both commands must refuse the case, in an otherwise empty folder that stays so."""
        for command in ("run", "check"):
            with self.subTest(command=command), tempfile.TemporaryDirectory() as folder:
                out = os.path.join(folder, "out")
                arguments = [WEIR, command, path, *options] + (["--out", out] if command == "run" else [])
                done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 2, f"{arguments}\n{done.stdout}\n{done.stderr}")
                message = done.stderr.strip()
                self.assertEqual(len(message.splitlines()), 1, f"not one line: {message}")
                self.assertLess(len(message), 700, message)
                for word in words:
                    self.assertIn(word, message)
                self.assertEqual(os.listdir(folder), [], "a refused case left something behind")

    def test_cases(self):
        with tempfile.TemporaryDirectory() as folder:
            for number, (name, (content, words)) in enumerate(CASES.items()):
                path = os.path.join(folder, f"bad{number}.json")
                content = case(content) if isinstance(content, dict) else content
                with open(path, "wb") as file:
                    file.write(content if isinstance(content, bytes) else content.encode())
                with self.subTest(name):
                    self.refuse(path, [path, *words])

    def test_mistakes(self):
        """All mistakes of a case are told at once, a line each, but none that may follow from another."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.json")
            for name, (content, lines) in MISTAKES.items():
                with open(path, "w") as file:
                    file.write(case(content) if isinstance(content, dict) else content)
                for command in ("run", "check"):
                    done = subprocess.run([WEIR, command, path], cwd=folder, capture_output=True, text=True, timeout=300)
                    with self.subTest(name, command=command):
                        self.assertEqual(done.returncode, 2, done.stderr)
                        told = done.stderr.splitlines()
                        self.assertEqual(len(told), len(lines), done.stderr)
                        for line, words in zip(told, lines):
                            self.assertIn(words, line)
                            self.assertTrue(line.startswith("weir: "), line)
                        self.assertEqual(os.listdir(folder), ["bad.json"])

    def test_very_many_mistakes(self):
        """Those that have no room are counted."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.json")
            with open(path, "w") as file:
                file.write(case({"output": [{"type": "film"}] * 100}))
            done = subprocess.run([WEIR, "check", path], capture_output=True, text=True, timeout=300)
            *told, last = done.stderr.splitlines()
            self.assertEqual(done.returncode, 2)
            self.assertGreater(len(told), 3)
            self.assertEqual(last, f"weir: and {100 - len(told)} more")
            self.assertTrue(all("film" in line for line in told), done.stderr)

    def test_removal(self):
        """--set KEY=null takes the key out, and others can take its place."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "case.json")
            with open(path, "w") as file:
                file.write(case({"output": [{"type": "series"}, {"type": "film"}], "force": [1, 2]}))
            done = subprocess.run([WEIR, "check", path, "--set", "fluid.tau=null", "--set", "fluid.viscosity=0.25", "--set", "output[1]=null", "--set",
                                   "force=null"], capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("tau 1.25", done.stdout)

    def test_warnings(self):
        """What is allowed but will disappoint, by numbers that follow from the case."""
        long, slab = {"run.steps": 1000000}, {"domain.periodic": [True, True, False]}
        still = {**SI, "fluid": {"viscosity": 1e-6}}
        moved = {**still, "boundaries": {"z+": {"type": "wall", "velocity": [0.1, 0, 0]}}}
        for changes, words, others in (
                ({}, [], ["warning", "driven"]),
                ({**long, **slab, "force": [1e-6, 0, 0]}, ["driven flow   about 0.00032 cells per step, Mach 0.001, Reynolds 0.0512 over 16 cells between walls"],
                 ["warning"]),
                ({**long, **slab, "force": [3e-4, 0, 0]}, ["about 0.096 cells per step"], ["warning"]),
                ({**long, **slab, "force": [1e-3, 0, 0]}, ["warning: by the force Mach 0.55"], ["diverge"]),
                ({**long, **slab, "force": [1e-2, 0, 0]}, ["warning: by the force Mach 5.54: the flow would diverge"], []),
                ({**slab, "force": [1e-2, 0, 0]}, ["about 0.1 cells per step at the end"], ["warning"]),
                ({**long, "force": [1e-2, 0, 0]}, [], ["warning", "driven"]),  # walls hold it
                ({**long, **slab, "fluid.tau": 0.501, "force": [1e-8, 0, 0]}, ["tau 0.5010 is near 1/2"], ["by the force"]),
                ({**long, **slab, "fluid.tau": 0.501, "force": [1e-6, 0, 0]}, ["Reynolds 4.6e+03: above about 2000"], []),
                ({"domain.periodic": [True, True, True], "force": [1e-5, 0, 0]}, ["nothing brakes the flow"], ["Mach 0.5"]),
                ({"fluid.tau": 3}, ["tau 3 is large: stresses"], ["use trt"]),
                ({"fluid.tau": 3, "collision": {"operator": "bgk"}}, ["tau 3 is large", "use trt"], []),
                (still, ["tau 0.5003 is near 1/2", "less so with the collision recursive", "si.time_step 0.0034 mends it"], []),
                ({**still, "si.time_step": 0.0034}, [], ["warning"]),
                (moved, ["no time step does, but si.cell_size 0.00027 with si.time_step 0.00027"], []),
                ({**moved, "si.cell_size": 0.00027, "si.time_step": 0.00027}, ["tau 0.5111 is too near 1/2 for trt at velocity 0.1", "use recursive"], ["diverge"]),
                ({**moved, "si.cell_size": 0.00027, "si.time_step": 0.00027, "collision": {"operator": "bgk"}}, [], ["warning"]),
                ({**moved, "fluid.viscosity": 1e-4, "si.time_step": 0.004}, ["Mach 0.69", "si.time_step 0.001 mends it"], []),
                ({**SI, "fluid.viscosity": 1e-2, "si.time_step": 0.01}, ["tau 301 is large", "si.time_step 1.7e-05 makes it 1"], [])):
            with self.subTest(changes), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "case.json")
                with open(path, "w") as file:
                    file.write(case(changes))
                done = subprocess.run([WEIR, "check", path], capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                for word in words:
                    self.assertIn(word, done.stdout)
                for word in others:
                    self.assertNotIn(word, done.stdout)

    def test_sets(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "good.json")
            with open(path, "w") as file:
                file.write(case({}))
            for name, (value, words) in SETS.items():
                with self.subTest(name):
                    self.refuse(path, words, "--set", value)

    def test_limited_memory(self):
        """1.24 GiB of cells in 1.17 GiB of addresses; 0.6 GiB of cells, and as much of sums of averages or of checkpoints."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1200 << 20, 1200 << 20))
        if subprocess.run([WEIR, "--version"], capture_output=True, preexec_fn=limit).returncode != 0:
            self.skipTest("a sanitizer, which reserves terabytes of addresses")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "large.json")
            cells = {"domain.cells": [200, 200, 200]}
            for changes, words, command in (
                    ({"domain.cells": [256, 256, 256]}, ["needs 1.2"], "check"),
                    ({"domain.cells": [256, 256, 256]}, ["needs 1.2"], "run"),
                    ({**cells, "output": [{"type": "averages"}]}, ["needs 1.4", "0.25 GiB of it for copies"], "run"),
                    ({**cells, "checkpoint": {"every": 10, "buffer": 1000}}, ["needs 1.", "GiB of it for copies"], "run")):
                with open(path, "w") as file:
                    file.write(case(changes))
                done = subprocess.run([WEIR, command, path], cwd=folder, capture_output=True, text=True, timeout=300, preexec_fn=limit,
                                      env={**os.environ, "STARPU_NCPU": "1", "STARPU_NCUDA": "0"})
                self.assertEqual(done.returncode, 2, done.stderr)
                for word in ["domain.cells: the domain", "ulimit -v", *words]:
                    self.assertIn(word, done.stderr)
                self.assertEqual(os.listdir(folder), ["large.json"])

    def test_earlier_results_stay(self):
        """What is refused is refused before the results of an earlier run are replaced."""
        with tempfile.TemporaryDirectory() as folder:
            path, out = os.path.join(folder, "good.json"), os.path.join(folder, "out")
            with open(path, "w") as file:
                file.write(case({"output": [{"type": "series"}]}))
            run = [WEIR, "run", path, "--out", out, "--force"]
            self.assertEqual(subprocess.run(run, capture_output=True, timeout=300).returncode, 0)
            contents = lambda: {file.name: file.read_bytes() for file in pathlib.Path(out).iterdir()}
            before = contents()
            self.assertIn("series.csv", before)
            for change in ('output=[{"type": "profile", "from": [8.6, 8, 8], "to": [9.4, 8, 8]}]', "domain.cells=[16384, 16384, 1024]",
                           'solids=[{"sphere": {"center": [8, 8, 8], "radius": 14}}]', "initial.density=1 + 1e-9/(x-0.5)"):
                self.assertEqual(subprocess.run([*run, "--set", change], capture_output=True, timeout=300).returncode, 2, change)
                self.assertEqual(before, contents(), change)

    def test_ranks(self):
        """Numbers of ranks are taken whole, not their last bits."""
        for text in ("0", "-1", "two", "8x", "", "1048577", "4294967297", "99999999999999999999"):
            done = subprocess.run([WEIR, "check", "any.json", "--ranks", text], capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 2, text)
            self.assertIn(f'--ranks: "{text}"', done.stderr)

    def test_maps(self):
        """A map in a file of its own is looked for beside the case, and named where it is wrong."""
        with tempfile.TemporaryDirectory() as folder:
            path, path_of_map = os.path.join(folder, "good.json"), os.path.join(folder, "map.json")
            with open(path, "w") as file:
                file.write(case({"ranks.map": "map.json"}))
            for text, words in (('{"regions": [', [path, "ranks.map: ", path_of_map, "line 1"]), ("[]", [path_of_map, "is a list"]),
                                ('{"region": []}', [path_of_map + ": region: unknown key", '"regions"']),
                                ('{"regions": [{"from": [0, 0, 0], "to": [16, 16, 16]}]}', [path_of_map + ": regions[0]: has neither"])):
                with open(path_of_map, "w") as file:
                    file.write(text)
                with self.subTest(text):
                    self.refuse(path, words)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            missing = os.path.join(folder, "missing.json")
            self.refuse(missing, [missing, "No such file"])
            self.refuse(folder, [folder, "folder"])
            self.refuse(os.path.join(folder, "no", "such", "folder.json"), ["folder.json", "No such file"])
            huge = os.path.join(folder, "huge.json")
            with open(huge, "w") as file:
                file.truncate(1 << 30)
            self.refuse(huge, [huge, "bytes"])

    def test_good(self):
        """What the broken cases are made from is not itself broken."""
        with tempfile.TemporaryDirectory() as folder:
            for number, changes in enumerate(({}, FLAT, SI, {"solids": [SPHERE]})):
                path = os.path.join(folder, f"good{number}.json")
                with open(path, "w") as file:
                    file.write(case(changes))
                done = subprocess.run([WEIR, "check", path], capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    WEIR = os.path.abspath(sys.argv.pop(1))
    unittest.main()
