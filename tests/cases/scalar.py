#!/usr/bin/env python3
"""A scalar that the flow carries along, D2Q5 and D3Q7, and its sources, against what is known exactly.

A Gaussian of width s in a uniform flow u spreads as it goes (d axes, images of periodic axes added):

    phi = (s^2 / (s^2 + 2 D t))^(d/2) exp(-|x - x0 - u t|^2 / (2 (s^2 + 2 D t)))

Between plates, a distance H apart, a wave exp(i k x) that fills the channel soon decays and travels as the slowest solution of

    lambda phi = D (phi'' - k^2 phi) - i k u(y) phi,   phi' = 0 at the plates,

which is found here in cosines; for long waves its rate is that of Taylor and Aris, k^2 D (1 + Pe^2 / 210) with Pe = U H / D and
the mean velocity U (Aris, Proc. R. Soc. A 235 (1956) 67; Wooding, J. Fluid Mech. 7 (1960) 501). Grids are refined with diffusive
scaling: D stays, velocities fall with the cell's width, and times grow with its inverse square.

Among eddies it diffuses with D + nu_t / Pr_t, in flows whose eddy viscosity is known and everywhere the same.

Usage: scalar.py WEIR
"""
import itertools
import math
import os

import numpy

import weir_case
from weir_case import along, dimensions

ORDER = 1.9
CS2 = {2: 1 / 3, 3: 1 / 4}


def order(sizes, errors):
    """Of the fall of errors from each grid to the next; the lowest."""
    return min(math.log(errors[k] / errors[k + 1]) / math.log(sizes[k + 1] / sizes[k]) for k in range(len(sizes) - 1))


class Gaussian(weir_case.CaseTest):
    def error(self, lattice, n, collision="trt"):
        """Root mean square, relative."""
        count, width, tau = dimensions(lattice), n / 10, 0.6
        diffusivity = CS2[count] * (tau - 0.5)
        steps = round(width**2 / (2 * diffusivity))
        velocity = [0.2 * n / steps, 0.1 * n / steps, -0.05 * n / steps][:count]
        blob = "+".join(f"({axis}-{n / 2})^2" for axis in "xyz"[:count])
        run = self.compute({
            "lattice": lattice, "precision": "double", "collision": {"operator": collision},
            "domain": {"cells": [n] * count, "periodic": [True] * count}, "fluid": {"tau": 0.8},
            "scalar": {"diffusivity": diffusivity},
            "initial": {"velocity": velocity, "scalar": f"exp(-({blob})/{2 * width**2})"},
            "blocks": {"cells": [n] * count}, "run": {"steps": steps},
            "output": [{"type": "fields", "fields": ["scalar"]}, {"type": "series", "every": steps}],
        })
        field, spread = run.fields()["scalar"], width**2 + 2 * diffusivity * steps
        expected = (width**2 / spread) ** (count / 2) * numpy.ones_like(field)
        for axis in range(count):
            place = numpy.arange(n) + 0.5 - n / 2 - velocity[axis] * steps
            factor = sum(numpy.exp(-((place + image * n) ** 2) / (2 * spread)) for image in (-1, 0, 1))
            expected *= factor.reshape([n if other == axis else 1 for other in (2, 1, 0)])
        total = run.series()["scalar"]
        self.assertLess(abs(total[-1] / total[0] - 1), 1e-12)
        return math.sqrt(((field - expected) ** 2).sum() / (expected**2).sum())

    def check(self, lattice, sizes, most):
        errors = [self.error(lattice, n) for n in sizes]
        self.assertLess(errors[-1], most, errors)
        self.assertGreater(order(sizes, errors), ORDER, errors)

    def test_plane(self):
        self.check("D2Q9", [20, 40, 80], 4e-3)

    def test_space(self):
        self.check("D3Q19", [16, 24, 32], 2.5e-2)


