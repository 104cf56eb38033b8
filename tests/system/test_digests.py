#!/usr/bin/env python3
"""The result has the same bits however the domain is cut, whoever computes and whatever unused memory holds; and another result
has another digest.

Usage: test_digests.py WEIR [SameBits | RanksSameBits | OtherBits]...
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases"))
import numpy

import weir_case
from weir_case import dimensions, in_precision

VARIANTS = weir_case.VARIANTS + weir_case.HALF_VARIANTS
CELLS = [19, 13, 11]
EVEN, ODD = 24, 25

# Ways to compute one case: cells of a block, policy, workers, options. The first is what the others must agree with.
WAYS = [
    (CELLS, "static", 1, []),                    # one block
    (CELLS, "starpu:eager", 2, ["--poison"]),
    ([8, 5, 4], "balanced", 2, ["--poison"]),    # smaller blocks at the ends of axes
    ([8, 5, 4], "starpu:lws", 2, []),
    ([1, 13, 11], "starpu:dmda", 2, ["--poison"]),
    ([19, 1, 11], "starpu:dmdas", 2, []),
    ([19, 13, 1], "model", 2, ["--poison", "--set", "placement.workers=team"]),
    ([7, 1, 1], "starpu:eager", 1, []),
    ([2, 2, 2], "static", 2, ["--set", 'placement.shares={"cpu0": 3, "cpu1": 1}']),  # hundreds of blocks
    ([18, 12, 10], "starpu:lws", 1, ["--poison"]),  # one layer of cells left over
]


def case_of(lattice, collision, precision, steps=EVEN):
    """Walls of which one moves, a periodic axis, force, solids that borders of blocks cut, a start that varies everywhere."""
    count = dimensions(lattice)
    return {
        "name": "digest",
        "lattice": lattice,
        "collision": {"operator": collision},
        **in_precision(precision),
        "domain": {"cells": CELLS[:count], "periodic": [True, False, False][:count]},
        "fluid": {"tau": 0.6},
        "boundaries": {"y+": {"type": "wall", "velocity": [0.08, 0, 0.02][:count]}},
        "force": [1e-4, -2e-5, 3e-5][:count],
        "initial": {"density": "1 + 0.01*sin(2*pi*x/nx)",
                    "velocity": ["0.05*cos(2*pi*y/ny)", "0.03*sin(2*pi*x/nx)", "0.02*cos(2*pi*(x/nx + y/ny))"][:count]},
        "solids": [
            {"sphere": {"center": [0.5, 5, 4][:count], "radius": 2.6}, "name": "ball"},
            {"box": {"from": [9, 7, 2][:count], "to": [13, 10, 7][:count]}, "name": "brick", "velocity": [0, 0, 0.03][:count]},
            {"cylinder": {"center": [15, 3, 6][:count], "axis": "z", "radius": 1.6, "length": 6}},
        ],
        "run": {"steps": steps},
    }


def open_case_of(lattice, collision, precision, steps=EVEN):
    """The same with fluid that comes in and leaves: by profiles along x, and through two of the solids."""
    case, count = case_of(lattice, collision, precision, steps), dimensions(lattice)
    case["domain"]["periodic"] = [False, False, True][:count]
    case["boundaries"]["x-"] = {"type": "velocity", "velocity": ["0.1*y*(ny - y)/ny^2", "0.01*x + 0.01", "0.02*z/nz"][:count]}
    case["boundaries"]["x+"] = {"type": "pressure", "density": "1 + 0.01*y/ny"}
    case["solids"][0].update({"type": "pressure", "density": 0.99})
    case["solids"][1].update({"type": "velocity", "velocity": [0.02, 0.01, 0][:count]})
    case["output"] = [{"type": "series", "every": 1, "faces": True}]
    return case


def turn_of(variant):
    """0 or 1, both of them for each lattice, collision and precision that VARIANTS has."""
    lattice, collision, _ = variant
    return (weir_case.LATTICES.index(lattice) // 2 + weir_case.COLLISIONS.index(collision)) % 2


class Digests(weir_case.CaseTest):
    def in_way(self, case, cells, policy, workers, options):
        block = f"blocks.cells={cells[:len(case['domain']['cells'])]}"
        run = self.compute(case, "--set", block, "--set", f"placement.policy={policy}", *options, workers=workers)
        self.assertEqual(run.summary["policy"], policy)
        return run

    def digest(self, case, *options):
        return self.compute(case, *options).summary["digest"]


class SameBits(Digests):
    def check(self, case, ways=WAYS):
        reference, *others = ways
        expected = self.in_way(case, *reference).summary["digest"]
        self.assertRegex(expected, "^[0-9a-f]{32}$")
        for way in others:
            with self.subTest(way=way):
                self.assertEqual(self.in_way(case, *way).summary["digest"], expected)

    def test_even_steps(self):
        """Half of the ways for each: every lattice, collision and precision meets them all."""
        for variant in VARIANTS:
            with self.subTest(variant):
                self.check(case_of(*variant), WAYS[:1] + WAYS[1 + turn_of(variant)::2])

    def test_odd_steps(self):
        """Half of four ways for each, again so that every lattice, collision and precision meets them all."""
        for variant in VARIANTS:
            with self.subTest(variant):
                self.check(case_of(*variant, ODD), WAYS[:1] + (WAYS[2:4] + WAYS[8:])[turn_of(variant)::2])

    def test_periodic_axes(self):
        """Each set of them, on the lattice that has links of every kind."""
        for number in range(8):
            periodic = [bool(number & 1 << axis) for axis in range(3)]
            case = case_of("D3Q27", "trt", "single")
            case["domain"]["periodic"] = periodic
            case["boundaries"] = {} if periodic[1] else case["boundaries"]
            with self.subTest(periodic=periodic):
                self.check(case, WAYS[:1] + (WAYS[1:3] + WAYS[7:9])[sum(periodic) % 2::2])

    def test_thin_domains(self):
        """One cell along an axis, which is its own neighbour where the axis is periodic; and one cell in all."""
        for cells in ([1, 9, 7], [9, 1, 7], [9, 7, 1], [1, 1, 1], [1, 12, 1]):
            for periodic in (True, False):
                case = case_of("D3Q27", "bgk", "double")
                case["domain"] = {"cells": cells, "periodic": [periodic] * 3}
                case["boundaries"] = {} if periodic else case["boundaries"]
                del case["solids"]
                with self.subTest(cells=cells, periodic=periodic):
                    self.check(case, [(cells, "static", 1, []), (cells, "static", 1, ["--poison"]),
                                      ([1, 1, 1], "static", 2, []), ([2, 4, 3], "starpu:lws", 2, ["--poison"])])

    def test_open_boundaries(self):
        """What passes them, and their forces, have the same bits too."""
        for number, variant in enumerate(VARIANTS[::3] + VARIANTS[-3:]):
            with self.subTest(variant):
                case = open_case_of(*variant, steps=EVEN + number % 2)
                ways = WAYS[:1] + (WAYS[1:3] + WAYS[5:9])[number % 2::2]
                reference, *others = [self.in_way(case, *way) for way in ways]
                self.assertEqual(set(reference.summary["boundaries"]), {"x-", "x+", "ball", "brick"})
                self.assertEqual(reference.summary["warnings"], [])
                for run in others:
                    self.assertEqual(run.summary["digest"], reference.summary["digest"])
                    self.assertEqual(run.summary["boundaries"], reference.summary["boundaries"])
                    self.assertEqual(run.bytes_of("series.csv"), reference.bytes_of("series.csv"))

    def test_defaults(self):
        """Blocks, policy and workers as the program chooses them."""
        case = case_of("D3Q19", "trt", "single")
        self.assertEqual(self.compute(case, workers=None).summary["digest"], self.digest(case, "--poison"))

    def test_moves(self):
        """Blocks that change their homes on the way."""
        case = case_of("D3Q19", "trt", "single", steps=400)
        case["domain"]["cells"] = [48, 48, 48]
        still = self.compute(case, "--set", "placement.policy=static", "--set", "blocks.cells=[16,16,16]")
        moved = self.compute(case, "--set", "placement.policy=balanced", "--set", "blocks.cells=[8,16,16]",
                             "--set", 'placement.shares={"cpu0": 9, "cpu1": 1}', workers=2)
        self.assertGreater(moved.summary["moved_blocks"], 0)
        self.assertEqual(moved.summary["digest"], still.summary["digest"])

    def test_outputs(self):
        """All that is written is the same as well, and writing changes nothing."""
        case = case_of("D3Q19", "trt", "single")
        silent = self.digest(case)
        case["output"] = [{"type": "series", "every": 1}, {"type": "fields", "every": 7},
                          {"type": "profile", "from": [0, 6.2, 5], "to": [19, 6.2, 5]},
                          {"type": "image", "plane": "z=0.5", "field": "vorticity", "every": 5}]
        runs = [self.in_way(case, *way) for way in (WAYS[0], WAYS[2], WAYS[4], WAYS[8])]
        for run in runs:
            self.assertEqual(run.summary["digest"], silent)
            self.assertEqual(run.files(), runs[0].files())
            for name in run.files(".csv") + run.files(".png") + run.files(".xmf"):
                with self.subTest(name):
                    self.assertEqual(run.bytes_of(name), runs[0].bytes_of(name))
            for name, values in run.fields().items():
                with self.subTest(name):
                    numpy.testing.assert_array_equal(values, runs[0].fields()[name])


# The same with ranks: their number, cells of a block, policy, options.
RANK_WAYS = [
    (2, [8, 5, 4], "balanced", ["--poison"]),
    (3, [7, 13, 4], "starpu:lws", []),
    (4, [10, 7, 6], "static", ["--poison", "--set", "ranks.grid=[2,2,1]"]),
    (5, [4, 4, 11], "model", ["--poison"]),
]


class RanksSameBits(Digests):
    """Ranks of an MPI launcher, on this machine."""

    def on_ranks(self, case, ranks, cells, policy, options):
        block = f"blocks.cells={cells[:len(case['domain']['cells'])]}"
        run = self.compute(case, "--set", block, "--set", f"placement.policy={policy}", *options, ranks=ranks)
        self.assertEqual((run.summary["ranks"], run.summary["policy"]), (ranks, policy))
        self.assertEqual(len(run.summary["rank_blocks"]), ranks)
        self.assertEqual(sum(run.summary["rank_blocks"]) + run.summary["solid_blocks"], run.summary["blocks"])
        self.assertGreater(min(run.summary["rank_blocks"]), 0)
        if policy != "balanced":
            self.assertEqual(run.summary["moved_between_ranks"], 0)
        return run

    def check(self, case, ways=RANK_WAYS):
        expected = self.compute(case).summary
        for way in ways:
            with self.subTest(way=way):
                summary = self.on_ranks(case, *way).summary
                for key in ("digest", "mass_drift", "max_velocity", "fluid_cells", "steps", "boundaries"):
                    self.assertEqual(summary[key], expected[key], key)

    def test_lattices(self):
        """Each with one collision and precision, and every one of those; an odd number of steps for some."""
        for number, variant in enumerate([("D2Q9", "bgk", "single"), ("D3Q15", "trt", "double"), ("D3Q19", "trt", "half"),
                                          ("D3Q27", "bgk", "single"), ("D3Q19", "bgk", "double")]):
            ways = [RANK_WAYS[(number + k) % len(RANK_WAYS)] for k in range(2)]
            with self.subTest(variant):
                self.check(case_of(*variant, steps=EVEN + number % 2), ways)

    def test_open_boundaries(self):
        self.check(open_case_of("D3Q19", "trt", "single"), RANK_WAYS[:3])
        self.check(open_case_of("D2Q9", "bgk", "half", steps=ODD), RANK_WAYS[1:2])
        carried = open_case_of("D2Q9", "trt", "double", steps=ODD)
        carried["boundaries"]["x+"] = {"type": "convective", "velocity": ["0.05 + 0.02*y/ny", 0]}
        self.check(carried, RANK_WAYS[:2])

    def test_periodic_axes(self):
        """Ranks that meet on two sides, and blocks that are their own neighbours."""
        for periodic in ([True] * 3, [False, True, True], [False] * 3):
            case = case_of("D3Q27", "trt", "single")
            case["domain"]["periodic"] = periodic
            case["boundaries"] = {} if periodic[1] else case["boundaries"]
            with self.subTest(periodic=periodic):
                self.check(case, [(2, [19, 13, 6], "balanced", ["--poison"]), (3, [7, 5, 11], "balanced", [])])

    def test_thin_blocks(self):
        """Through which populations go from rank to rank across edges and corners alone."""
        case = case_of("D3Q15", "bgk", "single")
        self.check(case, [(3, [1, 1, 4], "balanced", ["--poison"]), (4, [9, 1, 1], "balanced", ["--poison"])])

    def test_steady(self):
        """All ranks stop at the same step."""
        case = case_of("D3Q19", "trt", "single", steps=4000)
        case["run"]["stop_when"] = {"steady": 1e-4, "every": 50}
        one, several = self.compute(case).summary, self.compute(case, "--set", "blocks.cells=[8,5,4]", ranks=3).summary
        self.assertEqual(one["stopped_by"], "steady")
        for key in ("digest", "steps", "stopped_by"):
            self.assertEqual(several[key], one[key])

    def test_outputs(self):
        case = case_of("D3Q19", "trt", "single")
        case["output"] = [{"type": "series", "every": 1}, {"type": "fields", "every": 7},
                          {"type": "profile", "from": [0, 6.2, 5], "to": [19, 6.2, 5]},
                          {"type": "image", "plane": "z=0.5", "field": "vorticity", "every": 5}]
        one = self.in_way(case, *WAYS[2])
        several = self.on_ranks(case, 3, WAYS[2][0], "balanced", ["--poison"])
        self.assertEqual(several.summary["digest"], one.summary["digest"])
        self.assertEqual(several.files(), one.files())
        for name in one.files(".csv") + one.files(".png") + one.files(".xmf"):
            with self.subTest(name):
                self.assertEqual(several.bytes_of(name), one.bytes_of(name))
        for name, values in one.fields().items():
            with self.subTest(name):
                numpy.testing.assert_array_equal(several.fields()[name], values)


class OtherBits(Digests):
    def test_other_cases(self):
        """Any change of the case changes the digest."""
        case = case_of("D3Q19", "trt", "single")
        case["solids"].append({"box": {"from": [9, 11, 8], "to": [10, 12, 9]}})
        changes = {
            "one cell of a solid": ["solids[3].box.to[0]", 11],
            "one step more": ["run.steps", EVEN + 1],
            "lid": ["boundaries.y+.velocity[0]", 0.0800001],
            "inlet": ["boundaries.z-", '{"type": "velocity", "velocity": [0, 0, "0.0000001*x"]}'],
            "outlet": ["boundaries.z-", '{"type": "pressure", "density": 1}'],
            "solid's speed": ["solids[1].velocity[2]", 0.0300001],
            "force": ["force[2]", 3.00001e-5],
            "viscosity": ["fluid.tau", 0.600001],
            "magic parameter": ["collision.magic", 0.18751],
            "density at the start": ["initial.density", "1 + 0.0100001*sin(2*pi*x/nx)"],
            "velocity at the start": ["initial.velocity[1]", "0.0300001*sin(2*pi*x/nx)"],
            "collision": ["collision.operator", "bgk"],
            "precision": ["precision", "double"],
            "lattice": ["lattice", "D3Q27"],
        }
        seen = {self.digest(case): "nothing"}
        for name, (path, value) in changes.items():
            with self.subTest(name):
                digest = self.digest(case, "--set", f"{path}={value}")
                self.assertNotIn(digest, seen, f"the same as with {seen.get(digest)}")
                seen[digest] = name

    def test_place(self):
        """The same populations elsewhere are another state."""
        case = case_of("D3Q19", "trt", "double", 0)
        for key in ("solids", "boundaries", "force"):
            del case[key]
        case["domain"] = {"cells": [8, 8, 8], "periodic": [True] * 3}
        bumps = [f"1 + (abs({axis} - {place}) < 0.1 ? 0.01 : 0)" for axis in "xyz" for place in (2.5, 3.5)]
        digests = {self.digest({**case, "initial": {"density": bump}}) for bump in bumps}
        self.assertEqual(len(digests), len(bumps))


if __name__ == "__main__":
    weir_case.main()
