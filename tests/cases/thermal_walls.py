#!/usr/bin/env python3
"""Flows with a temperature between walls, on D2Q37, against the Navier-Stokes equations of an ideal gas in two dimensions: in units of
the lattice, with c_s^2 = 1 / 1.4328, temperature T and viscosity nu = c_s^2 T (tau - 1/2),

    Couette        u' constant,  T'' = -Pr u'^2 / (2 c_s^2): at the same pressure viscosity and conductivity times density are too
    at rest        rho ~ exp(-g y / c_s^2), whatever tau
    instability    of a fluid that is cold above and warm below: of two layers (Rayleigh, Taylor) by the linear equations, in which
                   the density counts for the weight alone, and of a layer between plates (Rayleigh, Benard), whose onset is at a
                   Rayleigh number of 1707.762 where temperature and density vary little

Usage: thermal_walls.py WEIR
"""
import math

import numpy

import weir_case

CS2 = 1 / 1.19697977039307435897239**2
BGK = {"operator": "thermal_bgk"}
ONSET, ONSET_WAVE = 1707.762, 3.117  # Chandrasekhar, Hydrodynamic and hydromagnetic stability, 1961: Rayleigh number, wave number by height


def hermite(prandtl):
    return {"operator": "thermal_hermite", "prandtl": prandtl}


def wall(temperature=1, speed=0):
    return {"type": "wall", "temperature": temperature, "velocity": [speed, 0]}


def case(cells, tau, low, high, steps, collision=BGK, **more):
    return {"lattice": "D2Q37", "collision": collision, "precision": "double", "domain": {"cells": list(cells), "periodic": [True, False]},
            "fluid": {"tau": tau}, "boundaries": {"y-": low, "y+": high}, "run": {"steps": steps},
            "output": [{"type": "fields", "fields": ["density", "velocity", "temperature"]}, {"type": "series"}], **more}


class Couette(weir_case.CaseTest):
    HEIGHT = 30

    def profiles(self, collision, tau, low, high):
        """Velocity and temperature as polynomials of y, but for the six cells at each wall; and by how much they miss."""
        steps = round(3 * self.HEIGHT**2 / (CS2 * (tau - 0.5)) * max(1, collision.get("prandtl", 1)) / math.pi**2 * 4)
        run = self.compute(case((4, self.HEIGHT), tau, low, high, steps, collision))
        mass = run.series()["mass"]
        self.assertLessEqual(abs(mass - mass[0]).max(), 1e-11 * mass[0])
        fields, inside = run.fields(), slice(6, -6)
        y = (numpy.arange(self.HEIGHT) + 0.5)[inside]
        result = []
        for values, order in ((fields["velocity"][0, :, 0, 0], 1), (fields["temperature"][0, :, 0], 2)):
            line = numpy.polynomial.Polynomial.fit(y, values[inside], order).convert()
            result.append((line, abs(line(y) - values[inside]).max()))
        return result

    def test_conduction(self):
        """The temperature is a line, which meets those of the walls where numerics.md says."""
        for collision, tau, place in ((BGK, 0.6, 3.15), (BGK, 0.8, 2.61), (BGK, 1, 2.18)):
            with self.subTest(collision=collision, tau=tau):
                _, (line, error) = self.profiles(collision, tau, wall(), wall(1.01))
                slope = line.deriv()(self.HEIGHT / 2)
                low = self.HEIGHT / 2 - (line(self.HEIGHT / 2) - 1) / slope
                high = self.HEIGHT / 2 - (1.01 - line(self.HEIGHT / 2)) / slope
                print("conduction", collision, tau, low, high, error)
                self.assertLess(error, 3e-5)
                self.assertLess(max(abs(low - place), abs(high - place)), 0.05)

    def test_viscous_heat(self):
        for collision, tau, place in ((BGK, 0.6, 3.03), (BGK, 0.8, 2.69), (hermite(0.71), 0.8, 2.69), (hermite(4), 0.8, 2.69)):
            with self.subTest(collision=collision, tau=tau):
                (velocity, bent), (temperature, error) = self.profiles(collision, tau, wall(), wall(1, 0.2))
                slope = velocity.coef[1]
                low, high = -velocity.coef[0] / slope, self.HEIGHT - (0.2 - velocity.coef[0]) / slope
                expected = -collision.get("prandtl", 1) * slope**2 / (2 * CS2)
                print("Couette", collision, tau, low, high, bent, 2 * temperature.coef[2] / expected, error)
                self.assertLess(bent, 2e-4)
                self.assertLess(max(abs(low - place), abs(high - place)), 0.05)
                self.assertLess(abs(2 * temperature.coef[2] / expected - 1), 0.015)