class TaylorAris(weir_case.CaseTest):
    PECLET, DIFFUSIVITY, LENGTH = 10, 0.1, 8  # length of the wave in heights

    def exact(self):
        """The slowest lambda, times H^2 / D: in cosines cos(n pi y / H), of which few suffice."""
        k, terms = 2 * math.pi / self.LENGTH, 24
        y = (numpy.arange(4000) + 0.5) / 4000
        waves = numpy.array([math.sqrt(2 if n else 1) * numpy.cos(n * math.pi * y) for n in range(terms)])
        flow = (waves * (6 * y * (1 - y))) @ waves.T / len(y)
        rates = numpy.diag([-((n * math.pi) ** 2) - k**2 for n in range(terms)]) - 1j * k * self.PECLET * flow
        return max(numpy.linalg.eigvals(rates), key=lambda value: value.real)

    def rate(self, lattice, height):
        """The same as computed."""
        count, length = dimensions(lattice), self.LENGTH * height
        mean = self.PECLET * self.DIFFUSIVITY / height
        viscosity, unit = 0.1, round(height**2 / self.DIFFUSIVITY)
        run = self.compute({
            "lattice": lattice, "precision": "double",
            "domain": {"cells": [length, height, 2][:count], "periodic": [True, False, True][:count]},
            "fluid": {"viscosity": viscosity}, "force": along(0, 12 * viscosity * mean / height**2, count),
            "scalar": {"diffusivity": self.DIFFUSIVITY},
            "initial": {"velocity": along(0, f"{6 * mean} * y*({height} - y)/{height}^2", count), "scalar": f"1 + cos(2*pi*x/{length})"},
            "blocks": {"cells": [length, height, 2][:count]}, "run": {"steps": 2 * unit},
            "output": [{"type": "fields", "fields": ["scalar"], "every": unit}],
        })
        wave = numpy.exp(-2j * math.pi * (numpy.arange(length) + 0.5) / length)
        early, late = ((run.fields_at("fields", step)["scalar"] * wave).sum() for step in (unit, 2 * unit))
        decay = math.log(abs(late / early))
        return (decay + 1j * numpy.angle(late / early)) * height**2 / (self.DIFFUSIVITY * unit)

    def check(self, lattice, sizes, most):
        exact = self.exact()
        k = 2 * math.pi / self.LENGTH
        self.assertLess(abs(-exact.real / (k**2 * (1 + self.PECLET**2 / 210)) - 1), 0.05)  # that it is Taylor's and Aris's
        rates = [self.rate(lattice, height) for height in sizes]
        self.assertLess(abs(rates[-1].real / exact.real - 1), most, rates)
        turns = [round((exact - rate).imag / (2 * math.pi)) for rate in rates]  # an angle does not tell
        errors = [abs(rate + 2j * math.pi * turn - exact) for rate, turn in zip(rates, turns)]
        self.assertGreater(order(sizes, errors), ORDER, errors)

    def test_plane(self):
        self.check("D2Q9", [8, 12, 16], 2e-3)

    def test_space(self):
        self.check("D3Q19", [6, 8, 12], 5e-3)


