#!/usr/bin/env python3
"""Collisions beyond BGK and TRT, and the eddy viscosity: Taylor-Green vortices against the analytic solution, order over three grids;
Couette flow with eddies, whose friction is that of the eddy viscosity; the same bits however the domain is cut.

Usage: collision_orders.py WEIR
"""
import math

import numpy

import taylor_green
import weir_case
from further_collisions import FURTHER_COLLISIONS
from known_digests import RATES
from weir_case import dimensions, in_precision, viscosity

EDDIES = {"turbulence": {"model": "smagorinsky", "constant": 0.17}}
QR = {"turbulence": {"model": "qr", "constant": 1}}
WALE = {"turbulence": {"model": "wale", "constant": 1}}


class Order(taylor_green.Vortices):
    GRIDS = [12, 24, 36]

    def check(self, lattice, collision, greatest=0.0048, **more):
        plane = (0, 1) if dimensions(lattice) == 2 else (0, 2)
        with self.subTest(lattice=lattice, collision=collision, **more):
            errors = [self.error(lattice, collision, n, plane, **more) for n in self.GRIDS]
            order = -numpy.polyfit(numpy.log(self.GRIDS), numpy.log(errors), 1)[0]
            print(f"{lattice} {collision} {' '.join(map(str, more.values()))}: order {order:.3f}, error {100 * errors[-1]:.4f} %", flush=True)
            self.assertGreaterEqual(order, 1.9)
            self.assertLessEqual(errors[-1], greatest)

    def test_second_order(self):
        for collision, lattices in FURTHER_COLLISIONS.items():
            for lattice in lattices:
                self.check(lattice, collision)

    def test_rates_of_ones_own(self):
        self.check("D3Q19", {"operator": "mrt", "rate_e": 1.6, "rate_epsilon": 1.1, "rate_q": 1.7, "rate_pi": 1.2, "rate_m": 1.3})
        self.check("D3Q27", {"operator": "cumulant", "rate_bulk": 1.5})
        self.check("D3Q27", {"operator": "cumulant", **RATES})

    def test_moments(self):
        """Kept instead of populations."""
        for lattice, collision, daily in (("D2Q9", "recursive", "double"), ("D2Q9", "regularised", "single"), ("D3Q15", "regularised", "single"),
                                          ("D3Q19", "recursive", "double"), ("D3Q27", "recursive", "single")):
            for precision in weir_case.PRECISIONS if weir_case.EVERY_VARIANT else [daily]:
                self.check(lattice, collision, precision=precision + "_moments")

    def test_stress_in_16_bits(self):
        for lattice in ("D2Q9", "D3Q19"):
            self.check(lattice, "recursive", precision="mixed_moments")

    def test_stress_of_differences_alone(self):
        self.check("D2Q9", {"operator": "hybrid_recursive", "sigma": 0.5}, greatest=0.01)

    def test_eddies_vanish_with_the_grid(self):
        """Their viscosity falls with the square of the cell size."""
        for lattice, collision in (("D2Q9", "trt"), ("D3Q19", "bgk"), ("D3Q27", "cumulant")):
            self.check(lattice, collision, greatest=0.0089, **EDDIES)


