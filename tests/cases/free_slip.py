#!/usr/bin/env python3
"""Free slip: what meets such a face goes on along it, mirrored, so that a face is a plane of symmetry.

A uniform flow along slip faces stays what it is; half of a channel with a plane of symmetry has the flow of the whole channel's half;
and both have the same bits however the domain is cut.

Usage: free_slip.py WEIR
"""
import json

import numpy

import weir_case
from weir_case import along, dimensions

SLIP = {"type": "slip"}
LATTICES = ["D2Q9", "D3Q19"]  # the others are alike (test_links); each takes kernels of its own


class FreeSlip(weir_case.CaseTest):
    def fields(self, case, *options, **how):
        run = self.compute({"precision": "double", "fluid": {"tau": 0.6}, "output": [{"type": "fields"}], **case}, *options, **how)
        return run.summary, run.fields()

    def test_uniform_flow(self):
        for lattice in LATTICES:
            with self.subTest(lattice=lattice):
                count = dimensions(lattice)
                case = {"lattice": lattice, "domain": {"cells": [8, 6, 5][:count], "periodic": [True] + [False] * (count - 1)},
                        "boundaries": {face: SLIP for face in ["y-", "y+", "z-", "z+"][:2 * count - 2]},
                        "initial": {"velocity": along(0, 0.05, count)}, "run": {"steps": 301}}
                summary, fields = self.fields(case)
                self.assertLess(abs(summary["mass_drift"]), 1e-13)
                expected = numpy.zeros(count)
                expected[0] = 0.05
                self.assertLess(numpy.abs(fields["velocity"][..., :count] - expected).max(), 1e-14)

    def symmetric(self, lattice, height, half, **changes):
        """A channel with a bump of the velocity that is let in, or its lower half."""
        count = dimensions(lattice)
        profile = f"0.1*y*({height} - y)/{height}^2*4 + 0.02*cos(4*pi*y/{height})"
        return {"lattice": lattice, "domain": {"cells": [24, height // 2 if half else height, 6][:count],
                                               "periodic": [False, False, True][:count]},
                "boundaries": {"x-": {"type": "velocity", "velocity": along(0, profile, count)}, "x+": {"type": "pressure", "density": 1},
                               **({"y+": SLIP} if half else {})},
                "solids": [{"box": {"from": [8, -1, -1], "to": [12, 3, 7]}}] + ([] if half else [{"box": {"from": [8, height - 3, -1], "to": [12, height + 1, 7]}}]),
                "run": {"steps": 400}, **changes}

    def test_half_of_a_channel(self):
        height = 16
        for lattice in LATTICES:
            with self.subTest(lattice=lattice):
                _, whole = self.fields(self.symmetric(lattice, height, False))
                _, half = self.fields(self.symmetric(lattice, height, True))
                shape = (-1, height, 24, whole["velocity"].shape[-1])
                difference = whole["velocity"].reshape(shape)[:, :height // 2] - half["velocity"].reshape(-1, height // 2, *shape[2:])
                self.assertLess(numpy.nanmax(numpy.abs(difference)), 1e-13)

    def past_a_body(self, lattice, kind, half):
        """Flow past a round body in the middle of the cross-section, or the half, or quarter, of it before planes of symmetry."""
        count = dimensions(lattice)
        width, middle = 20, [10.5, 10, 10][:count]
        sides = ["y", "z"][:count - 1]
        body = {"cylinder": {"center": middle, "radius": 3.3}} if count == 2 else {"sphere": {"center": middle, "radius": 3.3}}
        case = {"lattice": lattice, "domain": {"cells": [32] + [width // 2 if half else width] * (count - 1)},
                "boundaries": {"x-": {"type": "velocity", "velocity": along(0, 0.05, count)}, "x+": {"type": "pressure", "density": 1},
                               **({f"{side}+": SLIP for side in sides} if half else {})},
                "solids": [{**body, "type": kind, "name": "body"}], "run": {"steps": 200},
                "output": [{"type": "fields"}, {"type": "series", "every": 200}]}
        run = self.compute({"precision": "double", "fluid": {"tau": 0.6}, **case})
        return run.fields()["velocity"], run.series("series")["force_x(body)"][-1]

    def test_half_of_a_body(self):
        """Bodies go on beyond planes of symmetry, wherever between cells their surface is: all of half a body's drag is its own."""
        for lattice, kind in [("D2Q9", "wall"), ("D2Q9", "interpolated_wall"), ("D3Q15", "interpolated_wall")]:
            with self.subTest(lattice=lattice, kind=kind):
                parts = 2 ** (dimensions(lattice) - 1)
                whole, drag = self.past_a_body(lattice, kind, False)
                part, share = self.past_a_body(lattice, kind, True)
                self.assertLess(abs(parts * share / drag - 1), 1e-12)
                low = whole[tuple(slice(0, extent) for extent in part.shape)]
                self.assertLess(numpy.nanmax(numpy.abs(low - part)), 1e-13)

    def test_same_bits(self):
        for lattice, storage in [("D2Q9", "half"), ("D3Q19", "full")]:
            with self.subTest(lattice=lattice, storage=storage):
                case = self.symmetric(lattice, 16, True, precision="single", storage=storage)
                case["run"]["steps"] = 41
                if dimensions(lattice) == 3:
                    case["domain"]["periodic"][2] = False
                    case["boundaries"].update({"z+": SLIP, "z-": SLIP})
                cuts = [([24, 8, 6], 1), ([7, 3, 2], 1), ([5, 8, 6], 2), ([24, 4, 3], 2)]
                digests = {self.fields(case, "--set", f"blocks.cells={json.dumps(cells[:dimensions(lattice)])}", "--poison",
                                       ranks=ranks)[0]["digest"] for cells, ranks in cuts}
                lists = self.fields(case, "--set", "blocks.list_up_to=1", "--set", f"blocks.cells={json.dumps([8, 4, 6][:dimensions(lattice)])}")
                self.assertEqual(digests, {lists[0]["digest"]})


if __name__ == "__main__":
    weir_case.main()
