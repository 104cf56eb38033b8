#!/usr/bin/env python3
"""Fields of a part of the domain, or of every n-th cell: the values of the whole's cells, at their places, whatever blocks and ranks.

Usage: test_field_parts.py WEIR
"""
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import h5py
import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import weir_case

FIELDS = ["density", "velocity", "vorticity"]
SPACE = {"lattice": "D3Q19", "domain": {"cells": [37, 26, 19]}, "fluid": {"tau": 0.6}, "boundaries": {"y+": {"type": "wall", "velocity": [0.05, 0, 0.01]}},
         "solids": [{"sphere": {"center": [15, 12, 9], "radius": 4}}], "blocks": {"cells": [10, 9, 8]}, "run": {"steps": 20}}
# A cell of 0.1 m; 2.3 m and 0.7 m are not just so many of them in binary.
FLAT = {"lattice": "D2Q9", "units": "si", "si": {"cell_size": 0.1, "time_step": 0.01, "density": 1000}, "domain": {"cells": [40, 30]},
        "fluid": {"viscosity": 0.02}, "boundaries": {"y+": {"type": "wall", "velocity": [0.2, 0]}}, "blocks": {"cells": [16, 7]}, "run": {"steps": 20}}
# What is asked for; the cells [z, y, x] of the whole that are written; where the grid begins, z y x, and its widths, in cells.
PARTS = {"box": ({"from": [3.2, 20, 19], "to": [30, 5, 4]}, (slice(4, 19), slice(5, 20), slice(3, 30)), (4, 5, 3), (1, 1, 1)),
         "plane": ({"from": [0, 0, 9], "to": [37, 26, 9], "stride": 2}, (slice(9, 10), slice(1, 26, 2), slice(1, 37, 2)), (9, 0.5, 0.5), (1, 2, 2)),
         "end": ({"from": [37, 0, 0]}, (slice(0, 19), slice(0, 26), slice(36, 37)), (0, 0, 36), (1, 1, 1)),
         "coarse": ({"stride": 3}, (slice(1, 18, 3), slice(1, 24, 3), slice(1, 36, 3)), (0, 0, 0), (3, 3, 3)),
         "middle": ({"stride": 19}, (slice(9, 10), slice(9, 10), slice(9, 10)), (0, 0, 0), (19, 19, 19)),
         "corner": ({"from": [5, 5, 5], "stride": 4}, (slice(7, 17, 4), slice(7, 25, 4), slice(7, 37, 4)), (5.5, 5.5, 5.5), (4, 4, 4))}
FLAT_PARTS = {"box": ({"from": [0.7, 0.3], "to": [2.3, 2.9], "stride": 2}, (slice(0, 1), slice(4, 29, 2), slice(8, 23, 2)), (0, 3.5, 7.5), (1, 2, 2))}


class FieldParts(weir_case.CaseTest):
    in_memory = True

    def check(self, case, parts, unit, **how):
        outputs = [{"type": "fields", "name": name, "fields": FIELDS, **(part[0] if part else {})} for name, part in {"whole": None, **parts}.items()]
        run = self.compute({**case, "output": outputs + how.pop("more", [])}, **how)
        whole = run.fields("whole")
        for name, (_, cells, begin, width) in parts.items():
            with self.subTest(name, **how):
                found = run.fields(name)
                self.assertEqual(found.keys(), whole.keys())
                for key, values in found.items():
                    numpy.testing.assert_array_equal(values, whole[key][cells], key)
                with h5py.File(run.newest(name, ".h5")) as file:
                    numpy.testing.assert_allclose(file.attrs["origin"][::-1], numpy.multiply(begin, unit), atol=1e-12)
                    self.assertEqual(tuple(file.attrs["stride"][::-1]), width)
                self.check_table(run, name, found["density"].shape, numpy.multiply(begin, unit), numpy.multiply(width, unit))
                if name in ("box", "plane"):
                    self.check_with_vtk(run, name, found["velocity"], numpy.multiply(begin, unit), numpy.multiply(width, unit))
        return run

    def check_with_vtk(self, run, name, velocity, begin, width):
        """What ParaView shows at a place in a cell, where VTK's reader is there."""
        cell = [extent // 3 for extent in velocity.shape[:3]]
        place = begin + (numpy.array(cell) + [0.5, 0.9, 0.2]) * width
        script = [sys.executable, os.path.join(HERE, "read_fields_with_vtk.py"), "--", os.path.join(run.folder, name + ".xmf"), "velocity"]
        done = subprocess.run([*script, ",".join(map(repr, map(float, place[::-1]))), ",".join(map(repr, map(float, velocity[tuple(cell)]))), "1e-12"],
                              capture_output=True, text=True)
        self.assertIn(done.returncode, [0, 77], done.stdout + done.stderr)

    def check_table(self, run, name, shape, begin, width):
        """What ParaView reads: nodes, where they begin, and how far they are apart."""
        tree = xml.etree.ElementTree.fromstring(run.bytes_of(name + ".xmf"))
        self.assertEqual(tree.find(".//Topology").get("Dimensions"), " ".join(str(extent + 1) for extent in shape))
        places = [[float(number) for number in item.text.split()] for item in tree.iter("DataItem") if item.get("Format") == "XML"]
        numpy.testing.assert_allclose(places, [begin, width], atol=1e-12)
        for attribute in tree.iter("Attribute"):
            extents = attribute.find("DataItem").get("Dimensions").split()
            self.assertEqual(tuple(int(extent) for extent in extents[:3]), shape)

    def test_space(self):
        self.check(SPACE, PARTS, 1)

    def test_flat(self):
        self.check(FLAT, FLAT_PARTS, 0.1)

    def test_compressed(self):
        """Chunks are then shared by blocks, and smaller than what they hold."""
        parts = {name: ({**part[0], "compressed": True}, *part[1:]) for name, part in PARTS.items()}
        run = self.check({**SPACE, "initial": {"velocity": [0, 0, 0]}, "boundaries": {}}, parts, 1, more=[{"type": "fields", "name": "plain", "fields": FIELDS,
                                                                                                         "from": [3.2, 5, 4], "to": [30, 20, 19]}])
        self.assertLess(os.path.getsize(run.newest("box", ".h5")), 0.5 * os.path.getsize(run.newest("plain", ".h5")))

    def test_ranks(self):
        if not shutil.which("mpirun"):
            self.skipTest("there is no mpirun")
        self.check(SPACE, PARTS, 1, ranks=3)


if __name__ == "__main__":
    weir_case.main()
