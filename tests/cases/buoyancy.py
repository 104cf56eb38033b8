#!/usr/bin/env python3
"""Flows that a scalar drives, or does not: buoyancy in the approximation of Boussinesq, Prandtl number 0.71 or 1.

Between plates of which the upper one is hot nothing moves, and the scalar is a line. In a square cavity with a hot and a cold side
the mean Nusselt numbers are those of de Vahl Davis (Int. J. Numer. Meth. Fluids 3 (1983) 249): 1.118, 2.243, 4.519 and 8.800 at
Rayleigh numbers of 10^3 to 10^6; in a cube with such sides, at 10^5, that of a side is 4.337 (Tric, Labrosse, Betrouni, Int. J. Heat Mass
Transfer 43 (2000) 4043), and along the line half-way between the other sides 4.646 (Fusegi et al., Int. J. Heat Mass Transfer 34 (1991)
1543). Between plates of which the lower one is hot, rolls whose width is the height begin to grow at Ra = 1708.0: the least of any width is
1707.76 (Chandrasekhar, Hydrodynamic and Hydromagnetic Stability, 1961, chapter II), at a wave number of 3.117 by the height, and the border
is flat there: at pi it is higher by 0.01 %. Steady rolls of that wave number carry 2.661 times what is conducted at 10^4 (Clever, Busse, J.
Fluid Mech. 65 (1974) 625; 2.6525 by rolls.py, from which their values differ more beyond), and 4.988 at 10^5 (rolls.py); the one roll in a
closed square that is hot below 2.158 and 3.910 (Ouertatani, Ben Cheikh, Ben Beya, Lili, C. R. Mecanique 336 (2008) 464).

Usage: buoyancy.py WEIR
"""
import math

import numpy

import rolls
import weir_case
from weir_case import dimensions

NUSSELT = {1e3: 1.118, 1e4: 2.243, 1e5: 4.519, 1e6: 8.800}
ONSET = 1707.76
PRANDTL = 0.71  # but of the onset


def upwards(lattice, strength, reference=0.5):
    """Buoyancy along y: by `strength` for each unit of the scalar."""
    return {"expansion": 0.1, "gravity": [0, -10 * strength, 0][:dimensions(lattice)], "reference": reference}


class Conduction(weir_case.CaseTest):
    def test_line(self):
        """Hot above: at rest, with a line from wall to wall, in the pressure that carries it. (From another pressure waves of two cells
        stay for ever, as walls only turn them round: 1.7e-6 in the velocity here.)"""
        for lattice in ("D2Q9", "D3Q19"):
            with self.subTest(lattice=lattice):
                count, height, strength = dimensions(lattice), 12, 1e-4
                run = self.compute({
                    "lattice": lattice, "precision": "double",
                    "domain": {"cells": [3, height, 3][:count], "periodic": [True, False, True][:count]}, "fluid": {"tau": 0.8},
                    "scalar": {"diffusivity": 0.1, "buoyancy": upwards(lattice, strength)},
                    "boundaries": {"y-": {"type": "wall", "scalar": 0}, "y+": {"type": "wall", "scalar": 1}},
                    "initial": {"scalar": f"y/{height} + 1e-3 * sin(pi*y/{height})",
                                "density": f"1 - {1.5 * strength} * (y - y*y/{height} - {height / 6})"},
                    "run": {"steps": 8000}, "output": [{"type": "fields", "fields": ["scalar", "velocity"]}],
                })
                fields, y = run.fields(), (numpy.arange(height) + 0.5) / height
                self.assertLess(numpy.abs(fields["scalar"] - y[None, :, None]).max(), 1e-12)
                self.assertLess(numpy.abs(fields["velocity"]).max(), 1e-12)


