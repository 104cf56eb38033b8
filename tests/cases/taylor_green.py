#!/usr/bin/env python3
"""Decay of Taylor-Green vortices in a periodic square against the analytic solution of the Navier-Stokes equations:

    u = U sin(k x) cos(k y) D,  v = -U cos(k x) sin(k y) D,  p = U^2 / 4 (cos(2 k x) + cos(2 k y)) D^2,  D = exp(-2 nu k^2 t)

Grids are refined with diffusive scaling: viscosity stays, U falls with the cell size and time is measured in squares of cells, so
that errors of space, time and compressibility all shrink with the square of the number of cells. Lattices in space hold the
vortices in each of the three planes.

Usage: taylor_green.py WEIR
"""
import itertools
import math

import numpy

import weir_case
from weir_case import COLLISIONS, LATTICES, dimensions, in_precision, viscosity

GRIDS = [16, 32, 64]
TAU = 0.8
COARSEST_VELOCITY = 0.04  # U on the coarsest grid
HALF_LIFE = 1.0           # the runs end when velocities have fallen to 2^-HALF_LIFE
GREATEST_ERROR = 0.0015   # on the finest grid, of the velocity that is left; root mean square


class Vortices(weir_case.CaseTest):
    def error(self, lattice, collision, n, plane=(0, 1), precision="double", **more):
        """Root mean square error of the velocity after half of it has gone, relative. more: keys of the case."""
        count = dimensions(lattice)
        first, second = plane
        u, k = COARSEST_VELOCITY * GRIDS[0] / n, 2 * math.pi / n
        steps = round(HALF_LIFE * math.log(2) / (2 * viscosity(TAU) * k**2))
        a, b = f"2*pi*{'xyz'[first]}/{n}", f"2*pi*{'xyz'[second]}/{n}"
        velocity = [0] * count
        velocity[first], velocity[second] = f"{u} * sin({a}) * cos({b})", f"-{u} * cos({a}) * sin({b})"
        case = {
            "lattice": lattice,
            "collision": collision if isinstance(collision, dict) else {"operator": collision},
            **in_precision(precision),
            "domain": {"cells": [n if axis in plane else 2 for axis in range(count)], "periodic": [True] * count},
            "fluid": {"tau": TAU},
            "initial": {"density": f"1 + {3 * u**2 / 4} * (cos(2*{a}) + cos(2*{b}))", "velocity": velocity},
            "blocks": {"cells": [n] * count},
            "run": {"steps": steps},
            "output": [{"type": "fields", "fields": ["velocity"]}],
            **more,
        }
        velocity = self.compute(case).fields()["velocity"]
        place = numpy.indices(velocity.shape[:3])[::-1] + 0.5  # x, y, z of every cell
        decay = u * math.exp(-2 * viscosity(TAU) * k**2 * steps)
        expected = numpy.zeros_like(velocity)
        expected[..., first] = decay * numpy.sin(k * place[first]) * numpy.cos(k * place[second])
        expected[..., second] = -decay * numpy.cos(k * place[first]) * numpy.sin(k * place[second])
        return math.sqrt(((velocity - expected) ** 2).sum() / (expected**2).sum())


class TaylorGreen(Vortices):
    def test_second_order(self):
        for lattice, collision in itertools.product(LATTICES, COLLISIONS):
            for plane in itertools.combinations(range(dimensions(lattice)), 2):
                with self.subTest(lattice=lattice, collision=collision, plane=plane):
                    errors = [self.error(lattice, collision, n, plane) for n in GRIDS]
                    order = -numpy.polyfit(numpy.log(GRIDS), numpy.log(errors), 1)[0]
                    self.assertGreaterEqual(order, 1.9)
                    self.assertLessEqual(errors[-1], GREATEST_ERROR)


if __name__ == "__main__":
    weir_case.main()
