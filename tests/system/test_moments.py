#!/usr/bin/env python3
"""Cells that keep moments: the same bits on any blocks, ranks and teams, and after a checkpoint; fields, forces on bodies and what
passes boundaries are those of populations with the same collision.

Usage: test_moments.py WEIR [SameBits | AsPopulations]...
"""
import json
import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases"))
import numpy

import weir_case
from weir_case import dimensions

CELLS = [35, 14, 11]  # more along x than lie together
STEPS, HALFWAY = 24, 11

# Lattice, collision, precision, what there is: each kind of boundary in two and in three dimensions, each lattice, collision and precision.
VARIANTS = [
    ("D2Q9", "recursive", "double", "lid"), ("D2Q9", "regularised", "single", "body"), ("D2Q9", "recursive", "single", "slip"),
    ("D2Q9", "regularised", "double", "channel"), ("D2Q9", "recursive", "double", "eddies"),
    ("D3Q19", "recursive", "single", "lid"), ("D3Q19", "regularised", "double", "body"), ("D3Q27", "recursive", "single", "slip"),
    ("D3Q19", "recursive", "single", "channel"), ("D3Q27", "recursive", "double", "eddies"), ("D3Q15", "regularised", "single", "channel"),
    ("D2Q9", "recursive", "mixed", "body"), ("D3Q19", "recursive", "mixed", "slip"), ("D3Q19", "recursive", "mixed", "channel"),
]
# Such as look at what has arrived, or at values in time: not the numbers of populations, but the same bits everywhere.
OTHER_VARIANTS = [("D2Q9", "recursive", "double", "wet"), ("D3Q19", "recursive", "single", "interpolated"), ("D3Q19", "recursive", "mixed", "wet")]
# What fields may differ by from those of populations.
TOLERANCES = {"double": 1e-13, "single": 1e-6, "mixed": 8e-6}

WAYS = [("static", 1, []), ("starpu:lws", 2, ["--poison"]), ("model", 2, ["--poison", "--set", "placement.workers=team"])]
BLOCKS = [[8, 5, 4], [35, 14, 3], [1, 14, 11], [33, 7, 11]]


def case_of(lattice, collision, precision, kind, storage="moments"):
    """precision: of case files; or "mixed", single with the stress in 16 bits where moments are kept."""
    if precision == "mixed":
        precision, storage = "single", "mixed_moments" if storage == "moments" else storage
    count = dimensions(lattice)
    ball = {"sphere": {"center": [12.3, 6, 5.2][:count], "radius": 2.7}, "name": "ball"}
    inlet = {"type": "velocity", "velocity": ["0.05*y*(ny - y)/49", 0.001, 0][:count]}
    more = {
        "lid": {"boundaries": {"y+": {"type": "wall", "velocity": [0.08, 0, 0.02][:count]}}},
        "body": {"domain": {"cells": CELLS[:count], "periodic": [True, False, True][:count]}, "force": [1e-4, -2e-5, 3e-5][:count],
                 "solids": [ball, {"box": {"from": [33, 8, 2][:count], "to": [35, 11, 7][:count]}, "name": "brick", "velocity": [0, 0, 0.03][:count]}]},
        "slip": {"boundaries": {"x-": {"type": "slip"}, "y-": {"type": "slip"}, "y+": {"type": "wall", "velocity": [0.05, 0, 0.01][:count]}}, "solids": [ball]},
        "channel": {"boundaries": {"x-": inlet, "x+": {"type": "pressure", "density": 1}}, "solids": [ball]},
        "eddies": {"boundaries": {"x-": inlet, "x+": {"type": "pressure", "density": 1}}, "turbulence": {"model": "smagorinsky", "constant": 0.3}, "solids": [ball]},
        "wet": {"boundaries": {"x-": {"type": "zou_he_velocity", "velocity": ["0.05*sin(t/7)*y*(ny - y)/49", 0, 0][:count]},
                               "x+": {"type": "convective", "velocity": [0.05, 0, 0][:count]}}},
        "interpolated": {"boundaries": {"x-": inlet, "x+": {"type": "regularised_pressure", "density": 1}}, "solids": [{**ball, "type": "interpolated_wall"}]},
    }[kind]
    return {
        "name": "moments", "lattice": lattice, "collision": {"operator": collision}, "precision": precision, "storage": storage,
        "domain": {"cells": CELLS[:count]}, "fluid": {"tau": 0.6},
        "initial": {"density": "1 + 0.01*sin(2*pi*x/nx)", "velocity": ["0.03*cos(2*pi*y/ny)", "0.02*sin(2*pi*x/nx)", "0.01*cos(2*pi*(x/nx + y/ny))"][:count]},
        "run": {"steps": STEPS}, **more,
    }


