#!/usr/bin/env python3
"""A liquid with a free surface: a column at rest has the pressure of its weight, and stays; mass stays the same while it sloshes about a
body; standing waves swing as fast as theory says of a liquid on whose surface half a cell more lies (numerics.md, N83); a dam that breaks
runs as far as Martin and Moyce measured (Phil. Trans. R. Soc. A 244 (1952) 312). With tension: the pressure in drops is higher by it over
their radius (Laplace); standing waves swing by it, and by weight; liquid between walls of two angles of contact has the pressure of its
meniscus, and drops on walls come near theirs.

Usage: free_surface.py WEIR
"""
import csv
import math
import os

import numpy

import weir_case
from weir_case import dimensions

# The front of a column twice as high as wide over time, in widths a and in sqrt(a / 2 g).
MARTIN_MOYCE = [(0.41, 1.11), (0.84, 1.22), (1.19, 1.44), (1.43, 1.67), (1.63, 1.89), (1.83, 2.11), (1.98, 2.33), (2.20, 2.56), (2.32, 2.78),
                (2.51, 3.00), (2.65, 3.22), (2.83, 3.44), (2.98, 3.67), (3.11, 3.89), (3.33, 4.11)]


class SurfaceTest(weir_case.CaseTest):
    def rows(self, run, name, step):
        with open(os.path.join(run.folder, f"{name}_{step:09d}.csv")) as file:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]

    def series(self, run, name):
        with open(os.path.join(run.folder, "series.csv")) as file:
            return numpy.array([float(row[name]) for row in csv.DictReader(file)])

    def check_wave(self, length, tolerance, gravity=None, tension=0, tau=0.53):
        """A standing wave in a deep box, over 1.5 periods."""
        gravity = 2.4e-3 / length if gravity is None else gravity
        depth, height = 0.5 * length + 0.5, length / 20
        k, viscosity = 2 * math.pi / length, (tau - 0.5) / 3
        theory = math.sqrt((gravity + tension * k**2) * k * math.tanh(k * depth))
        every = int(2 * math.pi / theory / 24) // 2 * 2
        surface = f"{depth} + {height}*cos(2*pi*x/nx)"
        line = {"type": "profile", "every": every, "fields": ["fill_level"]}
        top = int(0.7 * length)
        run = self.compute({
            "lattice": "D2Q9", "precision": "double", "domain": {"cells": [length, top], "periodic": [True, False]}, "fluid": {"tau": tau},
            "force": [0, -gravity], "free_surface": {"liquid": f"{surface} - y", "tension": tension}, "initial": {"density": f"1 + {3 * gravity}*max(0, {surface} - y)"},
            "run": {"steps": 36 * every},
            "output": [{**line, "name": "crest", "from": [0, 0], "to": [0, top]},
                       {**line, "name": "trough", "from": [length / 2, 0], "to": [length / 2, top]}]})
        time = every * numpy.arange(1, 37)
        heights = numpy.array([0.5 * sum(a["fill_level"] - b["fill_level"] for a, b in zip(self.rows(run, "crest", step), self.rows(run, "trough", step)))
                               for step in time])
        best = (math.inf, 0, 0)
        for rate in numpy.linspace(0.85, 1.05, 201):
            for damping in numpy.linspace(0.25, 2.5, 46):
                decay = numpy.exp(-damping * 2 * viscosity * k**2 * time)
                base = numpy.stack([decay * numpy.cos(rate * theory * time), decay * numpy.sin(rate * theory * time)], 1)
                rest = heights - base @ numpy.linalg.lstsq(base, heights, rcond=None)[0]
                best = min(best, (math.sqrt(numpy.mean(rest**2)), rate, damping))
        print(f"wave of {length} cells: {best[1]:.4f} of the frequency, {best[2]:.3f} of the damping, off by {best[0] / height:.4f} of its height")
        # The second factor is that of a height that is not small, with weight alone (Tadjbakhsh, Keller, J. Fluid Mech. 8 (1960) 442).
        expected = math.exp(-0.5 * k) * (1 if tension else 1 - (k * height)**2 / 8)
        self.assertLess(abs(best[1] / expected - 1), tolerance)
        self.assertLess(best[0], 0.03 * height)