class ConvectionTest(weir_case.CaseTest):
    def carried(self, axis, cells, rayleigh, initial, speed=0.2, times=0.7, collision="trt", lattice="D2Q9", periodic=(False, False, False), workers=1):
        """What flows from the hot end of an axis to the cold one, by what would be conducted: the mean over all, at the hot end and at the
        cold one; and the fields. speed: of free fall; times: of diffusion."""
        n, count = cells[axis], dimensions(lattice)
        viscosity = speed * n * math.sqrt(PRANDTL / rayleigh)
        diffusivity, area = viscosity / PRANDTL, math.prod(cells[:count]) // n
        hot, cold = "xyz"[axis] + "-", "xyz"[axis] + "+"
        run = self.compute({
            "lattice": lattice, "precision": "double", "collision": {"operator": collision},
            "domain": {"cells": cells[:count], "periodic": list(periodic[:count])}, "fluid": {"viscosity": viscosity},
            "scalar": {"diffusivity": diffusivity, "buoyancy": upwards(lattice, speed**2 / n)},
            "boundaries": {hot: {"type": "wall", "scalar": 1}, cold: {"type": "wall", "scalar": 0}},
            "initial": {"scalar": initial}, "run": {"steps": round(times * n * n / diffusivity)},
            "output": [{"type": "fields", "fields": ["scalar", "velocity"]},
                       {"type": "series", "every": 1000, "statistics": 0, "nusselt": {"length": n, "difference": 1, "area": area}}],
        }, workers=workers)
        fields, series = run.fields(), run.series()
        self.assertIn(f"nusselt({hot})", run.summary["statistics"]["series"]["columns"])
        mean = 1 + (fields["velocity"][..., axis] * fields["scalar"]).mean() * n / diffusivity
        return [mean, series[f"nusselt({hot})"][-1], -series[f"nusselt({cold})"][-1]], fields

    def check_carried(self, words, found, published, expected):
        print(f"{words}: Nu {found[0]:.4f}, at the ends {found[1]:.4f} and {found[2]:.4f}; {published} {expected:.4f}")
        for nusselt in found:
            self.assertLess(abs(nusselt / expected - 1), 0.01)


class Cavity(ConvectionTest):
    def nusselt(self, rayleigh, n, **more):
        return self.carried(0, [n, n, 2], rayleigh, f"1 - x/{n}", periodic=(False, False, True), **more)[0]

    def check(self, rayleigh, n, **more):
        self.check_carried(f"square, Ra {rayleigh:g}, {n} cells", self.nusselt(rayleigh, n, **more), "published", NUSSELT[rayleigh])

    def test_1e3(self):
        self.check(1e3, 24)

    def test_1e4(self):
        self.check(1e4, 40)

    def test_collisions(self):
        """Others, with 16 cells: within 2 %. (All are compared with the reference, step by step, in tests/unit/kernels/test_scalar.c.)"""
        for lattice, collision in (("D2Q9", "mrt"), ("D2Q9", "recursive"), ("D3Q19", "trt")):
            with self.subTest(lattice=lattice, collision=collision):
                for nusselt in self.nusselt(1e3, 16, collision=collision, lattice=lattice):
                    self.assertLess(abs(nusselt / NUSSELT[1e3] - 1), 0.02)


class CavityLong(Cavity):
    test_1e3 = test_1e4 = test_collisions = None

    def test_1e5(self):
        self.check(1e5, 80, times=0.5)

    def test_1e6(self):
        self.check(1e6, 128, times=0.3)