class SameBits(weir_case.CaseTest):
    in_memory = True

    def test_blocks_and_teams(self):
        for variant in VARIANTS + OTHER_VARIANTS:
            case = case_of(*variant)
            expected = self.compute({**case, "blocks": {"cells": case["domain"]["cells"]}}).summary["digest"]
            for number, blocks in enumerate(BLOCKS):
                policy, workers, options = WAYS[number % len(WAYS)]
                with self.subTest(variant, blocks=blocks):
                    cut = {"cells": blocks[:len(case["domain"]["cells"])], "planes_at_once": number + 1}
                    run = self.compute({**case, "blocks": cut}, "--set", f"placement.policy={policy}", *options,
                                       workers=workers)
                    self.assertEqual(run.summary["digest"], expected)

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_ranks(self):
        for variant in VARIANTS[1::4] + OTHER_VARIANTS:
            case = case_of(*variant)
            with self.subTest(variant):
                blocks = {"blocks": {"cells": [9, 7, 6][:len(case["domain"]["cells"])], "planes_at_once": 2}}
                self.assertEqual(self.compute({**case, **blocks}, ranks=2).summary["digest"], self.compute(case).summary["digest"])

    def test_going_on(self):
        """On other blocks, of an odd step; one checkpoint has moments and no more."""
        for variant in VARIANTS + OTHER_VARIANTS:
            case = {**case_of(*variant), "checkpoint": {"every": HALFWAY}}
            count = len(case["domain"]["cells"])
            with self.subTest(variant):
                whole = self.compute({**case, "blocks": {"cells": [18, 7, 11][:count]}})
                path = os.path.join(whole.folder, f"checkpoint_{HALFWAY:09d}.h5")
                again = self.compute(case, "--resume", path, "--set", f"blocks.cells={json.dumps([8, 9, 4][:count])}", "--poison")
                self.assertEqual((again.summary["digest"], again.summary["resumed_at"]), (whole.summary["digest"], HALFWAY))

    def test_other_flows_have_other_digests(self):
        case = case_of(*VARIANTS[0])
        digests = {self.compute({**case, **change}).summary["digest"] for change in ({}, {"fluid": {"tau": 0.6001}}, {"run": {"steps": STEPS + 1}})}
        self.assertEqual(len(digests), 3)


