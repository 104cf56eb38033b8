#!/usr/bin/env python3
"""Averages over time: what fields of the same steps give with NumPy, whatever computes the flow.

Usage: test_averages.py WEIR
"""
import os
import shutil
import sys
import unittest

import h5py
import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import weir_case

TENSOR = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)]
FIELDS = ["density", "velocity", "velocity_rms", "reynolds_stress"]
SPATIAL = {"name": "spatial", "lattice": "D3Q19", "precision": "double", "domain": {"cells": [20, 18, 12], "periodic": [True, True, False]},
           "fluid": {"tau": 0.55}, "initial": {"velocity": ["0.08*sin(2*pi*y/ny)", "0.08*cos(2*pi*x/nx)", "0.04*sin(2*pi*x/nx)"]},
           "solids": [{"sphere": {"center": [12, 9, 6], "radius": 3}}], "run": {"steps": 43}}
FLAT = {"name": "flat", "lattice": "D2Q9", "precision": "double", "domain": {"cells": [24, 20]},
        "units": "si", "si": {"cell_size": 0.01, "time_step": 0.001, "density": 1000}, "fluid": {"viscosity": 0.005},
        "boundaries": {"y+": {"type": "wall", "velocity": [0.8, 0]}}, "run": {"steps": 40}}


def averages(**more):
    return {"type": "averages", "every": 4, "start": 10, "fields": FIELDS, **more}


class Averages(weir_case.CaseTest):
    in_memory = True

    def test_fields_say_the_same(self):
        """Samples from step 12 to 40; the end of the run at 43 is none."""
        for case, scale, start in (SPATIAL, 0.08, 10), (FLAT, 0.8, 12):
            run = self.compute({**case, "output": [averages(start=start), {"type": "fields", "every": 4}]})
            self.assertEqual([name for name in run.files() if name.startswith("averages")],
                             ["averages.xmf", f"averages_{case['run']['steps']:09d}.h5"])
            seen = [run.fields_at("fields", step) for step in range(12, 41, 4)]
            velocity = numpy.stack([fields["velocity"] for fields in seen])
            mean = velocity.mean(0)
            covariance = numpy.stack([((velocity - mean)[..., a] * (velocity - mean)[..., b]).mean(0) for a, b in TENSOR], -1)
            got = run.fields("averages")
            self.assertGreater(covariance.max(), 1e-5 * scale**2)
            density = numpy.mean([fields["density"] for fields in seen], 0)
            for name, expected, size in (("velocity", mean, scale), ("reynolds_stress", covariance, scale**2), ("density", density, density.max()),
                                         ("velocity_rms", numpy.sqrt(covariance[..., :3]), 1e-3 * scale)):
                self.assertLess(abs(got[name] - expected).max(), 1e-12 * size if name != "velocity_rms" else 1e-6 * scale, name)
            if "solid" in got:
                self.assertTrue((got["reynolds_stress"][got["solid"] > 0] == 0).all())

    def test_eddy_viscosity(self):
        """Its mean, with the same bits over blocks, and gone on with from a checkpoint; without eddies there it begins anew."""
        output = [averages(start=12, fields=["eddy_viscosity", "velocity"]), {"type": "fields", "every": 4, "fields": ["eddy_viscosity"]}]
        case = {**SPATIAL, "turbulence": {"constant": 0.3}, "output": output}
        run = self.compute({**case, "checkpoint": {"every": 20, "keep": 9}})
        mean = numpy.mean([run.fields_at("fields", step)["eddy_viscosity"] for step in range(12, 41, 4)], 0)
        expected = run.fields("averages")
        self.assertGreater(mean.max(), 1e-5)
        self.assertLess(abs(expected["eddy_viscosity"] - mean).max(), 1e-12 * mean.max())
        file = os.path.join(run.folder, "checkpoint_000000020.h5")
        again = self.compute({**case, "blocks": {"cells": [8, 8, 8]}}, "--resume", file)
        self.assertEqual(again.summary["warnings"], [])
        self.same(again, expected, "eddies")
        without = self.compute({**SPATIAL, "output": [averages(start=12)]}, "--resume", file)
        self.assertTrue(any("averages are of steps from 20 on" in words for words in without.summary["warnings"]))

    def same(self, run, expected, what):
        for name, values in expected.items():
            self.assertTrue(numpy.array_equal(run.fields("averages")[name], values), f"{what}: {name}")

    def test_same_bits(self):
        case = {**SPATIAL, "output": [averages()]}
        expected = self.compute(case).fields("averages")
        for blocks in ({"cells": [8, 8, 8]}, {"cells": [5, 6, 4]}, {"cells": [8, 8, 8], "list_up_to": 1}):
            self.same(self.compute({**case, "blocks": blocks}, workers=2), expected, blocks)

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_same_bits_on_ranks(self):
        case = {**SPATIAL, "output": [averages()]}
        expected = self.compute(case).fields("averages")
        for ranks in 2, 3:
            self.same(self.compute({**case, "blocks": {"cells": [8, 8, 8]}}, ranks=ranks), expected, ranks)

    def check_goes_on(self, steps, ranks=1, **changes):
        """Sums are in checkpoints: before the first sample at step 12, at one, between two, at the end."""
        case = {**SPATIAL, "output": [averages()], "blocks": {"cells": [8, 8, 8]}}
        expected = self.compute(case).fields("averages")
        for step in steps:
            part = self.compute({**case, "checkpoint": {"every": step, "keep": 9}}, ranks=ranks)
            file = os.path.join(part.folder, f"checkpoint_{step:09d}.h5")
            again = self.compute({**case, **changes}, "--resume", file, ranks=ranks)
            self.assertEqual(again.summary["warnings"], [], step)
            self.same(again, expected, step)
        return file

    def test_goes_on(self):
        self.check_goes_on((8, 12, 13, 40), blocks={"cells": [5, 6, 4]})

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_goes_on_on_ranks(self):
        self.check_goes_on((13,), ranks=2)

    def test_goes_on_as_something_else(self):
        """Samples at other steps do not go together with those of the checkpoint, and that is said."""
        file = self.check_goes_on((20,))
        again = self.compute({**SPATIAL, "output": [averages(every=5)]}, "--resume", file)
        self.assertIn("averages are of steps from 20 on", again.summary["warnings"][0])
        alone = self.compute({**SPATIAL, "output": [averages(every=5, start=20)]})
        self.same(again, alone.fields("averages"), "from 20 on")

    def test_damaged_sums_are_refused(self):
        file = self.check_goes_on((20,))
        with h5py.File(file, "r+") as whole:
            whole["averages averages"][3, 2, 1, 0] += 1e-9
        refused = self.compute({**SPATIAL, "output": [averages()]}, "--resume", file, code=2)
        self.assertIn("sums of averages", refused.error)

    def test_ends_before_a_sample(self):
        """Steady before the first one: nothing is written."""
        case = {**FLAT, "run": {"steps": 9000, "stop_when": {"steady": 0.5, "every": 20}}, "output": [averages(start=8000)]}
        run = self.compute(case)
        self.assertEqual(run.summary["stopped_by"], "steady")
        self.assertEqual([name for name in run.files() if name.startswith("averages")], [])


if __name__ == "__main__":
    weir_case.main()
