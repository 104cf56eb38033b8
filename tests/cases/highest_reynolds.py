#!/usr/bin/env python3
"""The highest Reynolds number that each collision lives through, of flows that are far from resolved: Taylor-Green vortices in 64^3 cells
to t* = 10, and a doubly periodic shear layer in 128^2 cells (Minion, Brown, J. Comput. Phys. 138 (1997) 734; width 80, disturbance
0.05) to t* = 2. Velocities are 0.1 cells per step. It is looked for among 100, 200, 400 ..., by halving, as if who lives through one lives through all below.

Usage: highest_reynolds.py WEIR [Vortices | Layers | Table]...      Table prints all; the others assert what docs/numerics.md says of some
"""
import math

import weir_case

LEAST = 100
VELOCITY = 0.1
NEAREST = 1e-4  # to 1/2 that Weir takes a relaxation time

# Lattice, collision, storage. What regularised and recursive keep makes no other flow.
IN_SPACE = [("D3Q19", "bgk", "full"), ("D3Q19", "trt", "full"), ("D3Q19", "mrt", "full"), ("D3Q19", "regularised", "full"), ("D3Q19", "regularised", "moments"),
            ("D3Q19", "regularised", "mixed_moments"), ("D3Q19", "recursive", "full"), ("D3Q19", "recursive", "moments"), ("D3Q19", "recursive", "mixed_moments"), ("D3Q19", "hybrid_recursive", "full"),
            ("D3Q27", "bgk", "full"), ("D3Q27", "trt", "full"), ("D3Q27", "regularised", "full"), ("D3Q27", "recursive", "full"), ("D3Q27", "recursive", "moments"), ("D3Q27", "recursive", "mixed_moments"),
            ("D3Q27", "hybrid_recursive", "full"), ("D3Q27", "cumulant", "full"), ("D3Q27", "parametrised_cumulant", "full")]
IN_A_PLANE = [("D2Q9", collision, storage) for collision, storage in (("bgk", "full"), ("trt", "full"), ("mrt", "full"), ("regularised", "full"), ("regularised", "moments"),
                                                                       ("regularised", "mixed_moments"), ("recursive", "full"), ("recursive", "moments"), ("recursive", "mixed_moments"), ("hybrid_recursive", "full"))]


def vortices(reynolds):
    cells = 64
    length = cells / (2 * math.pi)
    u = VELOCITY
    return {"domain": {"cells": [cells] * 3, "periodic": [True] * 3}, "fluid": {"reynolds": {"number": reynolds, "velocity": u, "length": length}},
            "initial": {"density": f"1 + 3/16 * {u}^2 * (cos(4*pi*x/nx) + cos(4*pi*y/ny)) * (cos(4*pi*z/nz) + 2)",
                        "velocity": [f"{u} * sin(2*pi*x/nx) * cos(2*pi*y/ny) * cos(2*pi*z/nz)", f"-{u} * cos(2*pi*x/nx) * sin(2*pi*y/ny) * cos(2*pi*z/nz)", 0]},
            "run": {"steps": round(10 * length / u), "check_every": 20}}


def layers(reynolds):
    cells = 128
    u = VELOCITY
    return {"domain": {"cells": [cells] * 2, "periodic": [True] * 2}, "fluid": {"reynolds": {"number": reynolds, "velocity": u, "length": cells}},
            "initial": {"velocity": [f"y < ny/2 ? {u}*tanh(80*(y/ny - 0.25)) : {u}*tanh(80*(0.75 - y/ny))", f"0.05*{u}*sin(2*pi*(x/nx + 0.25))"]},
            "run": {"steps": round(2 * cells / u), "check_every": 20}}


class Highest(weir_case.CaseTest):
    in_memory = True

    def lives(self, flow, reynolds, lattice, collision, storage, precision):
        case = {"name": "highest", "lattice": lattice, "collision": {"operator": collision}, "precision": precision, "storage": storage, **flow(reynolds)}
        try:
            self.compute(case, workers=None)
        except AssertionError as error:
            self.assertIn("diverged", str(error))
            return False
        return True

    @staticmethod
    def doublings(flow):
        """Of the least number, up to the greatest that a case may have."""
        reynolds = flow(LEAST)["fluid"]["reynolds"]
        return math.floor(math.log2(3 * reynolds["velocity"] * reynolds["length"] / NEAREST / LEAST))

    def highest(self, flow, lattice, collision, storage, precision="single"):
        """The greatest number of 100, 200, 400 ... that it lives through, up to the greatest that a case may have; 0: none."""
        lived, died = -1, self.doublings(flow) + 1
        while died - lived > 1:
            middle = (lived + died) // 2
            if self.lives(flow, LEAST * 2**middle, lattice, collision, storage, precision):
                lived = middle
            else:
                died = middle
        return LEAST * 2**lived if lived >= 0 else 0


class Vortices(Highest):
    def test_moments_live_as_long(self):
        full = self.highest(vortices, "D3Q19", "recursive", "full")
        self.assertGreaterEqual(full, 1600)
        for storage in "moments", "mixed_moments":
            self.assertEqual(self.highest(vortices, "D3Q19", "recursive", storage), full)


class Layers(Highest):
    def test_moments_live_as_long(self):
        for collision, least in ("regularised", 3200), ("recursive", 25600):
            with self.subTest(collision=collision):
                full = self.highest(layers, "D2Q9", collision, "full")
                self.assertGreaterEqual(full, least)
                for storage in "moments", "mixed_moments":
                    self.assertEqual(self.highest(layers, "D2Q9", collision, storage), full)


class Table(Highest):
    """By name alone."""

    def test_all(self):
        for flow, variants in ((layers, IN_A_PLANE), (vortices, IN_SPACE)):
            for lattice, collision, storage in variants:
                for precision in ("single", "double") if flow is layers and storage != "mixed_moments" else ("single",):
                    highest = self.highest(flow, lattice, collision, storage, precision)
                    more = " or more" if highest == LEAST * 2**self.doublings(flow) else ""
                    print(f"{flow.__name__:8} {lattice} {collision:22} {storage:13} {precision:7} {highest:>8}{more}", flush=True)


if __name__ == "__main__":
    weir_case.main()
