#!/usr/bin/env python3
"""Flows with a temperature, on D2Q37, against the linear waves of the Navier-Stokes equations of an ideal gas in two dimensions,
whose heat capacities are in the ratio 2: in units of the lattice, with c_s^2 = 1 / 1.4328 and temperature T,

    shear   u_y ~ exp(-nu k^2 t),    nu = c_s^2 T (tau - 1/2)
    heat    T   ~ exp(-chi k^2 t),   chi = nu / Pr
    sound   rho ~ exp(-Gamma k^2 t / 2) cos(c k t),   c^2 = 2 c_s^2 T,   Gamma = nu + chi / 2

with and without a stream that carries them, which must not change what a fluid has.

Usage: thermal.py WEIR
"""
import math

import numpy

import weir_case

CS2 = 1 / 1.19697977039307435897239**2
LENGTH = 64  # cells of a wave
WAVE = 2 * math.pi / LENGTH
SMALL = 1e-3
STREAMS = [[0, 0], [0.2, 0.1]]
FLUIDS = [(0.6, 1, STREAMS[0]), (0.9, 0.8, STREAMS[1])]  # tau, temperature, stream
BGK = {"operator": "thermal_bgk"}


def hermite(prandtl):
    return {"operator": "thermal_hermite", "prandtl": prandtl}


def case(steps, every, initial, collision=BGK, tau=0.8, cells=(LENGTH, 4), **more):
    return {
        "lattice": "D2Q37", "collision": collision, "precision": "double",
        "domain": {"cells": list(cells), "periodic": [True, True]},
        "fluid": {"tau": tau},
        "initial": initial,
        "run": {"steps": steps},
        "output": [{"type": "fields", "fields": ["density", "velocity", "temperature"], "every": every}, {"type": "series"}],
        **more,
    }