class Atmosphere(weir_case.CaseTest):
    def test_rest(self):
        """With thermal_hermite velocities are a matter of rounding, with thermal_bgk of the second order in gravity, and small."""
        height = 40
        for collision, tau, limits in ((BGK, 0.6, (5e-9, 1e-12)), (BGK, 1.2, (5e-9, 1e-12)), (hermite(0.71), 0.6, (1e-14, 1e-14))):
            for gravity, limit in zip((1e-3, 1e-5), limits):
                with self.subTest(collision=collision, tau=tau, gravity=gravity):
                    density = f"exp(-{gravity / CS2} * (y - ny/2))"
                    run = self.compute(case((5, height), tau, wall(), wall(), 4000, collision, force=[0, -gravity],
                                            initial={"density": density}))
                    fields = run.fields()
                    y = numpy.arange(height) + 0.5
                    speed = abs(fields["velocity"]).max()
                    error = abs(fields["density"][0, :, 0] / numpy.exp(-gravity / CS2 * (y - height / 2)) - 1).max()
                    print("rest", collision, tau, gravity, speed, error)
                    self.assertLess(speed, limit)
                    self.assertLess(error, gravity**2)


class RayleighTaylor(weir_case.CaseTest):
    def test_growth(self):
        """Of one mode, against the linear equations of Boussinesq in time, on a temperature that spreads meanwhile."""
        length, height, gravity, contrast, width, shift, tau, steps = 64, 128, 2e-4, 0.05, 6, 0.05, 0.52, 4000
        initial = layers(gravity, contrast, width, f"{shift} * cos(2*pi*x/nx)")
        run = self.compute(case((length, height), tau, wall(1 + contrast), wall(1 - contrast), steps, force=[0, -gravity], initial=initial,
                                output=[{"type": "fields", "fields": ["velocity"], "every": steps // 2}]))
        x = numpy.arange(length) + 0.5
        found, expected = [], []
        for step in (steps // 2, steps):
            v = run.fields_at("fields", step)["velocity"][0, :, :, 1]
            found.append(2 * abs((v * numpy.cos(2 * math.pi * x / length)).mean(axis=1)).max())
            expected.append(abs(linear_growth(length, height, gravity, contrast, width, shift, CS2 * (tau - 0.5), step)).max())
        rate, theory = (2 / steps * math.log(late / early) for early, late in (found, expected))
        print("Rayleigh-Taylor", found, expected, "rate", rate, theory, rate / theory)
        self.assertLess(abs(rate / theory - 1), 0.03)


def layers(gravity, contrast, width, front):
    """Cold above and warm below a front, in hydrostatic balance along each column: ln(rho T) = -g/c_s^2 times the integral of 1/T."""
    s = f"((y - ny/2 - ({front})) / {width})"
    of_all = width / (1 - contrast**2)
    return {"temperature": f"1 - {contrast} * tanh{s}",
            "density": f"exp(-{gravity / CS2 * of_all} * ({s} + {contrast} * ln(cosh{s} - {contrast} * sinh{s})))"
                       f" / (1 - {contrast} * tanh{s})"}


def linear_growth(length, height, gravity, contrast, width, shift, viscosity, steps, every=20):
    """The vertical velocity along y: (d2 - k2) dv/dt = nu (d2 - k2)^2 v - k2 g theta, dtheta/dt = -v (T' + g / (2 c_s^2)) + nu (d2 - k2) theta,
    the second term of the bracket because a gas cools where it rises."""
    y, k = numpy.arange(height) + 0.5, 2 * math.pi / length
    second = -2 * numpy.eye(height) + numpy.eye(height, k=1) + numpy.eye(height, k=-1)
    laplace, step = second - k**2 * numpy.eye(height), every
    inverse = numpy.linalg.inv(laplace)
    base = 1 - contrast * numpy.tanh((y - height / 2) / width)
    theta = contrast / width / numpy.cosh((y - height / 2) / width) ** 2 * shift
    v = numpy.zeros(height)
    ends = second.copy()
    ends[0, 0] = ends[-1, -1] = -1
    for _ in range(steps // step):
        matrix = numpy.block([[viscosity * laplace, -(k**2) * gravity * inverse],
                              [-numpy.diag(numpy.gradient(base) + gravity / (2 * CS2)), viscosity * laplace]])
        one = numpy.eye(2 * height)
        state = numpy.linalg.solve(one - step / 2 * matrix, (one + step / 2 * matrix) @ numpy.concatenate([v, theta]))
        v, theta = state[:height], state[height:]
        base = base + step * viscosity * (ends @ base)
    return v


class OnsetOf(weir_case.CaseTest):
    """Of convection in a gas between plates. The Rayleigh number is g (Gamma - g / (2 c_s^2)) H^4 / (nu chi), of the temperature's gradient
    Gamma and that of a gas that rises without heat, with all of the middle of the layer, where T is 1; H is measured between the places
    where profiles meet the walls' values (numerics.md). Gases differ from Boussinesq's fluid by the squares of what density and
    temperature vary by."""

    RATIOS = (0.9, 1, 1.1)  # Rayleigh numbers of the runs, by ONSET

    def growth(self, ratio, rows, place, stratification, tau, collision):
        """Of the wave that grows first: its rate in units of nu / H^2. stratification: g H / c_s^2."""
        height, viscosity, middle = rows - 2 * place, CS2 * (tau - 0.5), rows / 2
        length, gravity = round(2 * math.pi / ONSET_WAVE * height), stratification * CS2 / height
        diffusivity, wave = viscosity / collision.get("prandtl", 1), 2 * math.pi / length
        excess = ratio * ONSET * viscosity * diffusivity / (gravity * height**4)
        gradient = excess + gravity / (2 * CS2)
        # Heat conducted through a column at rest, with a roll that has the temperature that goes with it, nearly.
        velocity, turn = 1e-5, math.pi / height
        heat = velocity * excess / (diffusivity * (wave**2 + turn**2))
        across, base = f"sin({turn} * (y - {place}))", f"(1 - {gradient} * (y - {middle}))"
        roll = f"{heat} * {across} * cos({wave} * x)"
        initial = {"temperature": f"{base} + {roll}", "density": f"{base} ^ {gravity / (CS2 * gradient) - 1} * (1 - {roll})",
                   "velocity": [f"{-2 * turn / wave * velocity} * sin({wave} * x) * {across} * cos({turn} * (y - {place}))",
                                f"{velocity} * cos({wave} * x) * {across}^2"]}
        every = round(0.1 * height**2 / viscosity)
        run = self.compute(case((length, rows), tau, wall(1 + gradient * height / 2), wall(1 - gradient * height / 2), 4 * every, collision,
                                force=[0, -gravity], initial=initial, output=[{"type": "fields", "fields": ["velocity"], "every": every}]))
        x = numpy.arange(length) + 0.5
        early, late = ((run.fields_at("fields", step)["velocity"][0, rows // 3:-(rows // 3), :, 1] * numpy.cos(wave * x)).mean()
                       for step in (2 * every, 4 * every))
        return math.log(late / early) / (2 * every) * height**2 / viscosity

    def check(self, layer, threshold):
        """The onset, and how fast the rate grows with the Rayleigh number: by 19.65 Pr / (Pr + 0.5117) chi / H^2 from there (Cross, Phys.
        Fluids 23 (1980) 1727)."""
        rates = [self.growth(ratio, *layer) for ratio in self.RATIOS]
        found = numpy.polyfit(rates, self.RATIOS, 2)[2]
        slope = (rates[-1] - rates[0]) / (self.RATIOS[-1] - self.RATIOS[0]) * (layer[-1].get("prandtl", 1) + 0.5117) / 19.65
        print("onset", *layer, rates, found, slope)
        self.assertLess(abs(found - 1), threshold)
        self.assertLess(abs(slope - 1), 0.05)


class Onset(OnsetOf):
    def test_onset(self):
        """With tau 0.7, where velocity and temperature meet the walls' at the same place, within 0.02 cells."""
        self.check((48, 2.85, 0.14, 0.7, BGK), 0.005)


class OnsetLong(OnsetOf):
    def test_finer(self):
        self.check((72, 2.85, 0.1, 0.7, BGK), 0.004)

    def test_prandtl(self):
        self.check((48, 2.85, 0.14, 0.7, hermite(0.71)), 0.006)

    def test_other_tau(self):
        """The place is the mean of both."""
        self.check((48, 3.09, 0.14, 0.6, BGK), 0.015)


class Everywhere(weir_case.CaseTest):
    def test_same_bits(self):
        """However the domain is cut, down to blocks of three rows, and whoever computes; with walls on two axes, too."""
        initial = {"density": "1 + 0.05 * sin(2*pi*x/nx)", "temperature": "1 + 0.05 * cos(2*pi*y/ny)"}
        for periodic, precision, collision in (([True, False], "double", BGK), ([False, False], "single", hermite(0.5))):
            flow = case((21, 18), 0.7, wall(1.05), wall(0.95, 0.05), 40, collision, force=[1e-4, -1e-3], initial=initial)
            flow["domain"]["periodic"], flow["precision"] = periodic, precision
            digests = []
            for cut, ranks in (([21, 18], 1), ([3, 3], 1), ([7, 5], 1), ([21, 5], 2)):
                run = self.compute({**flow, "blocks": {"cells": cut}}, workers=2 if ranks == 1 else 1, ranks=ranks)
                digests.append(run.summary["digest"])
                series = run.series()
                self.assertLessEqual(abs(series["mass"] - series["mass"][0]).max(), (1e-13 if precision == "double" else 1e-6) * series["mass"][0])
            self.assertEqual(len(set(digests)), 1, digests)


if __name__ == "__main__":
    weir_case.main()
