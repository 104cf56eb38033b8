#!/usr/bin/env python3
"""Flows that a scalar drives, or does not: buoyancy in the approximation of Boussinesq, Prandtl number 0.71 or 1.

Between plates of which the upper one is hot nothing moves, and the scalar is a line. In a square cavity with a hot and a cold side
the mean Nusselt numbers are those of de Vahl Davis (Int. J. Numer. Meth. Fluids 3 (1983) 249): 1.118, 2.243, 4.519 and 8.800 at
Rayleigh numbers of 10^3 to 10^6. Between plates of which the lower one is hot, rolls whose width is the height begin to grow at
Ra = 1708.0: the least of any width is 1707.76 (Chandrasekhar, Hydrodynamic and Hydromagnetic Stability, 1961, chapter II), at a wave
number of 3.117 by the height, and the border is flat there: at pi it is higher by 0.01 %.

Usage: buoyancy.py WEIR
"""
import math

import numpy

import weir_case
from weir_case import dimensions

NUSSELT = {1e3: 1.118, 1e4: 2.243, 1e5: 4.519, 1e6: 8.800}
ONSET = 1707.76


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


class Cavity(weir_case.CaseTest):
    PRANDTL = 0.71

    def nusselt(self, rayleigh, n, speed=0.2, times=0.7, collision="trt", lattice="D2Q9", **more):
        """What flows along x, by what would be conducted: the mean over the cavity, at the hot side and at the cold one. speed: of
        free fall; times: of diffusion."""
        viscosity = speed * n * math.sqrt(self.PRANDTL / rayleigh)
        diffusivity, count = viscosity / self.PRANDTL, dimensions(lattice)
        run = self.compute({
            "lattice": lattice, "precision": "double", "collision": {"operator": collision},
            "domain": {"cells": [n, n, 2][:count], "periodic": [False, False, True][:count]}, "fluid": {"viscosity": viscosity},
            "scalar": {"diffusivity": diffusivity, "buoyancy": upwards(lattice, speed**2 / n)},
            "boundaries": {"x-": {"type": "wall", "scalar": 1}, "x+": {"type": "wall", "scalar": 0}},
            "initial": {"scalar": f"1 - x/{n}"}, "run": {"steps": round(times * n * n / diffusivity)},
            "output": [{"type": "fields", "fields": ["scalar", "velocity"]}, {"type": "series", "every": 1000, "statistics": 0, "nusselt": {"length": n, "difference": 1, "area": n if count == 2 else 2 * n}}], **more,
        })
        fields, series = run.fields(), run.series()
        self.assertIn("nusselt(x-)", run.summary["statistics"]["series"]["columns"])
        return (1 + (fields["velocity"][..., 0] * fields["scalar"]).mean() * n / diffusivity,
                series["nusselt(x-)"][-1], -series["nusselt(x+)"][-1])

    def check(self, rayleigh, n, **more):
        mean, hot, cold = self.nusselt(rayleigh, n, **more)
        print(f"Ra {rayleigh:g}, {n} cells: Nu {mean:.4f}, at the sides {hot:.4f} and {cold:.4f}, {NUSSELT[rayleigh]} published")
        for nusselt in (mean, hot, cold):
            self.assertLess(abs(nusselt / NUSSELT[rayleigh] - 1), 0.01)

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
