#!/usr/bin/env python3
"""Flow that swings between plates and in a tube: what boundaries whose values change in time drive.

Between plates, a distance H apart, under a pressure gradient A cos(omega t) per mass the velocity is (Womersley, J. Physiol. 127
(1955) 553, between plates instead of in a tube)

    u(y, t) = Re { A / (i omega) [1 - cosh(lambda (y - H/2)) / cosh(lambda H/2)] exp(i omega t) },   lambda = (1 + i) sqrt(omega / 2 nu)

It is let in as a formula of y and t, and leaves at a given pressure, or by the same formula. Errors fall with the square of the cell's
width where the time step falls with it too, so that the Mach number does.

In a tube of radius R, as Womersley has it, with Bessel's function J0:

    u(r, t) = Re { A / (i omega) [1 - J0(i^(3/2) alpha r / R) / J0(i^(3/2) alpha)] exp(i omega t) },   alpha = R sqrt(omega / nu)

J0 is the sum of (i s)^k / (k!)^2 with s = alpha^2 r^2 / (4 R^2), a polynomial of a few terms.

Usage: womersley.py WEIR
"""
import math

import numpy

import weir_case
from weir_case import along, dimensions, viscosity

TAU = 0.65
WOMERSLEY = 2  # H/2 sqrt(omega / nu)
REYNOLDS = 2
PERIODS = 1.25
ERROR = 0.02  # of the greatest velocity, at 16 cells
ORDER = 1.9


class Swing:
    """The flow between plates so many cells apart."""

    def __init__(self, height):
        nu = viscosity(TAU)
        self.height, self.omega = height, nu * (2 * WOMERSLEY / height) ** 2
        self.k = numpy.sqrt(self.omega / (2 * nu))
        self.at_plate = numpy.cosh((1 + 1j) * self.k * height / 2)
        self.amplitude = REYNOLDS * nu / height / abs((1 - 1 / self.at_plate) / self.omega)
        self.period = 2 * numpy.pi / self.omega

    def velocity(self, y, t):
        profile = 1 - numpy.cosh((1 + 1j) * self.k * (y - self.height / 2)) / self.at_plate
        return (self.amplitude / (1j * self.omega) * profile * numpy.exp(1j * self.omega * t)).real

    def formula(self, across):
        """The same as text, with cosh((1 + i) a) = cosh a cos a + i sinh a sin a."""
        a = f"({self.k!r}*({across} - {self.height / 2!r}))"
        real, imaginary = f"cosh{a}*cos{a}", f"sinh{a}*sin{a}"
        d = 1 / self.at_plate  # cosh(...) / at_plate, by its parts
        in_phase = f"(1 - ({real})*({d.real!r}) + ({imaginary})*({d.imag!r}))"
        behind = f"(({real})*({d.imag!r}) + ({imaginary})*({d.real!r}))"
        t = f"({self.omega!r}*t)"
        return f"{self.amplitude / self.omega!r}*({in_phase}*sin{t} - {behind}*cos{t})"


def at_height(boundary, height):
    """The boundary with the flow's formula where it has a velocity."""
    velocity = boundary.get("velocity")
    return {**boundary, "velocity": [Swing(height).formula("y"), 0]} if velocity else boundary


class Plates(weir_case.CaseTest):
    def case(self, height, lattice="D2Q9", flow=0, across=1, outlet=None):
        swing, count, names = Swing(height), dimensions(lattice), "xyz"
        inlet = {"type": "velocity", "velocity": along(flow, swing.formula(names[across]), count)}
        start = f"{swing.velocity(0, 0)!r} + {swing.formula(names[across]).replace('*t)', '*0)')}"
        return {
            "lattice": lattice,
            "precision": "double",
            "domain": {"cells": [2 * height if axis == flow else height if axis == across else 2 for axis in range(count)],
                       "periodic": [axis not in (flow, across) for axis in range(count)]},
            "fluid": {"tau": TAU},
            "boundaries": {names[flow] + "-": inlet, names[flow] + "+": outlet or {"type": "pressure", "density": 1}},
            "initial": {"velocity": along(flow, start, count)},
            "run": {"steps": round(PERIODS * swing.period)},
            "output": [{"type": "fields"}],
        }

    def error(self, height, flow=0, across=1, **changes):
        """The greatest, of the greatest velocity, in the half of the channel that the fluid comes in by."""
        case, swing = self.case(height, flow=flow, across=across, **changes), Swing(height)
        fields, shape = self.compute(case).fields(), case["domain"]["cells"][::-1]
        momentum = (fields["density"] * fields["velocity"][..., flow]).reshape(shape)
        momentum = numpy.moveaxis(momentum, [len(shape) - 1 - flow, len(shape) - 1 - across], [0, 1])[:height]
        expected = swing.velocity(numpy.arange(height) + 0.5, case["run"]["steps"])
        expected = expected.reshape([1, height] + [1] * (momentum.ndim - 2))
        return numpy.abs(momentum - expected).max() / (REYNOLDS * viscosity(TAU) / height)

    def test_order(self):
        heights = (16, 24, 36)  # at 8 sound takes a third of a swing through the channel: errors are no longer small
        for outlet in [{"type": "pressure", "density": 1}, {"type": "absorbing", "velocity": True}]:
            with self.subTest(outlet=outlet["type"]):
                errors = [self.error(height, outlet=at_height(outlet, height)) for height in heights]
                print(outlet["type"], "errors", errors, flush=True)
                self.assertLess(errors[0], ERROR)
                self.assertGreater(numpy.log(errors[0] / errors[-1]) / numpy.log(heights[-1] / heights[0]), ORDER)

    def test_in_space(self):
        self.assertLess(self.error(16, lattice="D3Q19", flow=1, across=2), ERROR)

    def test_same_bits(self):
        """However the domain is cut, and on ranks; with a ramp that ends, and a scalar that changes on a wall."""
        case = self.case(12, outlet={"type": "pressure", "density": 1.01, "ramp": 30})
        case["scalar"] = {"diffusivity": 0.05}
        case["boundaries"]["y+"] = {"type": "wall", "scalar": "x/nx * sin(t/10)"}
        case["run"]["steps"] = 101
        digests = {self.compute(case, "--set", f"blocks.cells={cells}", ranks=ranks).summary["digest"]
                   for cells, ranks in [("[24,12]", 1), ("[7,5]", 1), ("[12,12]", 2)]}
        self.assertEqual(len(digests), 1)
        del case["boundaries"]["x+"]["ramp"]
        self.assertNotIn(self.compute(case).summary["digest"], digests)

    def test_what_is_wrong_later(self):
        """A formula that yields what cannot be computed with, at a time that no check looks at, ends the run."""
        case = self.case(12)
        case["boundaries"]["x-"]["velocity"] = ["t > 150 && t < 160 ? 1/0 : 0.01", 0]
        case["run"]["steps"] = 400
        error = self.compute(case, code=2).error
        self.assertIn("t = 150.5", error)