class CubeLong(ConvectionTest):
    def test_1e5(self):
        n = 56
        found, fields = self.carried(0, [n, n, n], 1e5, f"1 - x/{n}", lattice="D3Q19", times=0.2, workers=None)
        self.check_carried(f"cube, Ra 1e5, {n} cells", found, "published", 4.337)
        middle = fields["scalar"][n // 2 - 1:n // 2 + 1].mean(axis=0)  # its slope at the hot side by a parabola
        half_way = n * ((8 - 9 * middle[:, 0] + middle[:, 1]) / 3).mean()
        print(f"half-way {half_way:.4f}; published 4.646")
        self.assertLess(abs(half_way / 4.646 - 1), 0.01)


class RayleighBenard(weir_case.CaseTest):
    DIFFUSIVITY = 0.05  # and viscosity

    def rate(self, rayleigh, height):
        """At which a roll grows, by the time of diffusion."""
        strength, unit = rayleigh * self.DIFFUSIVITY**2 / height**3, round(height**2 / self.DIFFUSIVITY)
        roll = f"cos(pi*x/{height}) * sin(pi*y/{height})"
        run = self.compute({
            "lattice": "D2Q9", "precision": "double", "domain": {"cells": [2 * height, height], "periodic": [True, False]},
            "fluid": {"viscosity": self.DIFFUSIVITY}, "scalar": {"diffusivity": self.DIFFUSIVITY, "buoyancy": upwards("D2Q9", strength)},
            "boundaries": {"y-": {"type": "wall", "scalar": 1}, "y+": {"type": "wall", "scalar": 0}},
            "initial": {"scalar": f"1 - y/{height} + 1e-5 * {roll}",  # at rest but for the roll: pressure carries the line
                        "density": f"1 + {1.5 * strength} * (y - y*y/{height} - {height / 6})"},
            "run": {"steps": unit}, "output": [{"type": "fields", "fields": ["velocity"], "every": unit // 2}],
        })
        x, y = (numpy.arange(2 * height) + 0.5) / height, (numpy.arange(height) + 0.5) / height
        shape = numpy.sin(math.pi * y)[:, None] * numpy.cos(math.pi * x)
        early, late = ((run.fields_at("fields", step)["velocity"][0, :, :, 1] * shape).sum() for step in (unit // 2, unit // 2 * 2))
        return 2 * math.log(late / early)

    def test_onset(self):
        """Between a Rayleigh number at which rolls decay and one at which they grow, by a line."""
        low, high = 0.98 * ONSET, 1.02 * ONSET
        rates = [self.rate(rayleigh, 24) for rayleigh in (low, high)]
        self.assertLess(rates[0], 0)
        self.assertGreater(rates[1], 0)
        onset = low + (high - low) * rates[0] / (rates[0] - rates[1])
        print(f"rolls grow from Ra {onset:.1f} on, {ONSET} in theory")
        self.assertLess(abs(onset / ONSET - 1), 0.01)


class FromBelow(ConvectionTest):
    """What steady rolls carry."""

    def square(self, rayleigh, height, **more):
        """One roll between walls."""
        return self.carried(1, [height, height], rayleigh, f"1 - y/{height} + 0.1*cos(pi*x/{height})*sin(pi*y/{height})", **more)[0]

    def rolls(self, rayleigh, height, **more):
        """Two, of whole cells, between plates; and their wave number by the height."""
        width = round(2 * math.pi * height / 3.117)
        found, _ = self.carried(1, [width, height], rayleigh, f"1 - y/{height} + 0.1*cos(2*pi*x/{width})*sin(pi*y/{height})", periodic=(True, False), **more)
        return found, 2 * math.pi * height / width

    def test_square(self):
        self.check_carried("roll in a square, Ra 1e4, 40 cells", self.square(1e4, 40), "published", 2.158)

    def test_rolls(self):
        found, wave_number = self.rolls(1e4, 40)
        self.check_carried("rolls, Ra 1e4, 40 cells", found, "published", 2.661)
        self.check_carried("rolls, Ra 1e4, 40 cells", found, "by rolls.py", rolls.nusselt(1e4, PRANDTL, wave_number, 9, 19))


class FromBelowLong(FromBelow):
    def test_square(self):
        self.check_carried("roll in a square, Ra 1e5, 64 cells", self.square(1e5, 64), "published", 3.910)

    def test_rolls(self):
        found, wave_number = self.rolls(1e5, 64)
        self.check_carried("rolls, Ra 1e5, 64 cells", found, "by rolls.py", rolls.nusselt(1e5, PRANDTL, wave_number, 16, 29))


class Everywhere(weir_case.CaseTest):
    def test_same_bits(self):
        """However the domain is cut, however blocks keep their cells, whoever computes: beside open boundaries and solids, and a
        force of its own."""
        for lattice, precision in (("D2Q9", "single"), ("D3Q19", "double")):
            count, digests = dimensions(lattice), []
            case = {
                "lattice": lattice, "precision": precision, "domain": {"cells": [40, 18, 10][:count]}, "fluid": {"tau": 0.6},
                "scalar": {"diffusivity": 0.01, "buoyancy": upwards(lattice, 1e-3, 0.3)}, "force": [1e-5, 2e-5, 0][:count],
                "boundaries": {"x-": {"type": "velocity", "velocity": [0.03, 0, 0][:count], "scalar": 1},
                               "x+": {"type": "pressure", "density": 1}, "y-": {"type": "wall", "scalar": 0.5},
                               "y+": {"type": "wall", "scalar_flux": 0.001}},
                "initial": {"scalar": "0.3 * sin(x) * cos(y)"},
                "solids": [{"sphere": {"center": [17, 9, 5][:count], "radius": 3}, "scalar": 2}], "run": {"steps": 31},
            }
            for cut, lists, ranks in (([40, 18, 10], 0, 1), ([7, 5, 4], 0, 1), ([7, 5, 4], 1, 1), ([13, 6, 10], 0, 2)):
                run = self.compute({**case, "blocks": {"cells": cut[:count], "list_up_to": lists}}, workers=2 if ranks == 1 else 1, ranks=ranks)
                digests.append(run.summary["digest"])
            self.assertEqual(len(set(digests)), 1, (lattice, precision, digests))


if __name__ == "__main__":
    weir_case.main()