class ShearWaves(weir_case.CaseTest):
    TAU, VELOCITY = 0.8, 0.01

    def viscosity(self, n, wave, velocity, lattice="D3Q13", collision="mrt", tau=TAU):
        """From the decay of a shear wave: wave and velocity are vectors of whole numbers, along which the wave goes, and the fluid."""
        steps = round(0.25 * n**2 / viscosity(tau) / (4 * math.pi**2))
        phase = " + ".join(f"{k}*{axis}" for k, axis in zip(wave, "xyz"))
        run = self.compute({
            "lattice": lattice, "collision": {"operator": collision}, "precision": "double",
            "domain": {"cells": [n if k else 2 for k in wave], "periodic": [True] * 3}, "fluid": {"tau": tau},
            "initial": {"velocity": [f"{self.VELOCITY * u} * sin(2*pi*({phase})/{n})" for u in velocity]},
            "run": {"steps": 2 * steps}, "output": [{"type": "series", "every": steps}]})
        energy = run.series()["kinetic_energy"]
        square = sum(k * k for k in wave) * (2 * math.pi / n)**2
        return math.log(energy[1] / energy[2]) / (2 * square * steps)

    def test_viscosity_of_d3q13_in_all_directions(self):
        """Its stress relaxes at one rate along the axes and at another between them; d'Humieres, Bouzidi, Lallemand 2001."""
        for wave, velocity in (((0, 1, 0), (1, 0, 0)), ((1, 1, 0), (1, -1, 0)), ((1, 1, 0), (0, 0, 1)), ((1, 1, 1), (1, -1, 0)),
                               ((2, 1, 0), (1, -2, 0)), ((1, 1, 1), (1, 1, -2))):
            with self.subTest(wave=wave, velocity=velocity):
                errors = [abs(self.viscosity(n, wave, velocity) / viscosity(self.TAU) - 1) for n in (12, 24)]
                self.assertLess(errors[1], 0.04)
                self.assertGreaterEqual(math.log2(errors[0] / errors[1]), 1.9)


    def test_fourth_order(self):
        """Diffusion with parametrised cumulants (Geier, Pasquali, Schoenherr 2017), where cumulants have second order."""
        tau = 0.51
        for wave, velocity in (((1, 0, 0), (0, 1, 0)), ((1, 1, 0), (1, -1, 0))):
            with self.subTest(wave=wave, velocity=velocity):
                errors = [abs(self.viscosity(n, wave, velocity, "D3Q27", "parametrised_cumulant", tau) / viscosity(tau) - 1)
                          for n in (16, 32)]
                print(f"{wave}: {errors[0]:.2e}, {errors[1]:.2e}", flush=True)
                self.assertGreaterEqual(math.log2(errors[0] / errors[1]), 3.3)
                self.assertLess(errors[1], 3e-4)


class Incompressible(Order):
    test_rates_of_ones_own = test_moments = test_stress_in_16_bits = test_stress_of_differences_alone = test_eddies_vanish_with_the_grid = None

    def test_second_order(self):
        """The equilibrium of He and Luo, on all lattices."""
        for lattice, operator in (("D2Q9", "bgk"), ("D2Q9", "mrt"), ("D3Q15", "trt"), ("D3Q19", "mrt"), ("D3Q27", "bgk")):
            self.check(lattice, {"operator": operator, "equilibrium": "incompressible"})

    LENGTH, HEIGHT, FALL, TAU = 48, 6, 0.06, 0.9

    def channel(self, lattice, equilibrium, force=0):
        """A steady flow between two pressures: density and velocity at two places in the middle, where the ends are not felt, and how far
        these are apart."""
        count, here, there = dimensions(lattice), self.LENGTH // 2 - 6, self.LENGTH // 2 + 5
        fields = self.compute({
            "lattice": lattice, "collision": {"operator": "trt", "equilibrium": equilibrium}, "precision": "double",
            "domain": {"cells": [self.LENGTH, self.HEIGHT, 2][:count], "periodic": [False, False, True][:count]},
            "fluid": {"tau": self.TAU}, "force": [force, 0, 0][:count],
            "boundaries": {"x-": {"type": "pressure", "density": 1 + self.FALL / 2}, "x+": {"type": "pressure", "density": 1 - self.FALL / 2}},
            "run": {"steps": 4000}, "output": [{"type": "fields"}]}).fields()
        density, velocity = fields["density"][0, 0], fields["velocity"][0, :, :, 0]
        return density[here], density[there], velocity[:, here], velocity[:, there], there - here

    def test_flow_along_a_channel_does_not_change(self):
        """The velocity is the same all along, however far the pressure falls, and the parabola itself."""
        y = numpy.arange(self.HEIGHT) + 0.5
        for lattice, force in (("D2Q9", 0), ("D3Q19", 1e-5)):
            with self.subTest(lattice=lattice, force=force):
                high, low, before, after, distance = self.channel(lattice, "incompressible", force)
                self.assertGreater(high - low, self.FALL / 6)
                self.assertLess(numpy.abs(after / before - 1).max(), 1e-6)
                parabola = ((high - low) / 3 / distance + force) * y * (self.HEIGHT - y) / (2 * viscosity(self.TAU))
                self.assertLess(numpy.abs(after / parabola - 1).max(), 1e-6)

    def test_compressible_flow_accelerates(self):
        """As it expands: the mass that flows is what does not change."""
        high, low, before, after, _ = self.channel("D2Q9", "compressible")
        self.assertAlmostEqual(numpy.mean(after) / numpy.mean(before), high / low, delta=0.1 * (high / low - 1))


