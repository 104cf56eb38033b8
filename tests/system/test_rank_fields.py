#!/usr/bin/env python3
"""Fields of several ranks: the same values as of one process, with few workers and many outputs, and nothing half-written.

Usage: test_rank_fields.py WEIR
"""
import os
import shutil
import sys
import unittest
import xml.etree.ElementTree

import h5py
import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import weir_case

OUTPUT = [{"type": "fields", "every": 4}, {"type": "fields", "name": "more", "every": 3, "fields": ["pressure", "velocity_x"]},
          {"type": "image", "every": 6, "field": "speed", "streamlines": True}, {"type": "series", "every": 2},
          {"type": "profile", "every": 5, "from": [0, 6.2], "to": [36, 6.2], "fields": ["density", "velocity", "vorticity"]},
          {"type": "fields", "name": "derived", "every": 5, "fields": ["vorticity", "q_criterion", "shear_stress", "wall_shear_stress", "cell_type"]}]

FLAT = {"name": "flat", "lattice": "D2Q9", "domain": {"cells": [37, 29]}, "fluid": {"tau": 0.7}, "precision": "double",
        "boundaries": {"y+": {"type": "wall", "velocity": [0.05, 0]}}, "run": {"steps": 12}, "output": OUTPUT}

SPATIAL = {"name": "spatial", "lattice": "D3Q19", "domain": {"cells": [40, 36, 21], "periodic": [True, True, False]},
           "fluid": {"tau": 0.7}, "initial": {"velocity": ["0.04*sin(2*pi*y/ny)", "0.04*cos(2*pi*x/nx)", "0"]},
           "solids": [{"sphere": {"center": [20, 18, 10], "radius": 5}}], "run": {"steps": 12},
           "output": [OUTPUT[0], OUTPUT[1], {"type": "image", "plane": "z=0.5", "every": 6, "field": "speed", "streamlines": 12}, OUTPUT[5],
                      {"type": "image", "plane": "x=0", "every": 6, "field": "vorticity"}]}


def read(path):
    """Attributes and datasets of a file of fields, with all that a reader sees of them."""
    with h5py.File(path) as file:
        attributes = {name: numpy.array(value).tolist() for name, value in file.attrs.items()}
        return attributes, {name: (data.dtype, data.attrs["units"], data[...]) for name, data in file.items()}


@unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
class RankFields(weir_case.CaseTest):
    in_memory = True

    def same_files(self, run, expected):
        """Fields, pictures and tables hold the same; nothing else is there."""
        self.assertEqual(run.files(), expected.files())
        self.assertEqual(run.summary["digest"], expected.summary["digest"])
        for name in expected.files(".h5"):
            attributes, fields = read(os.path.join(run.folder, name))
            expected_attributes, expected_fields = read(os.path.join(expected.folder, name))
            self.assertEqual(attributes, expected_attributes)
            self.assertEqual(fields.keys(), expected_fields.keys())
            for key, (kind, unit, values) in expected_fields.items():
                self.assertEqual(fields[key][:2], (kind, unit))
                numpy.testing.assert_array_equal(fields[key][2], values, f"{key} of {name}")
        for name in expected.files(".csv") + expected.files(".png") + expected.files(".xmf"):
            self.assertEqual(run.bytes_of(name), expected.bytes_of(name), name)

    def check(self, case, ways):
        expected = self.compute(case)
        for ranks, block, *options in ways:
            with self.subTest(ranks=ranks, block=block):
                self.same_files(self.compute(case, "--set", f"blocks.cells={block}", *options, ranks=ranks), expected)

    def test_flat(self):
        self.check(FLAT, [(2, [10, 29], "--poison"), (4, [37, 7])])

    def test_spatial(self):
        self.check(SPATIAL, [(2, [20, 9, 21]), (3, [16, 16, 8], "--poison"), (4, [19, 36, 5])])

    def test_ranks_without_blocks(self):
        """They take part in all outputs and sums."""
        self.check(FLAT, [(3, [37, 29], "--poison"), (4, [20, 29])])
        self.check(SPATIAL, [(4, [40, 36, 11])])

    def test_the_same_bytes(self):
        """With the same blocks, files do not even tell how many ranks wrote them."""
        block = "blocks.cells=[16,16,11]"
        case = {**SPATIAL, "output": SPATIAL["output"][:2]}
        one, three = self.compute(case, "--set", block), self.compute(case, "--set", block, ranks=3)
        self.assertTrue(one.files(".h5"))
        for name in one.files(".h5"):
            self.assertEqual(one.bytes_of(name), three.bytes_of(name), name)

    def test_table_of_contents(self):
        """Names files that are there."""
        run = self.compute(SPATIAL, ranks=2)
        names = {item.text.split(":")[0] for item in xml.etree.ElementTree.parse(os.path.join(run.folder, "fields.xmf")).iter("DataItem")
                 if item.get("Format") == "HDF"}
        self.assertEqual(sorted(names), [name for name in run.files(".h5") if name.startswith("fields")])

    def test_steady(self):
        """The last step is found while outputs of earlier ones are written."""
        case = {**FLAT, "run": {"steps": 4000, "stop_when": {"steady": 3e-4, "every": 20}},
                "output": [{"type": "fields", "every": 100}, {"type": "fields", "name": "more", "every": 70}]}
        expected = self.compute(case)
        self.assertEqual(expected.summary["stopped_by"], "steady")
        self.same_files(self.compute(case, "--set", "blocks.cells=[10,10]", ranks=3), expected)

    def test_one_worker_and_an_output_at_every_step(self):
        """A worker that waits for others in one call is not needed for them to come there."""
        case = {**FLAT, "run": {"steps": 8, "check_every": 1},
                "output": [{"type": "fields", "every": 1}, {"type": "fields", "name": "b", "every": 1, "fields": ["vorticity"]}, OUTPUT[2]]}
        expected = self.compute(case)
        for policy in ("balanced", "starpu:lws"):
            for ranks in (2, 3):
                run = self.compute(case, "--set", "blocks.cells=[7,5]", "--set", f"placement.policy={policy}", ranks=ranks)
                self.same_files(run, expected)


if __name__ == "__main__":
    weir_case.main()
