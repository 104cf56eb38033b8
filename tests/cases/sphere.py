#!/usr/bin/env python3
"""Drag on a sphere in a stream, against the standard drag curve: Clift, Grace, Weber, Bubbles, Drops, and Particles (Academic Press, 1978),
table 5.2. Re 20 in class Sphere; Re 1, 10 and 100 in Fine, of which the last, of 17.7 million cells, needs a GPU.

A quarter of the sphere stands before two planes of symmetry (free slip); the other sides slip as well. Coefficients are 2 F / (rho U^2 A),
with the area A = pi D^2 / 4.

Usage: sphere.py WEIR [Sphere | Fine]
"""
import math
import subprocess
import unittest

import weir_case

TOLERANCE = 0.03  # of the drag: by the grid, by the sides, which confine the stream, and by what the curve itself is worth


def published_drag(reynolds):
    """For Re 0.01 to 260."""
    if reynolds > 20:
        return 24 / reynolds * (1 + 0.1935 * reynolds ** 0.6305)
    return 24 / reynolds * (1 + 0.1315 * reynolds ** (0.82 - 0.05 * math.log10(reynolds)))


class Stream(weir_case.CaseTest):
    def drag(self, reynolds, diameter, sides, speed, steps):
        """Coefficient of the whole sphere's drag. sides: diameters from its middle to the inlet, the outlet and the other sides."""
        before, behind, aside = (distance * diameter for distance in sides)
        run = self.compute({
            "lattice": "D3Q19",
            "collision": {"operator": "trt"},
            "precision": "single",
            "domain": {"cells": [before + behind, aside, aside]},
            "fluid": {"reynolds": {"number": reynolds, "velocity": speed, "length": diameter}},
            "boundaries": {"x-": {"type": "velocity", "velocity": [speed, 0, 0]}, "x+": {"type": "pressure", "density": 1},
                           **{face: {"type": "slip"} for face in ("y-", "y+", "z-", "z+")}},
            "initial": {"velocity": [speed, 0, 0]},
            "solids": [{"sphere": {"center": [before, 0, 0], "radius": diameter / 2}, "type": "interpolated_wall", "name": "sphere"}],
            "run": {"steps": steps},
            "output": [{"type": "series", "every": steps // 8,
                        "coefficients": {"velocity": speed, "area": math.pi * diameter**2 / 16, "length": diameter}}],
        }, workers=None)
        found = run.series()["c_x(sphere)"]
        print(f"Re {reynolds}: c_D {found[-1]:.4f}, published {published_drag(reynolds):.4f}")
        self.assertAlmostEqual(found[-2] / found[-1], 1, delta=0.005)  # steady
        return found[-1]

    def check(self, reynolds, *more):
        self.assertAlmostEqual(self.drag(reynolds, *more) / published_drag(reynolds), 1, delta=TOLERANCE)


class Sphere(Stream):
    def test_drag(self):
        self.check(20, 10, (5, 6, 6), 0.08, 2400)


class Fine(Stream):
    def test_small_reynolds_number(self):
        self.check(1, 8, (12, 12, 14), 0.0417, 12000)

    def test_wake(self):
        self.check(10, 12, (8, 12, 10), 0.0667, 10500)

    def test_boundary_layer(self):
        if "GPUs: 0" in subprocess.run([weir_case.program, "info"], capture_output=True, text=True).stdout:
            raise unittest.SkipTest("17.7 million cells need a GPU")
        self.check(100, 24, (8, 12, 8), 0.06, 24000)


if __name__ == "__main__":
    weir_case.main()
