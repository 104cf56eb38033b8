#!/usr/bin/env python3
"""Gas that a free surface encloses (numerics.md, Bubbles). A column of it under a plug of liquid has the volume at which its pressure
carries the plug, and swings about that as a spring does whose force is the gas's; bubbles at rest keep their volume, and their pressure
is higher than that of the liquid by Laplace's law; two that rise become one, which a plate cuts in two, which open at the top: the amount
of gas stays the same meanwhile. However the domain is cut, and when a run goes on from a checkpoint, the bits are the same.

Usage: bubbles.py WEIR
"""
import csv
import math
import os
import subprocess

import numpy

import weir_case
from weir_case import dimensions

# Two bubbles, one above the other, below a plate, in liquid that is open at the top.
RISING = {
    "lattice": "D2Q9", "precision": "double", "domain": {"cells": [48, 88]}, "fluid": {"tau": 0.6}, "force": [0, -1e-4],
    "free_surface": {"liquid": "min(min(sqrt((x - 24.3)^2 + (y - 12)^2) - 8, sqrt((x - 24.3)^2 + (y - 27)^2) - 5), 80 - y)", "bubbles": True,
                     "tension": 0.004, "atmosphere": ["y+"]},
    "initial": {"density": "1 + 3e-4*max(0, 80 - y)"}, "solids": [{"box": {"from": [23, 46], "to": [26, 60]}}], "run": {"steps": 7500},
    "output": [{"type": "series", "every": 50}],
}


class BubbleTest(weir_case.CaseTest):
    def series(self, run, name):
        with open(os.path.join(run.folder, "series.csv")) as file:
            return numpy.array([float(row[name]) for row in csv.DictReader(file)])


class Piston(BubbleTest):
    def test_plug(self):
        """Gas below 30 cells of liquid, and the atmosphere above. What the gas has of volume less than at the start carries the plug."""
        gas, plug, gravity = 20, 30, 4e-4
        for lattice in ("D2Q9", "D3Q19"):
            count, width = dimensions(lattice), [6, 64, 5]
            run = self.compute({
                "lattice": lattice, "precision": "double", "domain": {"cells": width[:count], "periodic": [True, False, True][:count]},
                "fluid": {"tau": 0.8}, "force": [0, -gravity, 0][:count],
                "free_surface": {"liquid": f"min(y - {gas}, {gas + plug} - y)", "bubbles": True, "atmosphere": ["y+"]},
                "initial": {"density": f"1 + {3 * gravity}*max(0, min({plug}, {gas + plug} - y))"}, "run": {"steps": 2000},
                "output": [{"type": "series", "every": 10}, {"type": "profile", "name": "up", "every": 100, "from": [2.5, 0, 2.5][:count],
                                                              "to": [2.5, 64, 2.5][:count], "fields": ["density", "fill_level"]}]})
            area = 6 if count == 2 else 30
            volume, amount, time = self.series(run, "bubble_volume") / area, self.series(run, "bubble_gas") / area, self.series(run, "time")
            self.assertLess(max(abs(amount / gas - 1)), 1e-12)
            theory = gas / (1 + 3 * gravity * plug)
            # A bar, through which sound goes at c, on a spring d(pressure)/d(volume): x tan x = spring plug / c^2, x = rate plug / c. The lattice's
            # liquid gives way by as much as gas of its density.
            low, high = 0, math.pi / 2
            for _ in range(60):
                x = (low + high) / 2
                low, high = (x, high) if x * math.tan(x) < gas / theory**2 * plug else (low, x)
            rate = x / math.sqrt(3) / plug
            best = (math.inf, 0, 0)
            for tried in numpy.linspace(0.85, 1.1, 251):
                base = numpy.stack([numpy.ones_like(time), numpy.cos(tried * rate * time), numpy.sin(tried * rate * time)], 1)
                found = numpy.linalg.lstsq(base, volume, rcond=None)[0]
                best = min(best, (float(numpy.sqrt(numpy.mean((volume - base @ found)**2))), tried, float(found[0])))
            pushed = (gas - best[2]) / (gas - theory)
            print(f"plug {lattice}: the gas gives way by {pushed:.4f} of theory, and swings at {best[1]:.4f} of its rate, off by {best[0]:.1e} cells")
            self.assertLess(abs(pushed - 1), 0.02)
            self.assertLess(abs(best[2] / theory - 1), 0.001)
            self.assertLess(abs(best[1] - 1), 0.04)
            self.assertGreater(max(volume) - min(volume), 0.2)
            # Pressure times volume, of what an observer sees.
            for step in range(100, 2001, 100):
                with open(os.path.join(run.folder, f"up_{step:09d}.csv")) as file:
                    rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
                below = sum(1 - row["fill_level"] for row in rows if row["y"] < gas + plug / 2)
                self.assertLess(abs(rows[3]["density"] * below / gas - 1), 1e-12)
                self.assertEqual(rows[60]["density"], 1)