class Walls(weir_case.CaseTest):
    CELLS = 8

    def case(self, lattice, axis, low, high, velocity=0.0):
        count = dimensions(lattice)
        walls = {"xyz"[axis] + "-": {"type": "wall", **low}, "xyz"[axis] + "+": {"type": "wall", **high}}
        if velocity:
            walls["xyz"[axis] + "+"]["velocity"] = along((axis + 1) % count, velocity, count)
        return {
            "lattice": lattice, "precision": "double",
            "domain": {"cells": [self.CELLS if k == axis else 3 for k in range(count)], "periodic": [k != axis for k in range(count)]},
            "fluid": {"tau": 0.8}, "scalar": {"diffusivity": 0.1}, "boundaries": walls, "run": {"steps": 12000},
            "output": [{"type": "fields", "fields": ["scalar"]}],
        }

    def across(self, case, axis):
        field = numpy.moveaxis(self.compute(case).fields()["scalar"], 2 - axis, 0).reshape(self.CELLS, -1)
        self.assertLess(numpy.ptp(field, axis=1).max(), 1e-11)
        return field[:, 0]

    def test_values(self):
        """A straight line from wall to wall, also where one of them moves: exact, with walls half-way."""
        y = (numpy.arange(self.CELLS) + 0.5) / self.CELLS
        for lattice in ("D2Q9", "D3Q19"):
            for axis in range(dimensions(lattice)):
                with self.subTest(lattice=lattice, axis=axis):
                    got = self.across(self.case(lattice, axis, {"scalar": 0.5}, {"scalar": -1}, velocity=0.02), axis)
                    self.assertLess(numpy.abs(got - (0.5 - 1.5 * y)).max(), 1e-10)

    def test_flux(self):
        """What comes in at one wall leaves at the other, which keeps its value: a line with the slope of the flux."""
        y = numpy.arange(self.CELLS) + 0.5
        for lattice in ("D2Q9", "D3Q19"):
            for axis in range(dimensions(lattice)):
                with self.subTest(lattice=lattice, axis=axis):
                    got = self.across(self.case(lattice, axis, {"scalar": 2}, {"scalar_flux": 0.003}), axis)
                    self.assertLess(numpy.abs(got - (2 + 0.03 * y)).max(), 1e-10)

    def test_conservation(self):
        """Nothing passes walls, nor bodies, of which nothing is said, whatever the flow does: to rounding."""
        for lattice in ("D2Q9", "D3Q19"):
            count = dimensions(lattice)
            run = self.compute({
                "lattice": lattice, "precision": "double", "domain": {"cells": [24, 20, 12][:count]}, "fluid": {"tau": 0.6},
                "scalar": {"diffusivity": 0.01}, "boundaries": {"y+": {"type": "wall", "velocity": along(0, 0.08, count)}},
                "initial": {"scalar": "x < nx/2 ? 1 : 0"}, "solids": [{"sphere": {"center": [11.3, 9.1, 6][:count], "radius": 4}}],
                "run": {"steps": 1000}, "output": [{"type": "series", "every": 100}],
            })
            total = run.series()["scalar"]
            self.assertLess(numpy.abs(total / total[0] - 1).max(), 1e-12)

    def test_inlet_and_outlet(self):
        """What comes in fills the channel, and leaves it: in the end the scalar is that of the inlet everywhere, behind a body too,
        but for what the density differs: the scalar is an amount per volume."""
        for lattice in ("D2Q9", "D3Q19"):
            count, short = dimensions(lattice), [16, 8, 4]
            run = self.compute({
                "lattice": lattice, "precision": "double", "domain": {"cells": short[:count], "periodic": [False, False, True][:count]},
                "fluid": {"tau": 0.8}, "scalar": {"diffusivity": 0.1},
                "boundaries": {"x-": {"type": "velocity", "velocity": along(0, "0.001 * 4*y*(ny - y)/ny^2", count), "scalar": 1.5},
                               "x+": {"type": "pressure", "density": 1}},
                "solids": [{"box": {"from": [6, 3, 0][:count], "to": [8, 5, 2][:count]}}],
                "run": {"steps": 20000}, "output": [{"type": "fields", "fields": ["scalar"]}],
            })
            fields = run.fields()
            fluid = fields["scalar"][fields["scalar"] != 0]
            self.assertLess(numpy.abs(fluid - 1.5).max(), 0.01)