class Rest(SurfaceTest):
    def test_column(self):
        gravity, height = 1e-4, 12.3
        for lattice, tau in (("D2Q9", 0.9), ("D3Q19", 0.8)):
            count = dimensions(lattice)
            run = self.compute({
                "lattice": lattice, "precision": "double", "domain": {"cells": [8, 18, 6][:count], "periodic": [True, False, False][:count]},
                "fluid": {"tau": tau}, "force": [0, -gravity, 0][:count], "free_surface": {"liquid": f"{height} - y"},
                "initial": {"density": f"1 + {3 * gravity}*max(0, {height} - y)"}, "run": {"steps": 3000},
                "output": [{"type": "profile", "name": "up", "from": [4, 0, 3][:count], "to": [4, 18, 3][:count], "fields": ["density", "fill_level"]},
                           {"type": "series", "every": 1000}]})
            rows = self.rows(run, "up", 3000)
            error = max(abs(row["density"] - 1 - 3 * gravity * (height - row["y"])) for row in rows if row["fill_level"] == 1)
            print(f"column {lattice}: {error / (3 * gravity * height):.2e} of the pressure below, moves at {self.series(run, 'max_speed')[-1]:.1e}")
            self.assertLess(error, 5e-3 * 3 * gravity * height)
            self.assertLess(self.series(run, "max_speed")[-1], 1e-5)