class AtRest(BubbleTest):
    def test_bubbles(self):
        """In liquid that goes round: the volume stays, and the pressure in them is higher by the tension over their radius (twice that in space)."""
        tension = 0.01
        for lattice, radii, steps in (("D2Q9", (8, 12, 16), 4000), ("D3Q19", (7, 9), 800)):
            count = dimensions(lattice)
            for radius in radii:
                cells, middle = 2 * (radius + 8), radius + 8.3
                ball = f"sqrt({' + '.join(f'({axis} - {middle})^2' for axis in 'xyz'[:count])}) - {radius}"
                run = self.compute({
                    "lattice": lattice, "precision": "double", "domain": {"cells": [cells] * count, "periodic": [True] * count}, "fluid": {"tau": 0.8},
                    "free_surface": {"liquid": ball, "bubbles": True, "tension": tension},
                    "initial": {"density": 1 - 3 * (count - 1) * tension / radius}, "run": {"steps": steps},
                    "output": [{"type": "series", "every": steps // 20},
                               {"type": "fields", "every": steps // 20, "fields": ["density", "fill_level"]}]})
                volume, amount = self.series(run, "bubble_volume"), self.series(run, "bubble_gas")
                late = [run.fields_at("fields", k * (steps // 20)) for k in range(8, 21)]
                outside = numpy.mean([numpy.median(fields["density"][fields["fill_level"] == 1]) for fields in late])
                inside, size = numpy.mean((amount / volume)[8:]), numpy.mean(volume[8:])
                bend = math.sqrt(math.pi / size) if count == 2 else 2 * (4 * math.pi / 3 / size)**(1 / 3)
                print(f"bubble {lattice} of {radius}: keeps its volume to {max(abs(volume / volume[0] - 1)):.1e}, its gas to {max(abs(amount / amount[0] - 1)):.1e}; "
                      f"pressure {(inside - outside) / 3 / bend / tension:.4f} of the tension")
                self.assertTrue((self.series(run, "bubbles") == 1).all())
                self.assertLess(max(abs(volume / volume[0] - 1)), 0.005)
                self.assertLess(max(abs(amount / amount[0] - 1)), 1e-12)
                self.assertLess(abs((inside - outside) / 3 / bend / tension - 1), 0.06)


class Amount(BubbleTest):
    def test_merge_and_split(self):
        for precision, limit in (("double", 1e-13), ("single", 5e-6)):
            run = self.compute({**RISING, "precision": precision})
            bubbles, amount, volume = (self.series(run, name) for name in ("bubbles", "bubble_gas", "bubble_volume"))
            changes = [int(bubbles[0])] + [int(b) for a, b in zip(bubbles, bubbles[1:]) if a != b]
            self.assertEqual(changes, [2, 1, 2, 1, 0])
            closed = next(k for k in range(1, len(bubbles)) if bubbles[k - 1] == 2 and bubbles[k] == 1 and k > 40)  # until then
            error = max(abs(amount[:closed] / amount[0] - 1))
            print(f"rising, {precision}: two are one after {50 * int(numpy.argmax(bubbles == 1))} steps, open at the top after {50 * closed}; "
                  f"gas to {error:.1e}, volume from {min(volume[:closed]):.1f} to {max(volume[:closed]):.1f}, mass to "
                  f"{max(abs(self.series(run, 'mass') / self.series(run, 'mass')[0] - 1)):.1e}")
            self.assertGreater(50 * closed, 4000)
            self.assertLess(error, limit)
            self.assertLess(max(self.series(run, "max_speed")), 0.1)
            self.assertGreater(min(volume[:closed]), 0.95 * volume[0])
            self.assertLess(max(volume[:closed]), 1.05 * volume[0])


class Everywhere(BubbleTest):
    CASES = {
        "plane": {**RISING, "domain": {"cells": [48, 88], "periodic": [True, False]}, "run": {"steps": 901}},  # they become one, by hand of seams
        "space": {"lattice": "D3Q19", "precision": "single", "domain": {"cells": [24, 36, 20], "periodic": [True, False, True]}, "fluid": {"tau": 0.55},
                  "force": [0, -1e-4, 0], "initial": {"density": "1 + 3e-4*max(0, 30 - y)"},
                  "free_surface": {"liquid": "min(30 - y, min(sqrt((x - 12)^2 + (y - 12)^2 + (z - 2)^2) - 6, "
                                             "sqrt((x - 12)^2 + (y - 23)^2 + (z - 2)^2) - 4.4))", "bubbles": True, "atmosphere": ["y+"], "tension": 0.005},
                  "run": {"steps": 161}, "output": [{"type": "series", "every": 10}]},
    }

    def test_same_bits(self):
        for name, case in self.CASES.items():
            count, found, rows = dimensions(case["lattice"]), set(), set()
            for cut, ranks in (([48, 88, 20], 1), ([7, 9, 6], 1), ([48, 11, 5], 1), ([12, 11, 10], 2), ([8, 12, 20], 3), ([6, 9, 10], 4)):
                run = self.compute({**case, "blocks": {"cells": cut[:count]}}, workers=2 if ranks == 1 else 1, ranks=ranks)
                found.add(run.summary["digest"])
                rows.add(tuple(tuple(self.series(run, column)) for column in ("bubbles", "bubble_volume", "bubble_gas")))
            self.assertEqual((len(found), len(rows)), (1, 1), name)
            alone = self.compute({**case, "free_surface": {key: value for key, value in case["free_surface"].items() if key not in ("bubbles", "atmosphere")}})
            self.assertNotEqual(alone.summary["digest"], found.pop())

    def test_resumed(self):
        case = self.CASES["space"]
        whole = self.compute(case)
        first = self.compute({**case, "checkpoint": {"every": 37}, "run": {"steps": 80}})
        words, variables = weir_case.launcher(2)
        done = subprocess.run([*words, weir_case.program, "resume", first.folder, "--quiet", "--steps", "161", "--set", "blocks.cells=[8,9,10]"],
                              env={**weir_case.environment(1), **variables}, capture_output=True, text=True, timeout=weir_case.TIMEOUT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(weir_case.Run(first.folder, done).summary["digest"], whole.summary["digest"])
        for column in ("bubbles", "bubble_volume", "bubble_gas"):
            self.assertEqual(set(self.series(whole, column)) - set(self.series(first, column)), set(), column)


if __name__ == "__main__":
    weir_case.main()