class Sources(weir_case.CaseTest):
    def slab(self, lattice, axis, n, magic=0.25):
        """Between walls at 0, with the same source everywhere: the greatest error by the greatest value, q n^2 / (8 D)."""
        count, diffusivity = dimensions(lattice), 0.1
        source = 8 * diffusivity / n**2
        run = self.compute({
            "lattice": lattice, "precision": "double",
            "domain": {"cells": [n if k == axis else 2 for k in range(count)], "periodic": [k != axis for k in range(count)]},
            "fluid": {"tau": 0.8}, "scalar": {"diffusivity": diffusivity, "source": source, "magic": magic},
            "boundaries": {"xyz"[axis] + end: {"type": "wall", "scalar": 0} for end in "-+"},
            "run": {"steps": round(4 * n**2 / diffusivity)}, "output": [{"type": "fields", "fields": ["scalar"]}, {"type": "series", "every": 100}],
        })
        flows = [run.series()[f"scalar_flow({'xyz'[axis]}{end})"][-1] for end in "-+"]
        self.assertLess(abs(sum(flows) / (source * n * 2 ** (count - 1)) + 1), 1e-10)  # what is set free leaves
        y = (numpy.arange(n) + 0.5) / n
        got = numpy.moveaxis(run.fields()["scalar"], 2 - axis, 0).reshape(n, -1)
        return numpy.abs(got - (4 * y * (1 - y))[:, None]).max()

    def test_slab(self):
        """A parabola: of second order, and exact with the magic parameter 1 / (8 (1 - c_s^2)), at which it is 0 half-way between
        cells."""
        for lattice in ("D2Q9", "D3Q19"):
            with self.subTest(lattice=lattice):
                errors = [self.slab(lattice, n % dimensions(lattice), n) for n in (6, 10, 14)]
                self.assertGreater(order((6, 10, 14), errors), ORDER, errors)
                self.assertLess(errors[-1], 1e-2, errors)
                self.assertLess(self.slab(lattice, 1, 6, magic=1 / (8 * (1 - CS2[dimensions(lattice)]))), 1e-11)

    def test_growth(self):
        """On a stream without ends the scalar grows by the source in each step: to rounding, in each cell; also where the sources are
        kept before the eddy viscosity."""
        for lattice in ("D2Q9", "D3Q19"):
            count = dimensions(lattice)
            run = self.compute({
                "lattice": lattice, "precision": "double", "domain": {"cells": [9, 7, 4][:count], "periodic": [True] * count},
                "fluid": {"tau": 0.7}, "scalar": {"diffusivity": 0.02, "source": -1e-3}, "initial": {"scalar": 1, "velocity": [0.05, -0.02, 0.01][:count]},
                **({"turbulence": {"model": "wale"}} if count == 3 else {}),
                "run": {"steps": 400}, "output": [{"type": "fields", "fields": ["scalar"]}],
            })
            self.assertLess(numpy.abs(run.fields()["scalar"] - 0.6).max(), 1e-12)

    def wave(self, n):
        """A source q sin(k x) on a stream u that comes up from nothing: phi is the imaginary part of
        q exp(i k x) (1 - exp(-(D k^2 + i k u) t)) / (D k^2 + i k u)."""
        diffusivity, k = 0.05, 2 * math.pi / n
        speed, steps = 0.8 / n, round(n**2 / (4 * math.pi**2 * diffusivity))
        run = self.compute({
            "lattice": "D2Q9", "precision": "double", "domain": {"cells": [n, 2], "periodic": [True, True]}, "fluid": {"tau": 0.8},
            "scalar": {"diffusivity": diffusivity, "source": f"{diffusivity * k**2} * sin(2*pi*x/nx)"},
            "initial": {"velocity": [speed, 0]}, "run": {"steps": steps}, "output": [{"type": "fields", "fields": ["scalar"]}],
        })
        rate = diffusivity * k**2 + 1j * k * speed
        x = numpy.arange(n) + 0.5
        expected = (diffusivity * k**2 * numpy.exp(1j * k * x) * (1 - numpy.exp(-rate * steps)) / rate).imag
        return numpy.abs(run.fields()["scalar"][0] - expected).max()

    def test_wave(self):
        errors = [self.wave(n) for n in (12, 24, 48)]
        self.assertLess(errors[-1], 2e-3, errors)
        self.assertGreater(order((12, 24, 48), errors), ORDER, errors)

    def test_going_on(self):
        """From a checkpoint: the same bits; and not with another source, which is kept with the cells."""
        case = {
            "lattice": "D2Q9", "domain": {"cells": [20, 12]}, "fluid": {"tau": 0.7}, "blocks": {"cells": [7, 5]},
            "scalar": {"diffusivity": 0.02, "source": "x < 8 ? 1e-3 : -2e-3"}, "run": {"steps": 30}, "checkpoint": {"every": 13},
        }
        whole = self.compute(case)
        checkpoint = os.path.join(whole.folder, "checkpoint_000000013.h5")
        again = self.compute({**case, "blocks": {"cells": [20, 4]}}, "--resume", checkpoint)
        self.assertEqual(again.summary["digest"], whole.summary["digest"])
        self.assertIn("scalar.source: 0.001", self.compute(case, "--resume", checkpoint, "--set", "scalar.source=0.001", code=2).error)