class AsPopulations(weir_case.CaseTest):
    in_memory = True

    def test_fields(self):
        for variant in VARIANTS:
            with self.subTest(variant):
                output = [{"type": "fields", "every": STEPS, "fields": ["density", "velocity"]}]
                moments, populations = (self.compute({**case_of(*variant, storage), "output": output}).fields("fields") for storage in ("moments", "full"))
                self.assertEqual(moments.keys(), populations.keys())
                for name in moments:
                    numpy.testing.assert_allclose(moments[name], populations[name], rtol=0, atol=TOLERANCES[variant[2]], err_msg=name)

    def test_a_force_in_16_bits(self):
        """Channels driven by a force, where half storage loses a fourth: what a step adds goes to the momentum, which has 32 bits."""
        cells, u, tau = 48, 0.05, 0.8
        case = {"name": "channel", "lattice": "D2Q9", "collision": {"operator": "recursive"}, "domain": {"cells": [4, cells], "periodic": [True, False]},
                "fluid": {"tau": tau}, "force": [8 * (tau - 0.5) / 3 * u / cells**2, 0], "run": {"steps": 40000},
                "output": [{"type": "fields", "every": 40000, "fields": ["velocity"]}]}
        double, mixed = (self.compute({**case, "precision": precision, "storage": storage}).fields("fields")["velocity"]
                         for precision, storage in (("double", "moments"), ("single", "mixed_moments")))
        self.assertGreater(double.max(), 0.99 * u)
        numpy.testing.assert_allclose(mixed, double, rtol=0, atol=4e-4 * u)

    def test_a_stream_in_16_bits(self):
        """Small waves on a fast stream, whose own flux of momentum is a hundred times their stress, and would lose it if it were kept in 16 bits."""
        cells, stream, wave = 32, 0.1, 0.002
        case = {"name": "stream", "lattice": "D2Q9", "collision": {"operator": "recursive"}, "domain": {"cells": [cells, cells], "periodic": [True, True]},
                "fluid": {"tau": 0.6}, "run": {"steps": 400}, "output": [{"type": "fields", "every": 400, "fields": ["velocity"]}],
                "initial": {"velocity": [f"{stream} + {wave}*sin(2*pi*y/ny)", f"{stream} + {wave}*sin(2*pi*x/nx)"]}}
        double, mixed = (self.compute({**case, "precision": precision, "storage": storage}).fields("fields")["velocity"]
                         for precision, storage in (("double", "moments"), ("single", "mixed_moments")))
        self.assertGreater(abs(double - stream).max(), 0.2 * wave)
        numpy.testing.assert_allclose(mixed, double, rtol=0, atol=5e-4 * wave)

    def test_viscosity_in_16_bits(self):
        """Vortices that decay, with tau as near to 1/2 as a case may have it."""
        cells, u = 32, 0.05
        steps = 4000
        case = {"name": "vortices", "lattice": "D2Q9", "collision": {"operator": "recursive"}, "domain": {"cells": [cells, cells], "periodic": [True, True]},
                "fluid": {"tau": 0.5001}, "run": {"steps": steps}, "output": [{"type": "fields", "every": steps, "fields": ["velocity"]}],
                "initial": {"velocity": [f"{u}*cos(2*pi*x/nx)*sin(2*pi*y/ny)", f"-{u}*sin(2*pi*x/nx)*cos(2*pi*y/ny)"]}}

        def energy(precision, storage):
            return (self.compute({**case, "precision": precision, "storage": storage}).fields("fields")["velocity"] ** 2).sum()

        double, mixed = energy("double", "moments"), energy("single", "mixed_moments")
        start = cells**2 * u**2 / 2
        self.assertLess(double, 0.99 * start)
        self.assertAlmostEqual((start - mixed) / (start - double), 1, delta=0.01)

    def forces(self, lattice, storage, steps):
        """On the ball, [step][axis], in each of the steps."""
        case = case_of(lattice, "recursive", "double", "body", storage)
        case = {**case, "solids": case["solids"][:1], "fluid": {"tau": 0.9}, "run": {"steps": steps}, "output": [{"type": "series", "every": 1}]}
        series = self.compute(case).series()
        return numpy.array([series[f"force_{axis}(ball)"] for axis in "xyz"]).T

    def test_force_on_a_body(self):
        """It is that of the step to come, where with populations it is that of the step before; in a steady flow they are one."""
        for lattice, steps in (("D2Q9", 3000), ("D3Q19", 1200)):
            with self.subTest(lattice):
                moments, populations = (self.forces(lattice, storage, steps) for storage in ("moments", "full"))
                numpy.testing.assert_allclose(moments[:-1], populations[1:], rtol=0, atol=1e-12)
                self.assertGreater(abs(moments[5] - populations[5]).max(), 1e-4)
                self.assertGreater(abs(populations[-1]).max(), 1e-2)
                numpy.testing.assert_allclose(moments[-1], populations[-1], rtol=0, atol=1e-4 * abs(populations[-1]).max())


if __name__ == "__main__":
    weir_case.main()
