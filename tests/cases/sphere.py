#!/usr/bin/env python3
"""Drag on a sphere in a stream at Re 20, against the standard drag curve: Clift, Grace, Weber, Bubbles, Drops, and Particles (Academic Press, 1978),
table 5.2.

A quarter of the sphere stands before two planes of symmetry (free slip); the other sides slip as well. Coefficients are 2 F / (rho U^2 A),
with the area A = pi D^2 / 4.

Usage: sphere.py WEIR
"""
import math

import weir_case

TOLERANCE = 0.03  # of the drag: by the grid, by the sides, which confine the stream, and by what the curve itself is worth


def published_drag(reynolds):
    """For Re 0.01 to 20."""
    return 24 / reynolds * (1 + 0.1315 * reynolds ** (0.82 - 0.05 * math.log10(reynolds)))


class Sphere(weir_case.CaseTest):
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

    def test_drag(self):
        reynolds = 20
        drag = self.drag(reynolds, 10, (5, 6, 6), 0.08, 2400)
        self.assertAlmostEqual(drag / published_drag(reynolds), 1, delta=TOLERANCE)


if __name__ == "__main__":
    weir_case.main()