class AmongEddies(weir_case.CaseTest):
    def shear(self, lattice, collision, prandtl, constant=0.9):
        """Diffusivity by the decay of cos(pi y / H) between plates of which one moves, by (C width)^2 U / H of Smagorinsky's model."""
        count, height, speed, diffusivity, times = dimensions(lattice), 20, 0.1, 0.004, (400, 1600)
        run = self.compute({
            "lattice": lattice, "precision": "double", "collision": {"operator": collision},
            "domain": {"cells": [2, height, 2][:count], "periodic": [True, False, True][:count]}, "fluid": {"tau": 0.52},
            "turbulence": {"constant": constant}, "scalar": {"diffusivity": diffusivity, **({"turbulent_prandtl": prandtl} if prandtl else {})},
            "boundaries": {"y+": {"type": "wall", "velocity": along(0, speed, count)}},
            "initial": {"velocity": along(0, f"{speed / height} * y", count), "scalar": f"1 + cos(pi*y/{height})"},
            "run": {"steps": times[1]}, "output": [{"type": "fields", "fields": ["scalar"], "every": times[0]}],
        })
        wave = numpy.cos(math.pi * (numpy.arange(height) + 0.5) / height)[None, :, None]
        early, late = ((run.fields_at("fields", step)["scalar"] * wave).sum() for step in times)
        got = math.log(early / late) / (times[1] - times[0]) * (height / math.pi) ** 2
        return got, diffusivity + constant**2 * speed / height / (prandtl or 0.85)

    def test_shear(self):
        """Within 1 %; eddies add 0.5 to 4 times the diffusivity without them."""
        for lattice, collision, prandtl in (("D2Q9", "trt", None), ("D2Q9", "bgk", 0.25), ("D2Q9", "mrt", 2), ("D3Q15", "regularised", None),
                                            ("D3Q19", "recursive", 0.5), ("D3Q27", "cumulant", None)):
            with self.subTest(lattice=lattice, collision=collision):
                got, expected = self.shear(lattice, collision, prandtl)
                print(f"{lattice} {collision}, turbulent Prandtl number {prandtl}: diffusivity {got:.6f}, {expected:.6f} expected, off by {got / expected - 1:.2%}")
                self.assertLess(abs(got / expected - 1), 0.01)

    def test_rotation(self):
        """A Gaussian in fluid that turns as a solid does, of which WALE's eddy viscosity is (2/3)^(1/4) C^2 omega: its second moment grows
        by 4 (D + nu_t / Pr_t) in a step, within 1 %."""
        size, rate, constant, diffusivity, times, prandtl = 60, 2e-3, 1, 1e-3, (200, 800), 0.5
        x, y = (f"({axis} - {size / 2})" for axis in "xy")
        run = self.compute({
            "lattice": "D2Q9", "precision": "double", "domain": {"cells": [size, size], "periodic": [True, True]}, "fluid": {"tau": 0.6},
            "turbulence": {"model": "wale", "constant": constant}, "scalar": {"diffusivity": diffusivity, "turbulent_prandtl": prandtl},
            "solids": [{"formula": f"{x}^2 + {y}^2 > {(size / 2 - 1)**2}", "name": "drum", "rotation": {"rate": rate, "center": [size / 2] * 2}}],
            "initial": {"velocity": [f"-{rate} * {y}", f"{rate} * {x}"], "density": f"1 + {1.5 * rate**2} * ({x}^2 + {y}^2)",
                        "scalar": f"exp(-({x}^2 + {y}^2) / 32)"},
            "run": {"steps": times[1]}, "output": [{"type": "fields", "fields": ["scalar", "eddy_viscosity"], "every": times[0]}],
        })
        moments, place = [], numpy.arange(size) + 0.5 - size / 2
        for step in times:
            fields = run.fields_at("fields", step)
            moments.append((fields["scalar"][0] * numpy.add.outer(place**2, place**2)).sum() / fields["scalar"].sum())
        eddies = (2 / 3) ** 0.25 * constant**2 * rate
        self.assertLess(numpy.abs(fields["eddy_viscosity"][0, 20:40, 20:40] / eddies - 1).max(), 0.01)
        got, expected = (moments[1] - moments[0]) / (4 * (times[1] - times[0])), diffusivity + eddies / prandtl
        print(f"rotation: diffusivity {got:.6f}, {expected:.6f} expected, off by {got / expected - 1:.2%}")
        self.assertLess(abs(got / expected - 1), 0.01)

    def test_same_bits(self):
        """However the domain is cut, however blocks keep their cells, whoever computes, and from a checkpoint; with each model."""
        for lattice, precision, turbulence in (("D2Q9", "single", {"constant": 0.3}), ("D3Q19", "double", {"model": "qr", "constant": 1}),
                                               ("D3Q19", "single", {"model": "wale"})):
            count, digests = dimensions(lattice), []
            case = {**open_box(lattice, precision), "turbulence": turbulence, "checkpoint": {"every": 13}}
            case["scalar"]["turbulent_prandtl"] = 0.4
            for cut, lists, ranks in (([40, 18, 10], 0, 1), ([7, 5, 4], 0, 1), ([7, 5, 4], 1, 1), ([13, 6, 10], 0, 2)):
                run = self.compute({**case, "blocks": {"cells": cut[:count], "list_up_to": lists}}, workers=2 if ranks == 1 else 1, ranks=ranks)
                digests.append(run.summary["digest"])
            again = self.compute({**case, "blocks": {"cells": [20, 4, 9][:count]}}, "--resume", os.path.join(run.folder, "checkpoint_000000013.h5"))
            digests.append(again.summary["digest"])
            self.assertEqual(len(set(digests)), 1, (lattice, precision, digests))
            less = self.compute(case, "--set", "scalar.turbulent_prandtl=1e9").summary["digest"]
            self.assertNotEqual(less, digests[0])