class Waves(weir_case.CaseTest):
    def amplitudes(self, done, steps, every, stream, what):
        """Times, and the amplitude of the wave as it is seen by who moves with the stream."""
        times = numpy.arange(every, steps + 1, every)
        x = numpy.arange(LENGTH) + 0.5
        result = []
        for time in times:
            field = what(done.fields_at("fields", time))[0].mean(axis=0)
            result.append((field * numpy.exp(-1j * WAVE * (x - stream[0] * time))).mean())
        return times, numpy.array(result) / (-0.5j * SMALL)

    def decay(self, initial, collision, tau, stream, what, expected):
        steps = int(0.7 / (expected * WAVE**2)) // 20 * 20
        done = self.compute(case(steps, steps // 10, initial, collision, tau))
        times, amplitude = self.amplitudes(done, steps, steps // 10, stream, what)
        # the first tenth is left out: there the populations, which begin in equilibrium, get to what is beyond it
        return -numpy.polyfit(times[1:], numpy.log(abs(amplitude[1:])), 1)[0] / WAVE**2

    def shear(self, collision, tau, stream, temperature=1):
        velocity = [stream[0], f"{stream[1]} + {SMALL} * sin({WAVE} * x)"]
        return self.decay({"velocity": velocity, "temperature": temperature}, collision, tau, stream,
                          lambda fields: fields["velocity"][..., 1], CS2 * temperature * (tau - 0.5))

    def heat(self, collision, prandtl, tau, stream, temperature=1):
        wave = f"(1 + {SMALL} * sin({WAVE} * x))"
        initial = {"velocity": stream, "temperature": f"{temperature} * {wave}", "density": f"1 / {wave}"}
        # entropy, in which sound is nothing
        return self.decay(initial, collision, tau, stream, lambda fields: numpy.log(fields["temperature"] / fields["density"]),
                          CS2 * temperature * (tau - 0.5) / prandtl)

    def test_shear_viscosity(self):
        for collision in [BGK, hermite(0.71)]:
            for tau, temperature, stream in FLUIDS:
                with self.subTest(collision=collision, stream=stream, tau=tau):
                    expected = CS2 * temperature * (tau - 0.5)
                    viscosity = self.shear(collision, tau, stream, temperature)
                    self.assertLessEqual(abs(viscosity / expected - 1), 0.005)

    def test_thermal_diffusivity(self):
        for collision, prandtl in [(BGK, 1), (hermite(0.71), 0.71), (hermite(4), 4)]:
            for tau, temperature, stream in FLUIDS:
                with self.subTest(collision=collision, stream=stream, tau=tau):
                    expected = CS2 * temperature * (tau - 0.5) / prandtl
                    diffusivity = self.heat(collision, prandtl, tau, stream, temperature)
                    self.assertLessEqual(abs(diffusivity / expected - 1), 0.005)

    def test_same_on_a_stream(self):
        """Galilean invariance: what the same fluid has on streams, along the wave and across it, by what it has at rest."""
        for tau, temperature, streams in [(0.6, 1, [[0.1, 0], [0.3, 0], [0.2, 0.1]]), (0.9, 0.8, [[0.3, 0]])]:
            for collision, prandtl, threshold in [(BGK, 1, 2e-4), (hermite(0.71), 0.71, 2e-3)]:
                at_rest = [self.shear(collision, tau, [0, 0], temperature), self.heat(collision, prandtl, tau, [0, 0], temperature)]
                for stream in streams:
                    with self.subTest(collision=collision, tau=tau, stream=stream):
                        carried = [self.shear(collision, tau, stream, temperature), self.heat(collision, prandtl, tau, stream, temperature)]
                        ratios = [one / other for one, other in zip(carried, at_rest)]
                        print("on a stream", collision, tau, temperature, stream, *ratios)
                        self.assertLessEqual(max(abs(ratio - 1) for ratio in ratios), threshold)

    def test_sound(self):
        every, steps, tau = 4, 160, 0.6
        for collision, prandtl in [(BGK, 1), (hermite(0.71), 0.71)]:
            for stream in STREAMS:
                with self.subTest(collision=collision, stream=stream):
                    wave = f"1 + {SMALL} * sin({WAVE} * x)"
                    done = self.compute(case(steps, every, {"velocity": stream, "density": wave, "temperature": wave}, collision, tau))
                    times, amplitude = self.amplitudes(done, steps, every, stream, lambda fields: fields["density"])
                    viscosity = CS2 * (tau - 0.5)
                    damping = (viscosity + viscosity / prandtl / 2) * WAVE**2 / 2
                    speed = self.frequency(times, amplitude.real, damping) / WAVE
                    self.assertLessEqual(abs(speed / math.sqrt(2 * CS2) - 1), 0.005)

    def frequency(self, times, amplitude, damping):
        """Of the damped cosine that is nearest."""
        guess = math.sqrt(2 * CS2) * WAVE
        tried = numpy.linspace(0.97, 1.03, 2001) * guess
        wave = numpy.exp(-damping * times) * numpy.cos(tried[:, None] * times)
        return tried[((wave - amplitude) ** 2).sum(axis=1).argmin()]


class Conservation(weir_case.CaseTest):
    """Mass, momentum and energy, with gravity; and the same digest however the domain is cut."""

    def test_everywhere(self):
        gravity, steps, cells = [1e-3, -2e-3], 60, (20, 18)
        initial = {"density": "1 + 0.1 * sin(2*pi*x/nx)", "temperature": "1 + 0.1 * cos(2*pi*y/ny)",
                   "velocity": ["0.1 * sin(2*pi*y/ny)", "0.05"]}
        for collision in [BGK, hermite(0.5)]:
            with self.subTest(collision=collision):
                flow = case(steps, steps, initial, collision, cells=cells, force=gravity)
                whole = self.compute(flow)
                series = whole.series()
                mass, time = series["mass"], series["step"]
                self.assertLessEqual(abs(mass - mass[0]).max(), 1e-12 * mass[0])
                for axis, name in enumerate(["momentum_x", "momentum_y"]):
                    expected = series[name][0] + mass[0] * gravity[axis] * time
                    self.assertLessEqual(abs(series[name] - expected).max(), 1e-12 * mass[0])
                energy = series["kinetic_energy"] + series["internal_energy"]
                work = sum(gravity[axis] * (series[name] + series[name][0]) / 2 * time
                           for axis, name in enumerate(["momentum_x", "momentum_y"]))
                self.assertLessEqual(abs(energy - energy[0] - work).max(), 1e-12 * energy[0])
                for cut, ranks in [([5, 6], 1), ([20, 3], 2)]:
                    cells_cut = dict(flow, blocks={"cells": cut})
                    digest = self.compute(cells_cut, workers=2 if ranks == 1 else 1, ranks=ranks).summary["digest"]
                    self.assertEqual(digest, whole.summary["digest"])


if __name__ == "__main__":
    weir_case.main()
