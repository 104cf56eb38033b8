#!/usr/bin/env python3
"""Channels whose fluid comes in with a given velocity and leaves at a given pressure: every lattice, collision and precision, along
every axis.

Between plates, a distance H apart, the flow is Poiseuille's from the inlet on, and the pressure falls by 8 nu u / H^2 per cell:

    u(y) = 4 u y (H - y) / H^2

In a square duct the profile that is let in is only near that of developed flow, which it becomes, with (White, Viscous Fluid Flow,
3rd edition, eq. 3-48; y and z from the middle, a = H / 2)

    u(y, z) ~ sum over odd i of (-1)^((i-1)/2) / i^3 [1 - cosh(i pi z / 2a) / cosh(i pi / 2)] cos(i pi y / 2a)

Errors fall with the square of the cell's width where the time step falls with it too, so that the Mach number does.

Usage: open_channel.py WEIR
"""
import itertools

import numpy

import weir_case
from weir_case import COLLISIONS, LATTICES, PRECISIONS, SPATIAL, along, dimensions, in_precision, viscosity

TAU = 0.8
REYNOLDS = 4  # by the greatest velocity, so that both it and the Mach number fall with the cell's width
ERROR = 0.01  # of the greatest velocity, and of the pressure's fall, at 12 cells
ORDER = 1.9
INLETS = "velocity", "zou_he_velocity", "regularised_velocity"
OUTLETS = "pressure", "zou_he_pressure", "regularised_pressure"
RINGING = ("velocity", "zou_he_pressure"), ("velocity", "regularised_pressure")


def parabola(x, height, velocity):
    return 4 * velocity * x * (height - x) / height**2