def polynomial(factors, of):
    """Its text, by Horner's rule."""
    text = f"({factors[-1]!r})"
    for factor in reversed(factors[:-1]):
        text = f"(({factor!r})+({of})*{text})"
    return text


class TubeSwing:
    """The flow in a tube of this radius, in cells."""

    TERMS = 7  # the first that is left out is below 4e-8

    def __init__(self, radius):
        nu = viscosity(TAU)
        self.radius, self.omega = radius, nu * (WOMERSLEY / radius) ** 2
        self.at_wall = self.bessel(radius**2)
        self.amplitude = REYNOLDS * nu / (2 * radius) / abs((1 - 1 / self.at_wall) / self.omega)
        self.period = 2 * numpy.pi / self.omega

    def factors(self):
        """Of the powers of r^2."""
        return [(1j * WOMERSLEY**2 / (4 * self.radius**2)) ** k / math.factorial(k) ** 2 for k in range(self.TERMS)]

    def bessel(self, square):
        return sum(factor * square**k for k, factor in enumerate(self.factors()))

    def velocity(self, square, t):
        """square: of the distance from the axis."""
        profile = 1 - self.bessel(square) / self.at_wall
        return (self.amplitude / (1j * self.omega) * profile * numpy.exp(1j * self.omega * t)).real

    def formula(self, square, t="t"):
        in_phase, behind = ([float(part(factor / self.at_wall)) for factor in self.factors()] for part in (numpy.real, numpy.imag))
        turn = f"({self.omega!r}*{t})"
        return f"{self.amplitude / self.omega!r}*((1-{polynomial(in_phase, square)})*sin{turn}-{polynomial(behind, square)}*cos{turn})"


class Tube(weir_case.CaseTest):
    OFFSETS = (0.13, 0.41)  # of the axis, in cells: errors of a single place are not typical

    def error(self, radius, kind, offset):
        """In the mean square, of the greatest velocity, in the half of the tube that the fluid comes in by."""
        swing, width = TubeSwing(radius), 2 * math.ceil(radius) + 3
        middle = numpy.array([width / 2 + offset, width / 2 - offset / 2])
        square = f"((y-({float(middle[0])!r}))^2+(z-({float(middle[1])!r}))^2)"
        steps = round(PERIODS * swing.period)
        fields = self.compute({
            "lattice": "D3Q19",
            "precision": "double",
            "domain": {"cells": [math.ceil(3 * radius), width, width], "periodic": [False] * 3},
            "fluid": {"tau": TAU},
            "boundaries": {"x-": {"type": "velocity", "velocity": [swing.formula(square), 0, 0]}, "x+": {"type": "pressure", "density": 1}},
            "solids": [{"formula": f"{square} > {radius**2!r}", "type": kind}],
            "initial": {"velocity": [f"{square} < {radius**2!r} ? {swing.formula(square, '0')} : 0", 0, 0]},
            "run": {"steps": steps},
            "output": [{"type": "fields"}],
        }).fields()
        z, y, x = numpy.indices(fields["density"].shape) + 0.5
        square = (y - middle[0]) ** 2 + (z - middle[1]) ** 2
        seen = (square < radius**2) & (x > radius / 2) & (x < 1.5 * radius)
        momentum = (fields["density"] * fields["velocity"][..., 0])[seen]
        difference = momentum - swing.velocity(square[seen], steps)
        return numpy.sqrt((difference**2).mean()) / (REYNOLDS * viscosity(TAU) / (2 * radius))

    def mean_error(self, radius, kind):
        return numpy.mean([self.error(radius, kind, offset) for offset in self.OFFSETS])

    def test_order(self):
        radii = (5.2, 8.3)
        errors = [self.mean_error(radius, "interpolated_wall") for radius in radii]
        steps = self.mean_error(radii[-1], "wall")
        order = numpy.log(errors[0] / errors[1]) / numpy.log(radii[1] / radii[0])
        print(f"tube: radii {radii}, errors {errors}, order {order:.2f}; walls in steps {steps}", flush=True)
        self.assertGreater(order, 1.8)
        self.assertLess(errors[1], 0.005)
        self.assertLess(errors[1], 0.5 * steps)


if __name__ == "__main__":
    weir_case.main()