class Eddies(weir_case.CaseTest):
    HEIGHT, VELOCITY, TAU, CONSTANT = 12, 0.02, 0.55, 1

    def friction(self, lattice, collision, precision, model="smagorinsky"):
        """On the plate at rest, per area."""
        count = dimensions(lattice)
        steps = round(10 * self.HEIGHT**2 / (math.pi**2 * viscosity(self.TAU)))
        run = self.compute({
            "lattice": lattice, "collision": {"operator": collision}, **in_precision(precision),
            "turbulence": {"model": model, "constant": self.CONSTANT},
            "domain": {"cells": [2, self.HEIGHT, 2][:count], "periodic": [True, False, True][:count]},
            "fluid": {"tau": self.TAU},
            "boundaries": {"y+": {"type": "wall", "velocity": [self.VELOCITY, 0, 0][:count]}},
            "initial": {"velocity": [f"{self.VELOCITY} * y / ny", 0, 0][:count]},
            "blocks": {"cells": [self.HEIGHT] * count},
            "run": {"steps": steps},
            "output": [{"type": "series", "faces": True}]})
        return run.series()["force_x(y-)"][-1] / 2 ** (count - 1)

    def test_friction_in_shear(self):
        """Couette flow has one rate of strain, S = U / H, and |S| = S: the stress is (nu + C^2 S) S. With TRT the stress that the
        populations carry has terms of the order of the square of the Mach number, too, so U is small."""
        shear = self.VELOCITY / self.HEIGHT
        expected = (viscosity(self.TAU) + self.CONSTANT**2 * shear) * shear
        for lattice, collision, daily in (("D2Q9", "bgk", "single"), ("D2Q9", "trt", "double"), ("D2Q9", "recursive", "single"), ("D3Q15", "mrt", "double"),
                                          ("D3Q19", "bgk", "double"), ("D3Q19", "regularised", "single"), ("D3Q27", "trt", "single"), ("D3Q27", "cumulant", "double")):
            for precision in weir_case.PRECISIONS if weir_case.EVERY_VARIANT else [daily]:
                with self.subTest(lattice=lattice, collision=collision, precision=precision):
                    self.assertAlmostEqual(self.friction(lattice, collision, precision) / expected, 1, delta=1e-3)


    def test_qr_is_nothing_in_laminar_shear(self):
        shear = self.VELOCITY / self.HEIGHT
        for lattice, collision in (("D3Q15", "mrt"), ("D3Q19", "bgk"), ("D3Q27", "recursive")):
            with self.subTest(lattice=lattice, collision=collision):
                friction = self.friction(lattice, collision, "double", "qr")
                self.assertAlmostEqual(friction / (viscosity(self.TAU) * shear), 1, delta=1e-3)

    def test_wale_is_nothing_in_laminar_shear(self):
        shear = self.VELOCITY / self.HEIGHT
        for lattice, collision in (("D2Q9", "trt"), ("D3Q15", "mrt"), ("D3Q19", "hybrid_recursive")):
            with self.subTest(lattice=lattice, collision=collision):
                friction = self.friction(lattice, collision, "double", "wale")
                self.assertAlmostEqual(friction / (viscosity(self.TAU) * shear), 1, delta=1e-4)

    def test_wale_falls_with_the_third_power_at_walls(self):
        """Of a velocity that is given, beside a wall at rest: u = y a(x), v = - y^2/2 da/dx, w = y c(x). In a plane it is the sixth."""
        k, n = 2 * math.pi / 96, 12
        for lattice, expected in (("D2Q9", 6), ("D3Q19", 3)):
            count = dimensions(lattice)
            run = self.compute({
                "lattice": lattice, "precision": "double", "collision": {"operator": "bgk"}, "turbulence": {"model": "wale"},
                "domain": {"cells": [96, n, 2][:count], "periodic": [True, False, True][:count]}, "fluid": {"tau": 0.6},
                "initial": {"velocity": [f"0.001*y*(1 + 0.5*sin({k}*x))", f"-0.00025*y^2*{k}*cos({k}*x)", f"0.001*y*(0.7 + 0.5*cos({k}*x))"][:count]},
                "run": {"steps": 0}, "output": [{"type": "fields", "fields": ["eddy_viscosity"]}]})
            eddies, y = run.fields()["eddy_viscosity"][0], numpy.arange(n) + 0.5
            for x in (5, 40, 93):
                order = math.log(eddies[1, x] / eddies[0, x]) / math.log(y[1] / y[0])
                print(f"{lattice}, x = {x}: order {order:.3f}", flush=True)
                self.assertAlmostEqual(order, expected, delta=0.06)

    def test_all_of_the_stress_from_populations_is_recursive(self):
        fields = []
        for collision in ({"operator": "recursive"}, {"operator": "hybrid_recursive", "sigma": 1}):
            run = self.compute({
                "lattice": "D3Q19", "precision": "double", "collision": collision, **EDDIES, "domain": {"cells": [12, 10, 8], "periodic": [True] * 3},
                "fluid": {"tau": 0.51}, "force": [1e-5, 0, 0], "initial": {"velocity": ["0.05*sin(2*pi*y/ny)", "0.04*sin(2*pi*z/nz)", "0.03*cos(2*pi*x/nx)"]},
                "run": {"steps": 50}, "output": [{"type": "fields"}]})
            fields.append(run.fields()["velocity"])
        self.assertLess(numpy.abs(fields[1] - fields[0]).max(), 1e-14)

    def test_wale_damps_vortices(self):
        self.check_damping(WALE)

    def test_qr_damps_stretching(self):
        """Vortices in space, in which fluid is drawn out here and pressed flat there: the energy falls faster."""
        self.check_damping(QR)

    def check_damping(self, eddies):
        n, u, energies = 16, 0.02, []
        waves = [f"sin(2*pi*{a}/{n})*cos(2*pi*{b}/{n})*cos(2*pi*{c}/{n})" for a, b, c in ("xyz", "yxz", "zxy")]
        for more in ({}, eddies):
            run = self.compute({
                "lattice": "D3Q19", "collision": {"operator": "bgk"}, "precision": "double", **more,
                "domain": {"cells": [n] * 3, "periodic": [True] * 3}, "fluid": {"tau": 0.51},
                "initial": {"velocity": [f"{u}*{waves[0]}", f"{u}*{waves[1]}", f"{-2 * u}*{waves[2]}"]},
                "run": {"steps": 100}, "output": [{"type": "series", "every": 100}]})
            energies.append(run.series()["kinetic_energy"][-1])
        self.assertLess(energies[1], 0.98 * energies[0])


