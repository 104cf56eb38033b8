#!/usr/bin/env python3
"""Vessels: Poiseuille's flow through a tube that lies across the axes, driven by a force or through faces of the domain, there also a flow that swings, and how
a flow divides where a vessel does.

Usage: vessels.py WEIR [Tube Through Bifurcation | ThroughFine]
"""
import math

import numpy

import weir_case
import womersley
from weir_case import viscosity


class Tube(weir_case.CaseTest):
    """Along (1, 2, 0) in a periodic box, driven by a force: u = f (R^2 - r^2) / (4 nu), and the permeability is the share of the tube times R^2 / 8."""

    OFFSETS = (0.13, 0.41)  # of the axis, in cells: errors of a single place are not typical

    def errors(self, kind, n, offset):
        """Relative: of the permeability, of the velocity in the mean square."""
        radius, height, tau, force = 0.18 * n, math.ceil(0.36 * n) + 3, 0.9, 1e-6
        middle = height / 2 + offset
        across = f"(2*x - y - {offset} - {n}*rint((2*x - y - {offset})/{n}))"
        along = numpy.array([1, 2]) / math.sqrt(5)
        run = self.compute({
            "lattice": "D3Q19",
            "precision": "double",
            "domain": {"cells": [n, n, height], "periodic": [True] * 3},
            "fluid": {"tau": tau},
            "force": [*(force * along), 0],
            "solids": [{"formula": f"{across}^2/5 + (z - {middle})^2 > {radius**2!r}", "type": kind}],
            "run": {"steps": math.ceil(2.5 * radius**2 / viscosity(tau))},
            "output": [{"type": "permeability"}, {"type": "fields", "fields": ["velocity"]}],
        })
        share = math.pi * radius**2 * math.sqrt(5) / (n * height)
        permeability = run.summary["permeability"]["permeability"]["permeability"] / (share * radius**2 / 8) - 1
        z, y, x = numpy.mgrid[0:height, 0:n, 0:n] + 0.5
        wrapped = 2 * x - y - offset
        square = (wrapped - n * numpy.rint(wrapped / n)) ** 2 / 5 + (z - middle) ** 2
        exact = force / (4 * viscosity(tau)) * (radius**2 - square)
        fluid = square < radius**2
        error = numpy.linalg.norm(run.fields()["velocity"] - exact[..., None] * [*along, 0], axis=-1)[fluid]
        return abs(permeability), math.sqrt(numpy.sum(error**2) / numpy.sum(exact[fluid] ** 2))

    def test_order(self):
        sizes = [30, 45]
        found = {kind: numpy.array([numpy.mean([self.errors(kind, n, offset) for offset in self.OFFSETS], axis=0) for n in sizes])
                 for kind in ("interpolated_wall", "wall")}
        order = {kind: -numpy.polyfit(numpy.log(sizes), numpy.log(errors[:, 1]), 1)[0] for kind, errors in found.items()}
        for kind, errors in found.items():
            print(f"{kind}: radii {[round(0.18 * n, 2) for n in sizes]}: permeability {errors[:, 0]}, velocity {errors[:, 1]}, order {order[kind]:.2f}")
        self.assertGreaterEqual(order["interpolated_wall"], 1.8)
        self.assertLessEqual(order["wall"], 1.5)
        self.assertLess(found["interpolated_wall"][-1, 0], 0.01)
        self.assertLess(found["interpolated_wall"][-1, 1], 0.01)