class MassTest(SurfaceTest):
    def check_mass(self, steps, periodic, force):
        """Liquid that falls and breaks at a body. Returns how many cells came to the surface, or left it, in the last tenth of the steps."""
        changed = []
        for precision, limit in (("double", 1e-13), ("single", 1e-6)):
            run = self.compute({
                "lattice": "D2Q9", "precision": precision, "domain": {"cells": [36, 24], "periodic": [periodic, False]}, "fluid": {"tau": 0.53},
                "force": force, "free_surface": {"liquid": "min(12 - x, 20 - y)"}, "solids": [{"box": {"from": [20, 0], "to": [23, 4]}}],
                "run": {"steps": steps}, "output": [{"type": "series", "every": steps // 20}, {"type": "fields", "every": steps // 10, "fields": ["fill_level"]}]})
            mass = self.series(run, "mass")
            gas = [run.fields_at("fields", step)["fill_level"] == 0 for step in (steps - steps // 10, steps)]
            changed.append(int((gas[0] != gas[1]).sum()))
            print(f"mass, {precision}, {steps} steps: {max(abs(mass / mass[0] - 1)):.2e}; {changed[-1]} cells changed at last")
            self.assertLess(max(abs(mass / mass[0] - 1)), limit)
            self.assertGreater(max(self.series(run, "max_speed")), 0.03)
        return changed


class Mass(MassTest):
    def test_sloshing(self):
        """From one side, and to and fro."""
        self.check_mass(10000, False, [0, -1e-4])


class MassLong(MassTest):
    def test_stream(self):
        """Down a slope, over the body again and again, so that cells change until the end."""
        self.assertGreater(min(self.check_mass(100000, True, [3e-5, -1e-4])), 10)


class Waves(SurfaceTest):
    def test_wave(self):
        self.check_wave(40, 0.01)


class WavesLong(SurfaceTest):
    def test_wave(self):
        for length in (48, 96):
            self.check_wave(length, 0.01)


class DropTest(SurfaceTest):
    def check_drops(self, lattice, radii, steps, tolerance):
        """Drops that float: by how much the pressure in the middle is higher than that of the gas, over 1 / R. Their radius is that of all
        liquid."""
        tension, count, rises, bends = 0.01, dimensions(lattice), [], []
        for radius in radii:
            cells, middle = 2 * int(radius + 4), int(radius + 4) + 0.3
            ball = f"{radius} - sqrt({' + '.join(f'({axis} - {middle})^2' for axis in 'xyz'[:count])})"
            run = self.compute({
                "lattice": lattice, "precision": "double", "domain": {"cells": [cells] * count, "periodic": [True] * count}, "fluid": {"tau": 0.8},
                "free_surface": {"liquid": ball, "tension": tension}, "initial": {"density": 1 + 3 * tension * (count - 1) / radius},
                "run": {"steps": steps},
                "output": [{"type": "fields", "every": steps // 40, "fields": ["density", "fill_level"]}, {"type": "series", "every": steps // 40}]})
            late = [run.fields_at("fields", k * (steps // 40)) for k in range(15, 41)]
            volume = float(late[-1]["fill_level"].sum())
            rises.append(float(numpy.mean([numpy.median(fields["density"][fields["fill_level"] == 1]) - 1 for fields in late])) / 3)
            bends.append(1 / math.sqrt(volume / math.pi) if count == 2 else 2 / (3 * volume / (4 * math.pi))**(1 / 3))
            print(f"drop {lattice} of {radius}: {rises[-1] / bends[-1] / tension:.4f} of the tension, moves at {numpy.median(self.series(run, 'max_speed')[5:]):.1e}")
        line = numpy.polyfit(bends, rises, 1)
        rest = numpy.array(rises) - numpy.polyval(line, bends)
        fit = 1 - (rest**2).sum() / ((numpy.array(rises) - numpy.mean(rises))**2).sum()
        print(f"drops {lattice}: slope {line[0] / tension:.4f} of the tension, R^2 {fit:.6f}")
        self.assertGreater(fit, 0.999)
        self.assertLess(max(abs(rise / bend / tension - 1) for rise, bend in zip(rises, bends)), tolerance)


class Drops(DropTest):
    def test_drops(self):
        self.check_drops("D2Q9", (5, 8, 12, 18), 3000, 0.04)
        self.check_drops("D3Q19", (5, 7, 9), 600, 0.04)


class DropsLong(DropTest):
    def test_drops(self):
        self.check_drops("D2Q9", (8, 11.3, 16, 22.6, 32), 20000, 0.03)
        self.check_drops("D3Q19", (6, 8, 11, 16), 4000, 0.03)


class WallTest(SurfaceTest):
    """Surfaces that meet walls at angles: two walls, or faces, of angles of their own."""

    def check_meniscus(self, one, other, tolerance, depth=20.3, steps=6000):
        """Liquid between two upright walls: its surface is an arc, and the pressure below it lower by the tension times (cos one + cos other)
        over their distance. tolerance: of that sum."""
        tension, width = 0.01, 32
        run = self.compute({
            "lattice": "D2Q9", "precision": "double", "domain": {"cells": [width, 44]}, "fluid": {"tau": 0.8},
            "boundaries": {"x-": {"type": "wall", "contact_angle": one}, "x+": {"type": "wall", "contact_angle": other}},
            "free_surface": {"liquid": f"{depth} - y", "tension": tension}, "run": {"steps": steps},
            "output": [{"type": "fields", "every": steps // 20, "fields": ["density", "fill_level"]}]})
        late = [run.fields_at("fields", k * (steps // 20)) for k in range(8, 21)]
        sink = -float(numpy.mean([numpy.median(fields["density"][fields["fill_level"] == 1]) - 1 for fields in late])) / 3 * width / tension
        heights = numpy.mean([fields["fill_level"].sum(axis=-2).squeeze() for fields in late], axis=0)
        theory = math.cos(math.radians(one)) + math.cos(math.radians(other))
        print(f"surface between walls at {one} and {other}: {sink:.3f} of the tension over their distance, {theory:.3f} in theory; "
              f"{heights[0] - heights[-1]:.2f} higher at the first")
        self.assertLess(abs(sink - theory), tolerance)
        return float(heights[0] - heights[-1])

    def check_drops(self, low, high, tolerance, radius=16, steps=8000):
        """A drop on the floor and one at the ceiling, which are half circles to begin with."""
        tension, width, top = 0.01, 12 * radius, int(2.6 * radius)
        middles = [(3 * radius + 0.2, 0.3), (9 * radius + 0.2, top - 0.3)]
        drops = [f"{radius} - sqrt((x - {x})^2 + (y - {y})^2)" for x, y in middles]
        run = self.compute({
            "lattice": "D2Q9", "precision": "double", "domain": {"cells": [width, top], "periodic": [True, False]}, "fluid": {"tau": 0.8},
            "boundaries": {"y-": {"type": "wall", "contact_angle": low}, "y+": {"type": "wall", "contact_angle": high}},
            "free_surface": {"liquid": f"max({drops[0]}, {drops[1]})", "tension": tension},
            "initial": {"density": 1 + 3 * tension / radius}, "run": {"steps": steps},
            "output": [{"type": "fields", "every": steps, "fields": ["fill_level"]}]})
        fill = run.fields_at("fields", steps)["fill_level"].squeeze()
        for wanted, part in ((low, fill[:, :width // 2]), (high, fill[:, width // 2:])):
            area, height = float(part.sum()), float(part.sum(axis=0).max())
            angles = numpy.linspace(0.1, 3.1, 30001)  # of circles' segments of that area and height
            shares = (angles - numpy.sin(angles) * numpy.cos(angles)) / (1 - numpy.cos(angles))**2
            found = math.degrees(numpy.interp(-area / height**2, -shares, angles))
            print(f"drop at a wall at {wanted}: at {found:.1f}")
            self.assertLess(abs(found - wanted), tolerance)


class Walls(WallTest):
    def test_menisci(self):
        self.assertLess(abs(self.check_meniscus(60, 60, 0.04)), 0.01)
        self.assertGreater(self.check_meniscus(60, 120, 0.1), 12)
        self.assertLess(self.check_meniscus(120, 75, 0.1), -9)

    def test_drops(self):
        self.check_drops(75, 105, 4)
        self.check_drops(60, 120, 8)


class CapillaryWaves(SurfaceTest):
    def test_wave(self):
        self.check_wave(40, 0.02, gravity=0, tension=0.01)


class CapillaryWavesLong(SurfaceTest):
    def test_wave(self):
        self.check_wave(48, 0.02, gravity=5e-5, tension=0.005)
        for length in (64, 96):
            self.check_wave(length, 0.02, gravity=0, tension=0.01)


class DamBreakLong(SurfaceTest):
    def test_front(self):
        width, gravity = 32, 3e-5
        steps = int(3.4 * math.sqrt(width / (2 * gravity))) // 68 * 68
        levels, every = (1, 2, 3, 4, 6, 8), steps // 34
        cells = [5 * width, int(2.4 * width)]
        run = self.compute({
            "lattice": "D2Q9", "precision": "double", "domain": {"cells": cells}, "fluid": {"tau": 0.503}, "force": [0, -gravity],
            "free_surface": {"liquid": f"min({width} - x, {2 * width} - y)"},
            "initial": {"density": f"1 + {3 * gravity}*max(0, min({2 * width} - y, {width} - x))"}, "run": {"steps": steps},
            "output": [{"type": "profile", "name": f"at{y}", "every": every, "from": [0, y], "to": [cells[0], y], "fields": ["fill_level"]}
                       for y in levels]})
        time, front = [], []
        for step in range(every, steps + 1, every):
            time.append(step * math.sqrt(2 * gravity / width))
            front.append(max(row["x"] - 0.5 + row["fill_level"] for y in levels for row in self.rows(run, f"at{y}", step) if row["fill_level"] > 0) / width)
        errors = [numpy.interp(t, time, front) / z - 1 for t, z in MARTIN_MOYCE]  # first the gate, which had to be drawn away
        print("front:", " ".join(f"{error:+.3f}" for error in errors))
        self.assertLess(max(abs(error) for error, (_, z) in zip(errors, MARTIN_MOYCE) if z > 2.2), 0.05)
        self.assertLess(max(map(abs, errors)), 0.12)


class Everywhere(SurfaceTest):
    def test_same_bits(self):
        """However the domain is cut, whoever computes: along walls, a body, and a periodic seam."""
        for lattice, precision in (("D2Q9", "double"), ("D3Q19", "single")):
            count = dimensions(lattice)
            case = {
                "lattice": lattice, "precision": precision, "domain": {"cells": [40, 18, 12][:count], "periodic": [True, False, False][:count]},
                "fluid": {"tau": 0.55}, "force": [1e-4, -3e-4, 0][:count],
                "free_surface": {"liquid": "max(5 + 3*sin(x/3) - y, 4 - sqrt((x - 20)^2 + (y - 13)^2))", "gas_density": 1.01},
                "initial": {"density": 1.01, "velocity": [0.02, 0.01, 0.01][:count]},
                "solids": [{"sphere": {"center": [30, 5, 5][:count], "radius": 3}}], "run": {"steps": 81},
            }
            walls = {"boundaries": {"y-": {"type": "wall", "contact_angle": 110, "parts": [
                {"box": {"from": [8, -1, -1][:count], "to": [22, 1, 20][:count]}, "contact_angle": 45}]}},
                "solids": [{**case["solids"][0], "contact_angle": 80}]}
            found = set()
            for more, of_walls in (({}, {}), ({"tension": 0.01, "contact_angle": 60}, {}), ({"tension": 0.01, "contact_angle": 60}, walls)):
                digests = []
                surface = {"free_surface": {**case["free_surface"], **more}}
                for cut, ranks in (([40, 18, 12], 1), ([7, 5, 5], 1), ([13, 6, 12], 2)):
                    run = self.compute({**case, **surface, **of_walls, "blocks": {"cells": cut[:count]}}, workers=2 if ranks == 1 else 1, ranks=ranks)
                    digests.append(run.summary["digest"])
                self.assertEqual(len(set(digests)), 1, (lattice, precision, more, digests))
                found.add(digests[0])
            self.assertEqual(len(found), 3)


if __name__ == "__main__":
    weir_case.main()