class SameBits(weir_case.CaseTest):
    def test_over_blocks(self):
        cases = [(lattice, collision, {}) for collision, lattices in FURTHER_COLLISIONS.items() for lattice in lattices[-1:]]
        for lattice, collision, more in cases + [("D3Q27", "parametrised_cumulant", {}), ("D3Q19", "bgk", EDDIES), ("D3Q19", "bgk", QR), ("D3Q15", "trt", WALE), ("D2Q9", "hybrid_recursive", WALE), ("D3Q27", "recursive", EDDIES)]:
            count = dimensions(lattice)
            case = {
                "lattice": lattice, "collision": {"operator": collision}, **more,
                "domain": {"cells": [20, 18, 16][:count], "periodic": [True, False, False][:count]},
                "fluid": {"tau": 0.52}, "force": [1e-5, 0, 2e-6][:count],
                "boundaries": {"y+": {"type": "wall", "velocity": [0.05, 0, 0][:count]}},
                "initial": {"velocity": ["0.03*sin(2*pi*y/ny)", "0.02*cos(2*pi*x/nx)", 0][:count]},
                "solids": [{"sphere": {"center": [9, 8, 8][:count], "radius": 3}}],
                "run": {"steps": 30}}
            with self.subTest(lattice=lattice, collision=collision, **more):
                digests = {self.compute({**case, "blocks": {"cells": cells[:count]}}).summary["digest"]
                           for cells in ([20, 18, 16], [10, 9, 8], [7, 18, 5])}
                if more == WALE:
                    digests.add(self.compute({**case, "blocks": {"cells": [10, 9, 8][:count], "list_up_to": 1}}).summary["digest"])
                    digests.add(self.compute({**case, "blocks": {"cells": [10, 9, 8][:count]}}, workers=1, ranks=2).summary["digest"])
                self.assertEqual(len(digests), 1)


if __name__ == "__main__":
    weir_case.main()