def open_box(lattice, precision):
    """With boundaries of every kind that a scalar has, and a body."""
    count = dimensions(lattice)
    return {
        "lattice": lattice, "precision": precision, "domain": {"cells": [40, 18, 10][:count]}, "fluid": {"tau": 0.6},
        "scalar": {"diffusivity": 0.01},
        "boundaries": {"x-": {"type": "velocity", "velocity": along(0, 0.03, count), "scalar": 1},
                       "x+": {"type": "pressure", "density": 1}, "y-": {"type": "wall", "scalar": 0.5},
                       "y+": {"type": "wall", "scalar_flux": 0.001}},
        "initial": {"scalar": "0.3 * sin(x) * cos(y)"},
        "solids": [{"sphere": {"center": [17, 9, 5][:count], "radius": 3}, "scalar": 2}], "run": {"steps": 31},
    }


class Everywhere(weir_case.CaseTest):
    def test_same_bits(self):
        """However the domain is cut, however blocks keep their cells, and whoever computes; with sources and without."""
        for (lattice, precision), source in zip(itertools.product(("D2Q9", "D3Q19"), ("single", "double")), (False, True, True, False)):
            count, digests = dimensions(lattice), []
            case = open_box(lattice, precision)
            if source:
                case["scalar"]["source"] = "x < 20 ? 1e-3 : -1e-3 * y/ny"
            for cut, lists, ranks in (([40, 18, 10], 0, 1), ([7, 5, 4], 0, 1), ([7, 5, 4], 1, 1), ([13, 6, 10], 0, 2)):
                run = self.compute({**case, "blocks": {"cells": cut[:count], "list_up_to": lists}}, workers=2 if ranks == 1 else 1, ranks=ranks)
                digests.append(run.summary["digest"])
            self.assertEqual(len(set(digests)), 1, (lattice, precision, digests))


if __name__ == "__main__":
    weir_case.main()