class Through(weir_case.CaseTest):
    """A tube along (4, 2, 1) from the face x-, by which the flow comes in as a formula, to x+, where the pressure is the same all over the face: before that
    the flow is not that of a long tube. So it is looked at two radii and more from there, and half a radius from where it comes in."""

    AXIS = numpy.array([4, 2, 1]) / math.sqrt(21)
    OFFSETS = (0.13, 0.41)  # of the axis, in cells: errors of a single place are not typical
    LENGTH = 3.5  # along x, in radii
    RADII = (5.2, 7.8)
    REYNOLDS = 2

    def error(self, radius, kind, offset, tau, velocity, formula, steps):
        """Of the velocity in the mean square, of the greatest; of how much flows. velocity(square, t) along the tube, and its text formula(square, t), by the
        square of the distance from the axis."""
        length = math.ceil(self.LENGTH * radius)
        shift = length * self.AXIS[1:] / self.AXIS[0]
        across = [math.ceil(2 * radius / math.sqrt(1 - c**2) + s) + 3 for c, s in zip(self.AXIS[1:], shift)]
        start = numpy.array([0, *((numpy.array(across) - shift) / 2 + [offset, -offset / 2])])
        normals = numpy.linalg.svd(self.AXIS[None])[2][1:]  # to the axis and each other
        square = "(" + "+".join(f"({n[0]!r}*x+({n[1]!r})*y+({n[2]!r})*z-({d!r}))^2" for n, d in zip(normals.tolist(), (normals @ start).tolist())) + ")"
        fields = self.compute({
            "lattice": "D3Q19",
            "precision": "double",
            "domain": {"cells": [length, *across]},
            "fluid": {"tau": tau},
            "boundaries": {"x-": {"type": "velocity", "velocity": [f"{c!r}*({formula(square, 't')})" for c in self.AXIS.tolist()]},
                           "x+": {"type": "pressure", "density": 1}},
            "solids": [{"formula": f"{square} > {radius**2!r}", "type": kind}],
            "initial": {"velocity": [f"{square} < {radius**2!r} ? {c!r}*({formula(square, '0')}) : 0" for c in self.AXIS.tolist()]},
            "run": {"steps": steps},
            "output": [{"type": "fields"}],
        }).fields()
        z, y, x = numpy.indices(fields["density"].shape) + 0.5
        square = sum((n[0] * x + n[1] * y + n[2] * z - n @ start) ** 2 for n in normals)
        seen = (square < radius**2) & (x > radius / 2) & (x < 1.5 * radius)
        momentum = (fields["density"][..., None] * fields["velocity"])[seen]  # what inlets let in
        exact = velocity(square[seen], steps)
        difference = momentum - exact[:, None] * self.AXIS
        flow = (momentum @ self.AXIS @ exact) / (exact @ exact)
        return math.sqrt((difference**2).sum(axis=-1).mean()) / (self.REYNOLDS * viscosity(tau) / (2 * radius)), flow - 1

    def steady(self, radius, kind, offset, tau=0.8):
        top = self.REYNOLDS * viscosity(tau) / (2 * radius)
        return self.error(radius, kind, offset, tau, lambda square, t: top * (1 - square / radius**2),
                          lambda square, t: f"{top!r}*max(0, 1-{square}/{radius**2!r})", math.ceil(1.5 * radius**2 / viscosity(tau)))

    def swinging(self, radius, kind, offset):
        swing = womersley.TubeSwing(radius)
        return self.error(radius, kind, offset, womersley.TAU, swing.velocity, swing.formula, round(womersley.PERIODS * swing.period))

    def order(self, name, error):
        found = numpy.array([numpy.mean([error(radius, "interpolated_wall", offset) for offset in self.OFFSETS], axis=0) for radius in self.RADII])
        steps = numpy.mean([error(self.RADII[-1], "wall", offset) for offset in self.OFFSETS], axis=0)
        order = -numpy.polyfit(numpy.log(self.RADII), numpy.log(found[:, 0]), 1)[0]
        print(f"{name}: radii {self.RADII}, errors {found[:, 0]}, order {order:.2f}, of the flow {found[:, 1]}; walls in steps {steps}", flush=True)
        self.assertGreaterEqual(order, 1.8)
        self.assertLess(found[-1, 0], 0.01)
        self.assertLess(found[-1, 0], 0.8 * steps[0])

    def test_steady(self):
        self.order("Poiseuille", self.steady)

    def test_swinging(self):
        self.order("Womersley", self.swinging)


class ThroughFine(Through):
    OFFSETS, RADII = (0.13, 0.41, 0.77), (5.2, 7.8, 11.7)


class Bifurcation(weir_case.CaseTest):
    def test_split(self):
        """Two branches of one length, to one pressure: a network of resistances 8 mu L / (pi r^4) has flows as r^4."""
        asymmetry, cells = 0.5, [120, 64, 24]
        run = self.compute({
            "lattice": "D3Q19",
            "domain": {"cells": cells},
            "fluid": {"tau": 1.0},
            "boundaries": {"x-": {"type": "velocity", "velocity": ["0.004*max(0, 1 - ((y - ny/2)^2 + (z - nz/2)^2)/64)", 0, 0]}, "x+": {"type": "pressure", "density": 1}},
            "solids": [{"vessel_tree": {"radius": 8, "generations": 1, "asymmetry": asymmetry, "planar": True}, "type": "interpolated_wall"}],
            "run": {"steps": 6000, "stop_when": {"steady": 1e-4, "every": 100}},
            "output": [{"type": "flux", "name": name, "from": [110, low, 0], "to": [110, high, cells[2]]} for name, low, high in (("low", 0, 32), ("high", 32, 64))]
                      + [{"type": "flux", "name": "stem", "from": [20, 0, 0], "to": [20, *cells[1:]]}],
        })
        low, high, stem = (run.series(name)["volume_flux"][-1] for name in ("low", "high", "stem"))
        split, network = max(low, high) / min(low, high), ((1 + asymmetry) / (1 - asymmetry)) ** (4 / 3)
        print(f"flows {low:.5g} + {high:.5g} of {stem:.5g}: {split:.3f} to 1, by the network {network:.3f}")
        self.assertAlmostEqual((low + high) / stem, 1, delta=0.02)
        self.assertAlmostEqual(split / network, 1, delta=0.1)


if __name__ == "__main__":
    weir_case.main()
