#!/usr/bin/env python3
"""A force that holds a flow rate: in a plane channel it becomes that of Poiseuille's flow, it has the same bits however the domain is cut,
and a run that goes on from a checkpoint has those of one that never stopped.

Usage: flow_rate.py WEIR
"""
import os

import weir_case

HEIGHT, VELOCITY, VISCOSITY = 20, 0.05, 0.05
CHANNEL = {"lattice": "D2Q9", "precision": "double", "domain": {"cells": [8, HEIGHT], "periodic": [True, False]},
           "fluid": {"reynolds": {"number": VELOCITY * HEIGHT / VISCOSITY, "velocity": VELOCITY, "length": HEIGHT}},
           "flow_rate": {"velocity": [VELOCITY, 0], "every": 20}, "run": {"steps": 3000}}


class FlowRate(weir_case.CaseTest):
    def reached(self, case, *options, **how):
        summary = self.compute(case, *options, **how).summary
        return summary["flow_rate"], summary["digest"]

    def test_plane_channel(self):
        reached, _ = self.reached(CHANNEL)
        self.assertAlmostEqual(reached["velocity"] / VELOCITY, 1, delta=1e-5)
        self.assertAlmostEqual(reached["reynolds"], 20, delta=1e-3)
        # u = f y (H - y) / (2 nu); the mean over cell centres is f H^2 / (12 nu) (1 + 1 / (2 H^2)).
        force = 12 * VISCOSITY * VELOCITY / HEIGHT**2 / (1 + 0.5 / HEIGHT**2)
        self.assertAlmostEqual(reached["force"] / force, 1, delta=1e-4)

    def test_gain(self):
        """Without walls all is known by hand: (N39), with a velocity that has half of the force in it (N1)."""
        every, gain = CHANNEL["flow_rate"]["every"], 0.3
        reached, _ = self.reached(CHANNEL, "--set", f"run.steps={4 * every}", "--set", f"flow_rate.gain={gain}", "--set", "domain.periodic=[true,true]")
        momentum = force = before = velocity = 0
        for _ in range(4):
            momentum += every * force
            velocity = momentum + force / 2
            force += (gain * (VELOCITY - velocity) - (velocity - before)) / every
            before = velocity
        self.assertAlmostEqual(reached["velocity"], velocity, delta=1e-14)
        self.assertAlmostEqual(reached["force"], force, delta=1e-15)

    def test_same_bits(self):
        case = {**CHANNEL, "run": {"steps": 75}, "checkpoint": {"every": 50}}
        whole = self.compute(case, "--set", "blocks.cells=[8, 20]")
        expected = whole.summary["flow_rate"], whole.summary["digest"]
        for blocks, ranks in (("[3, 7]", 1), ("[4, 10]", 2)):
            self.assertEqual(self.reached(case, "--set", f"blocks.cells={blocks}", ranks=ranks), expected)
        checkpoint = os.path.join(whole.folder, "checkpoint_000000050.h5")
        self.assertEqual(self.reached(case, "--set", "blocks.cells=[8, 5]", "--resume", checkpoint), expected)


if __name__ == "__main__":
    weir_case.main()
