#!/usr/bin/env python3
"""Boundaries that carry out what is in the fluid: an eddy leaves on a uniform stream, and a channel's flow does.

The eddy is Gaussian, with the velocities

    u_x = U - A dy / r exp((1 - d^2/r^2) / 2),    u_y = A dx / r exp((1 - d^2/r^2) / 2),    d = (dx, dy) from its middle,

and leaves a box that is periodic across the stream. Another box, so long that neither the eddy nor sound reaches its end, has what would
be there without a boundary; the greatest difference of a velocity from that, at any time, in the part of it that is the box, is by which
the boundary disturbs.

In the channel Poiseuille's flow, let in by each of the inlets, goes through an outlet that changes it nearby and not farther away; errors
of the velocity further than a channel's height from the outlet fall with the square of the cell's width, as in open_channel.py. What is
nearer is not Poiseuille's flow but that which such an outlet has: it stays, as at an outlet of given pressure.

Usage: convective.py WEIR
"""
import numpy

import weir_case

STREAM, RADIUS, SWIRL = 0.05, 8, 0.02
BOX, LONG, STEPS = (64, 64), 512, 1500  # sound goes 866 cells then, and 928 to the long end and back; the eddy's middle, 32 cells before the face, leaves at 640
EVERY = 100


class Eddy(weir_case.CaseTest):
    def leaving(self, outlet, length=BOX[0]):
        """Velocities in the box, over time."""
        bell = f"exp((1 - ((x - 32)^2 + (y - 32)^2)/{RADIUS}^2)/2)"
        case = {
            "lattice": "D2Q9",
            "precision": "double",
            "domain": {"cells": [length, BOX[1]], "periodic": [False, True]},
            "fluid": {"tau": 0.515},
            "boundaries": {"x-": {"type": "velocity", "velocity": [STREAM, 0]}, "x+": outlet},
            "initial": {"density": f"1 - 1.5*{SWIRL}^2*{bell}^2", "velocity": [f"{STREAM} - {SWIRL}*(y - 32)/{RADIUS}*{bell}", f"{SWIRL}*(x - 32)/{RADIUS}*{bell}"]},
            "run": {"steps": STEPS},
            "output": [{"type": "fields", "every": EVERY, "fields": ["velocity"]}],
        }
        run = self.compute(case)
        return numpy.array([run.fields_at("fields", step)["velocity"][0, :, :BOX[0]] for step in range(EVERY, STEPS + 1, EVERY)])

    def test_eddy(self):
        free = self.leaving({"type": "pressure", "density": 1}, LONG)
        for name, outlet, low, high in [
            ("pressure", {"type": "pressure", "density": 1}, 0.1, 0.4),
            ("absorbing", {"type": "absorbing", "velocity": [STREAM, 0]}, 0.4, 1),
            ("convective", {"type": "convective", "velocity": [STREAM, 0]}, 0, 0.2),
        ]:
            with self.subTest(outlet=name):
                difference = numpy.abs(self.leaving(outlet) - free).max() / SWIRL
                print(f"an eddy leaves, {name:10}: {difference:.4f} of its velocity", flush=True)
                self.assertGreater(difference, low)
                self.assertLess(difference, high)


TAU, REYNOLDS = 0.8, 4


class Channel(weir_case.CaseTest):
    def errors(self, height, inlet):
        """Root mean squares over the velocity's error further from the outlet than the channel is high, and nearer; by the greatest velocity."""
        velocity = REYNOLDS * weir_case.viscosity(TAU) / height
        case = {
            "lattice": "D2Q9",
            "precision": "double",
            "domain": {"cells": [3 * height, height]},
            "fluid": {"tau": TAU},
            "boundaries": {"x-": {"type": inlet, "velocity": [f"{velocity} * 4*y*({height} - y)/{height}^2", 0]},
                           "x+": {"type": "convective", "velocity": [2/3 * velocity, 0]}},
            "run": {"steps": 400 * height**2, "stop_when": {"steady": 1e-11, "every": 10 * height}},
            "output": [{"type": "fields", "fields": ["velocity"]}, {"type": "series", "every": 10**6, "faces": True}],
        }
        run = self.compute(case)
        fields = run.fields()
        y = numpy.arange(height) + 0.5
        error = (fields["velocity"][0, :, :, 0] - (4 * velocity * y * (height - y) / height**2)[:, None]) / velocity
        self.assertLess(abs(run.summary["mass_drift"]), 1e-12)
        far, near = error[:, :2 * height], error[:, 2 * height:]
        return (far**2).mean() ** 0.5, (near**2).mean() ** 0.5

    def test_order(self):
        for inlet in "velocity", "zou_he_velocity", "regularised_velocity":
            with self.subTest(inlet=inlet):
                far, near = zip(*(self.errors(height, inlet) for height in (16, 32)))
                order = numpy.log2(far[0] / far[1])
                print(f"channel, {inlet}: error {far[1]:.5f} of order {order:.2f}; within its height of the outlet {near[0]:.5f}, {near[1]:.5f}", flush=True)
                self.assertGreater(order, 1.9)
                self.assertLess(far[1], 0.0025)
                self.assertLess(near[1], 0.008)


if __name__ == "__main__":
    weir_case.main()