class Channel(weir_case.CaseTest):
    def case(self, lattice, collision, precision, height, velocity, flow=0, across=1, periodic=True, inlet=None, density=1,
             ends=("velocity", "pressure"), ramp=0):
        """A channel along axis `flow` between plates across `across`; where there is a third axis it is periodic, or has plates too."""
        count = dimensions(lattice)
        names = "xyz"
        formula = inlet or f"{velocity} * 4*{names[across]}*({height} - {names[across]})/{height}^2"
        cells = [2 * height if axis == flow else height if axis == across or not periodic else 2 for axis in range(count)]
        return {
            "lattice": lattice,
            "collision": {"operator": collision},
            **in_precision(precision),
            "domain": {"cells": cells, "periodic": [periodic and axis not in (flow, across) for axis in range(count)]},
            "fluid": {"tau": TAU},
            "boundaries": {names[flow] + "-": {"type": ends[0], "velocity": along(flow, formula, count), **({"ramp": ramp} if ramp else {})},
                           names[flow] + "+": {"type": ends[1], "density": density}},
            "run": {"steps": 200 * height**2, "stop_when": {"steady": {"double": 1e-11, "single": 1e-6}[precision], "every": 10 * height}},
            "output": [{"type": "fields"}, {"type": "series", "every": 10**6, "faces": True}],
        }

    def developed(self, case, flow):
        """What comes of it: density and momentum along the flow, with its axis first. Nothing is lost on the way: what passes is what
        the mass changed by, as much comes in as leaves, and the forces on all that surrounds the fluid are in balance."""
        run = self.compute(case)
        summary, shape, single = run.summary, case["domain"]["cells"][::-1], case["precision"] == "single"
        self.assertEqual(summary["stopped_by"], "steady")
        self.assertEqual(summary["warnings"], [])
        entering, leaving = (summary["boundaries"]["xyz"[flow] + side]["mass_flow"] for side in "-+")
        self.assertGreater(entering, 0)
        self.assertLess(abs(entering + leaving), (1e-3 if single else 1e-7) * entering)
        series = run.series()
        self.assertLess(abs(series[f"mass_flow({'xyz'[flow]}+)"][-1] - leaving), 1e-12 * entering)
        forces = [series[name][-1] for name in series if name.startswith("force_" + "xyz"[flow])]
        self.assertLess(abs(sum(forces)), (1e-3 if single else 1e-7) * max(map(abs, forces)))
        fields, first = run.fields(), len(shape) - 1 - flow
        density = fields["density"].reshape(shape)
        momentum = density * fields["velocity"][..., flow].reshape(shape)
        return numpy.moveaxis(density, first, 0), numpy.moveaxis(momentum, first, 0)

    def fall(self, density, height):
        """Of the pressure, per cell, where neither end is felt."""
        pressure = density.reshape(2 * height, -1).mean(axis=1) / 3
        return (pressure[height // 2] - pressure[height]) / (height - height // 2)


class Plates(Channel):
    def errors(self, lattice, collision, precision, height, flow=0, across=1, **ends):
        """The greatest of the velocity, of the greatest velocity; and of the pressure's fall."""
        velocity = REYNOLDS * viscosity(TAU) / height
        density, momentum = self.developed(self.case(lattice, collision, precision, height, velocity, flow, across, **ends), flow)
        rest = [axis for axis in range(dimensions(lattice))[::-1] if axis != flow]
        expected = parabola(numpy.arange(height) + 0.5, height, velocity).reshape([height if axis == across else 1 for axis in rest])
        return (numpy.abs(momentum[:height] - expected).max() / velocity,
                abs(self.fall(density, height) / (8 * viscosity(TAU) * velocity / height**2) - 1))

    def check(self, *arguments, **places):
        for error in self.errors(*arguments, 12, **places):
            self.assertLess(error, ERROR)

    def test_every_variant(self):
        for lattice, collision, precision in itertools.product(LATTICES, COLLISIONS, PRECISIONS):
            with self.subTest(lattice=lattice, collision=collision, precision=precision):
                self.check(lattice, collision, precision)

    def test_every_direction(self):
        for lattice in LATTICES:
            for flow, across in itertools.permutations(range(dimensions(lattice)), 2):
                with self.subTest(lattice=lattice, flow=flow, across=across):
                    self.check(lattice, "trt", "double", flow=flow, across=across)

    def test_order(self):
        for lattice, collision in [("D2Q9", "trt"), ("D2Q9", "bgk"), ("D3Q19", "trt")]:
            with self.subTest(lattice=lattice, collision=collision):
                errors = [self.errors(lattice, collision, "double", height) for height in (8, 16, 32)]
                for coarse, fine in itertools.pairwise(errors):
                    for quantity in range(2):
                        self.assertGreater(numpy.log2(coarse[quantity] / fine[quantity]), ORDER)

    def check_order(self, lattice, inlet, outlet):
        coarse, fine = (self.errors(lattice, "trt", "double", height, ends=(inlet, outlet), ramp=100 * height) for height in (8, 16))
        print(f"{lattice} {inlet}, {outlet}: errors {fine[0]:.2e} {fine[1]:.2e}, orders "
              f"{numpy.log2(coarse[0] / fine[0]):.2f} {numpy.log2(coarse[1] / fine[1]):.2f}", flush=True)
        for quantity in range(2):
            self.assertGreater(numpy.log2(coarse[quantity] / fine[quantity]), ORDER)

    def test_every_pair(self):
        """Of an inlet and an outlet, but for those that ring."""
        for inlet, outlet in itertools.product(INLETS, OUTLETS):
            if (inlet, outlet) not in RINGING:
                with self.subTest(inlet=inlet, outlet=outlet):
                    self.check_order("D2Q9", inlet, outlet)
        for lattice, kind in [("D3Q15", "zou_he"), ("D3Q19", "zou_he"), ("D3Q19", "regularised"), ("D3Q27", "zou_he"),
                              ("D3Q27", "regularised")]:
            with self.subTest(lattice=lattice, kind=kind):
                self.check_order(lattice, kind + "_velocity", kind + "_pressure")

    def test_ringing(self):
        """Links at one end and cells of a given density at the other leave a momentum that changes its sign with every cell and step as
        it is (numerics.md, N46): it is the mean of two steps that has the flow."""
        for inlet, outlet in RINGING:
            with self.subTest(outlet=outlet):
                case = self.case("D2Q9", "trt", "double", 8, 0.05, ends=(inlet, outlet))
                case["run"], case["output"][1]["every"] = {"steps": 8000}, 1
                passes = self.compute(case).series()["mass_flow(x+)"]
                entering = -(passes[-1] + passes[-2]) / 2
                self.assertGreater(abs(passes[-1] - passes[-2]), 0.1 * entering)
                self.assertLess(abs(entering - 0.05 * 0.66 * 8), 0.01 * entering)

    def test_pressure_at_both_ends(self):
        """The difference drives the flow that belongs to the pressure's fall."""
        height, lattice = 16, "D2Q9"
        case = self.case(lattice, "trt", "double", height, 0)
        case["boundaries"]["x-"] = {"type": "pressure", "density": 1.002}
        density, momentum = self.developed(case, 0)
        middle = slice(height - 2, height + 3)
        fall = (density[height - 2].mean() - density[height + 2].mean()) / 12
        self.assertGreater(fall, 0.8 * 0.002 / 3 / (2 * height))
        expected = parabola(numpy.arange(height) + 0.5, height, fall * height**2 / (8 * viscosity(TAU)))
        self.assertLess(numpy.abs(momentum[middle] - expected).max(), ERROR * expected.max())


class Duct(Channel):
    def error(self, lattice, height):
        """The greatest of the velocity half-way along the duct, of the greatest velocity."""
        velocity = REYNOLDS * viscosity(TAU) / height
        profile = f"{velocity} * 16*y*({height} - y)*z*({height} - z)/{height}^4"
        case = self.case(lattice, "trt", "double", height, velocity, periodic=False, inlet=profile)
        _, momentum = self.developed(case, 0)
        at = (2 * numpy.arange(height) + 1) / height - 1
        y, z = numpy.meshgrid(at, at, indexing="ij")
        expected = sum((-1) ** ((i - 1) // 2) / i**3 * (1 - numpy.cosh(i * numpy.pi * z / 2) / numpy.cosh(i * numpy.pi / 2))
                       * numpy.cos(i * numpy.pi * y / 2) for i in range(1, 60, 2))
        expected *= momentum[height].mean() / expected.mean()
        return numpy.abs(momentum[height] - expected).max() / expected.max()

    def test_every_lattice(self):
        for lattice in SPATIAL:
            with self.subTest(lattice=lattice):
                self.assertLess(self.error(lattice, 12), ERROR)

    def test_order(self):
        errors = [self.error("D3Q19", height) for height in (6, 12, 18)]
        self.assertGreater(numpy.log(errors[0] / errors[2]) / numpy.log(3), ORDER)


if __name__ == "__main__":
    weir_case.main()
