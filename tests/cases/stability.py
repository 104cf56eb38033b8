#!/usr/bin/env python3
"""Waves on a uniform stream at a relaxation time near 1/2 grow, or decay, as the linear analysis says: docs/numerics.md, Stability near
tau = 1/2. There TRT with a magic parameter of 1/4 amplifies waves of a few cells, on every lattice, and BGK does not.

Usage: stability.py WEIR
"""
import itertools

import numpy

import weir_case
from weir_case import dimensions

TAU, MAGIC, SPEED, CELLS = 0.5038, 0.25, 0.1, 12
WEIGHTS = {"D2Q9": (4 / 9, 1 / 9, 1 / 36, 0), "D3Q15": (2 / 9, 1 / 9, 0, 1 / 72), "D3Q19": (1 / 3, 1 / 18, 1 / 36, 0),
           "D3Q27": (8 / 27, 2 / 27, 1 / 54, 1 / 216)}
# The wave at the beginning, and the power of e by which it is to grow before the fastest mode has outgrown the others.
AMPLITUDE, OUTGROWN = 1e-9, 6
STREAM = {2: (3, 2), 3: (3, 2, 1)}


def stream(count):
    return SPEED * numpy.array(STREAM[count]) / numpy.linalg.norm(STREAM[count])


def velocities(lattice):
    """Velocities and weights."""
    all_of_them = itertools.product((-1, 0, 1), repeat=dimensions(lattice))
    pairs = [(c, WEIGHTS[lattice][sum(map(abs, c))]) for c in all_of_them]
    return (numpy.array([c for c, w in pairs if w > 0]), numpy.array([w for _, w in pairs if w > 0]))


def amplification(lattice, collision, waves):
    """Greatest |eigenvalue| of a step, linearised about the uniform stream, for each wave vector."""
    c, w = velocities(lattice)
    u, count = stream(dimensions(lattice)), len(w)
    opposite = [int(numpy.where((c == -each).all(axis=1))[0][0]) for each in c]
    swap = numpy.eye(count)[opposite]
    cu = c @ u
    of_density = w * (1 - 4.5 * cu**2 + 1.5 * u @ u)  # derivatives of the equilibrium by density and momentum
    of_momentum = w[:, None] * (3 * c + 9 * cu[:, None] * c - 3 * u)
    change = of_density[:, None] + of_momentum @ c.T - numpy.eye(count)
    even, odd = (numpy.eye(count) + swap) / 2, (numpy.eye(count) - swap) / 2
    omega_plus = 1 / TAU
    omega_minus = omega_plus if collision == "bgk" else 1 / (0.5 + MAGIC / (TAU - 0.5))
    collide = numpy.eye(count) + omega_plus * even @ change + omega_minus * odd @ change
    travel = numpy.exp(-1j * waves @ c.T)
    return numpy.abs(numpy.linalg.eigvals(travel[:, :, None] * collide)).max(axis=1)


class Stability(weir_case.CaseTest):
    def measured(self, lattice, collision, wave, steps):
        """Factor by which a wave grows in a step, after so many and in as many more."""
        count = dimensions(lattice)
        phase = " + ".join(f"{n} * 2*pi*{axis}/n{axis}" for n, axis in zip(wave, "xyz"))
        run = self.compute({
            "lattice": lattice,
            "collision": {"operator": "trt", "magic": MAGIC} if collision == "trt" else {"operator": "bgk"},
            "precision": "double",
            "domain": {"cells": [CELLS] * count, "periodic": [True] * count},
            "fluid": {"tau": TAU},
            "initial": {"velocity": [f"{u:.17g} + {AMPLITUDE * (k + 1)} * cos({phase} + {k})" for k, u in enumerate(stream(count))]},
            "run": {"steps": 2 * steps},
            "output": [{"type": "fields", "every": steps, "fields": ["velocity"]}],
        })
        begin, end = (run.fields_at("fields", step)["velocity"].reshape(-1, 3).std(axis=0).max() for step in (steps, 2 * steps))
        return (end / begin)**(1 / steps)

    def test_growth(self):
        for lattice in weir_case.LATTICES:
            count = dimensions(lattice)
            numbers = numpy.array([n for n in itertools.product(range(-CELLS // 2 + 1, CELLS // 2 + 1), repeat=count) if n[0] >= 0])
            waves = 2 * numpy.pi * numbers / CELLS
            expected = amplification(lattice, "trt", waves)
            worst = int(expected.argmax())
            with self.subTest(lattice, wave=list(numbers[worst])):
                self.assertGreater(expected[worst], 1.01)
                self.assertLess(amplification(lattice, "bgk", waves).max(), 1 + 1e-9)
                rate = numpy.log(expected[worst])
                steps = int(OUTGROWN / rate)
                self.assertAlmostEqual(numpy.log(self.measured(lattice, "trt", numbers[worst], steps)) / rate, 1, delta=0.02)
                self.assertLess(self.measured(lattice, "bgk", numbers[worst], steps), 1 + 1e-4)


if __name__ == "__main__":
    weir_case.main()
