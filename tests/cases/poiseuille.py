#!/usr/bin/env python3
"""Flow between two plates at rest, driven by a body force: every lattice, collision and precision, plates across every axis.

At the cells' centres, half-way bounce-back gives the parabola and a slip that depends on the magic parameter
L = (tau+ - 1/2)(tau- - 1/2) alone (Ginzburg, d'Humieres, Phys. Rev. E 68 (2003) 066614; for bgk L = (tau - 1/2)^2):

    u(y) = F / (2 nu) (y (H - y) + 4 L / 3 - 1 / 4)

So at L = 3/16 the walls sit exactly half-way and all that is left is rounding; at any other L the error is known, and is of
second order in 1 / H.

Usage: poiseuille.py WEIR
"""
import itertools
import math

import numpy

import weir_case
from weir_case import COLLISIONS, LATTICES, PRECISIONS, along, dimensions, in_precision, viscosity

EXACT = 3 / 16
EXACT_TAU = 0.5 + math.sqrt(EXACT)  # of bgk
CENTRE_VELOCITY = 0.05
TOLERANCE = {"double": 1e-11, "single": 5e-5}  # of the greatest velocity


def magic_of(collision, tau, magic):
    return magic if collision == "trt" else (tau - 0.5) ** 2


def steady_steps(height, tau, precision):
    """Until the slowest mode, which decays like exp(-nu (pi / H)^2 t), is below rounding."""
    return math.ceil({"half": 18, "single": 18, "double": 32}[precision] * height**2 / (math.pi**2 * viscosity(tau)))


class Plates(weir_case.CaseTest):
    def profile(self, lattice, collision, precision, tau, magic, height, flow, across):
        """Heights above the low plate and velocities there, and the force that drives them."""
        count = dimensions(lattice)
        force = 8 * viscosity(tau) * CENTRE_VELOCITY / height**2
        middle = [0.5] * count
        case = {
            "lattice": lattice,
            "collision": {"operator": collision, **({"magic": magic} if collision == "trt" else {})},
            **in_precision(precision),
            "domain": {"cells": [height if axis == across else 2 for axis in range(count)],
                       "periodic": [axis != across for axis in range(count)]},
            "fluid": {"tau": tau},
            "force": along(flow, force, count),
            "blocks": {"cells": [height] * count},
            "run": {"steps": steady_steps(height, tau, precision)},
            "output": [{"type": "profile",
                        "from": [0 if axis == across else middle[axis] for axis in range(count)],
                        "to": [height if axis == across else middle[axis] for axis in range(count)]}],
        }
        columns = self.compute(case).profile()
        return columns["xyz"[across]], columns["velocity_" + "xyz"[flow]], force

    def errors(self, lattice, collision, precision, tau, magic=EXACT, height=12, flow=0, across=1):
        """The greatest error against the formula above, and against the parabola alone, relative."""
        y, velocity, force = self.profile(lattice, collision, precision, tau, magic, height, flow, across)
        self.assertEqual(len(y), height)
        curvature = force / (2 * viscosity(tau))
        parabola = curvature * y * (height - y)
        slip = curvature * (4 / 3 * magic_of(collision, tau, magic) - 1 / 4)
        return (numpy.abs(velocity - parabola - slip).max() / CENTRE_VELOCITY,
                numpy.abs(velocity - parabola).max() / CENTRE_VELOCITY)


class Poiseuille(Plates):
    def check(self, lattice, collision, precision, *arguments, **places):
        """Compares with the formula. Returns the error against the parabola."""
        error, error_of_parabola = self.errors(lattice, collision, precision, *arguments, **places)
        self.assertLessEqual(error, TOLERANCE[precision])
        return error_of_parabola

    def test_walls_half_way(self):
        """Error at rounding level at the magic parameter 3/16, whatever the viscosity; bgk at the one tau that has it."""
        for lattice, precision in itertools.product(LATTICES, PRECISIONS):
            for collision, tau in [("trt", 0.7), ("trt", 1), ("trt", 2.5), ("bgk", EXACT_TAU)]:
                with self.subTest(lattice=lattice, collision=collision, precision=precision, tau=tau):
                    error = self.check(lattice, collision, precision, tau)
                    self.assertLessEqual(error, TOLERANCE[precision])

    def test_every_direction(self):
        for lattice, collision in itertools.product(LATTICES, COLLISIONS):
            for flow, across in itertools.permutations(range(dimensions(lattice)), 2):
                with self.subTest(lattice=lattice, collision=collision, flow=flow, across=across):
                    self.check(lattice, collision, "double", EXACT_TAU, flow=flow, across=across)

    def test_second_order(self):
        """Away from 3/16 the error is the slip, and falls with the square of the number of cells."""
        heights = [6, 12, 24]
        for lattice, (collision, tau, magic) in itertools.product(LATTICES, [("trt", 0.9, 1 / 6), ("bgk", 1.2, None)]):
            with self.subTest(lattice=lattice, collision=collision):
                errors = [self.check(lattice, collision, "double", tau, magic, height) for height in heights]
                order = -numpy.polyfit(numpy.log(heights), numpy.log(errors), 1)[0]
                self.assertGreaterEqual(order, 1.999)
                self.assertLessEqual(order, 2.001)


if __name__ == "__main__":
    weir_case.main()
