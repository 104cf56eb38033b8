#!/usr/bin/env python3
"""Flow over a backward-facing step: the length after which it attaches again, in heights of the step.

Fully developed flow of mean velocity U comes through a channel of height h, which widens by a step of height S on one side. Re = 2 h U / nu.
In a channel twice as wide as before the length is known from a fine computation (Erturk, Computers & Fluids 37 (2008) 633, table 3); Armaly,
Durst, Pereira and Schoenung (J. Fluid Mech. 127 (1983) 473) measured it at an expansion of 1.94. Their figure 14 was read off
to some percent; above Re 400 their flow is not plane any more.

Usage: step.py WEIR
"""
import numpy

import weir_case

PUBLISHED = {100: 2.922, 200: 4.982, 300: 6.761, 400: 8.237}  # Erturk
MEASURED = {100: 3.04, 151.5: 4.0, 300.6: 6.61}               # Armaly et al.


class Step(weir_case.CaseTest):
    def length(self, reynolds, step, inlet, behind, speed=0.05):
        """Of the recirculation, in heights of the step. step, inlet: heights in cells; behind: length of the wide channel, in heights of
        the step; speed: mean velocity."""
        before, height = 2 * step, step + inlet
        profile = f"max(0, {6 * speed} * (y - {step})*({height} - y)/{inlet}^2)"
        cells = [before + behind * step, height]
        run = self.compute({
            "lattice": "D2Q9",
            "collision": {"operator": "mrt", "equilibrium": "incompressible"},
            "precision": "double",
            "domain": {"cells": cells},
            "fluid": {"reynolds": {"number": reynolds, "velocity": speed, "length": 2 * inlet}},
            "boundaries": {"x-": {"type": "velocity", "velocity": [profile, 0]}, "x+": {"type": "pressure", "density": 1}},
            "initial": {"velocity": [profile, 0]},
            "solids": [{"box": {"from": [0, 0], "to": [before, step]}, "name": "step"}],
            "run": {"steps": 2000 * behind * step, "stop_when": {"steady": 1e-6, "every": 1000}},
            "output": [{"type": "profile", "from": [before, 0.5], "to": [cells[0], 0.5], "fields": ["velocity_x"]}],
        }, workers=None)
        self.assertEqual(run.summary["stopped_by"], "steady")
        line = run.profile()
        x, along = line["x"] - before, line["velocity_x"]
        # Close to the step the flow turns once more, in a corner that is of no account.
        last = max(numpy.flatnonzero(along[:-1] * along[1:] <= 0))
        place = x[last] + along[last] / (along[last] - along[last + 1])
        print(f"Re {reynolds}: {place / step:.3f}")
        return place / step


class Coarse(Step):
    def test_published(self):
        self.assertAlmostEqual(self.length(100, 16, 16, 16) / PUBLISHED[100], 1, delta=0.045)

    def test_measured(self):
        self.assertAlmostEqual(self.length(151.5, 16, 17, 20) / MEASURED[151.5], 1, delta=0.05)


class Fine(Step):
    def test_published(self):
        for reynolds, expected in PUBLISHED.items():
            with self.subTest(reynolds):
                self.assertAlmostEqual(self.length(reynolds, 32, 32, 30) / expected, 1, delta=0.045)

    def test_measured(self):
        for reynolds, expected in MEASURED.items():
            with self.subTest(reynolds):
                self.assertAlmostEqual(self.length(reynolds, 32, 34, 30) / expected, 1, delta=0.05)


if __name__ == "__main__":
    weir_case.main()
