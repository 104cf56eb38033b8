#!/usr/bin/env python3
"""Flux through planes: what comes in passes every plane of a steady flow, parts of it by the parabola, whatever computes it.

Usage: test_flux.py WEIR
"""
import os
import shutil
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases"))
import weir_case

HEIGHT, SPEED = 12, 0.02
PARABOLA = f"{SPEED}*4*y*({HEIGHT} - y)/{HEIGHT}^2"
CHANNEL = {"lattice": "D2Q9", "precision": "double", "domain": {"cells": [30, HEIGHT]}, "fluid": {"tau": 0.9},
           "boundaries": {"x-": {"type": "velocity", "velocity": [PARABOLA, 0]}, "x+": {"type": "pressure", "density": 1}},
           "run": {"steps": 20000, "stop_when": {"steady": 1e-12, "every": 200}}}
# Flows past a sphere and along all axes, with a scalar.
SPACE = {"lattice": "D3Q19", "domain": {"cells": [20, 18, 12], "periodic": [True, True, False]}, "fluid": {"tau": 0.7},
         "scalar": {"diffusivity": 0.02},
         "initial": {"velocity": ["0.04*sin(2*pi*y/ny)", "0.04*cos(2*pi*x/nx)", "0.01*sin(2*pi*x/nx)"], "scalar": "x/nx"},
         "solids": [{"sphere": {"center": [12, 9, 6], "radius": 4}}], "run": {"steps": 20}}
PLANES = [{"from": [11.3, 0, 0], "to": [11.3, 18, 12]}, {"from": [20, 8, 12], "to": [3.5, 8, 1.25]}, {"from": [0, 2, 12], "to": [9, 8, 12]}]


def flux(start, end, **more):
    return {"type": "flux", "from": start, "to": end, **more}


class Flux(weir_case.CaseTest):
    in_memory = True

    def through(self, case, *planes):
        """Columns of each plane's flux, and the run."""
        run = self.compute({**case, "output": [*planes, {"type": "series"}]})
        return [run.series(name) for name in ("flux", "flux_2", "flux_3", "flux_4")[:len(planes)]], run

    def test_what_comes_in_passes_every_plane(self):
        planes = [flux([x, 0], [x, HEIGHT]) for x in (3, 14.5, 20.3)]
        # Half of the channel, on a cell's middle, whose part of a parabola is known.
        part = flux([14.5, 1.25], [14.5, HEIGHT / 2])
        for equilibrium in "compressible", "incompressible":
            found, run = self.through({**CHANNEL, "collision": {"operator": "trt", "equilibrium": equilibrium}}, *planes, part)
            entering = run.series()["mass_flow(x-)"][-1]
            for columns in found[:3]:
                self.assertAlmostEqual(columns["mass_flux"][-1] / entering, 1, 9)
                self.assertAlmostEqual(columns["area"][-1], HEIGHT, 12)
            self.assertAlmostEqual(found[1]["volume_flux"][-1] / entering, 1, delta=0.01)
            primitive = lambda y: SPEED * 4 * (HEIGHT * y**2 / 2 - y**3 / 3) / HEIGHT**2
            expected = primitive(HEIGHT / 2) - primitive(1.25)
            self.assertAlmostEqual(found[3]["mass_flux"][-1] / expected, 1, delta=0.015)
            self.assertAlmostEqual(found[3]["area"][-1], HEIGHT / 2 - 1.25, 12)
            # 8 rho nu u / H^2 per cell drives it.
            fall = (found[0]["pressure"][-1] - found[1]["pressure"][-1]) / 11.5
            self.assertAlmostEqual(fall / (8 * weir_case.viscosity(0.9) * SPEED / HEIGHT**2), 1, delta=0.02)

    def test_units(self):
        """The same flow with a cell of 0.01 m, a step of 0.002 s and 800 kg/m³."""
        si = {**CHANNEL, "units": "si", "si": {"cell_size": 0.01, "time_step": 0.002, "density": 800}, "run": {"steps": 200}}
        si["fluid"] = {"viscosity": weir_case.viscosity(0.9) * 0.01**2 / 0.002}
        si["boundaries"] = {"x-": {"type": "velocity", "velocity": [PARABOLA.replace("y", "(y/0.01)") + "*5", 0]}, "x+": {"type": "pressure", "density": 800}}
        (plain,), _ = self.through({**CHANNEL, "run": {"steps": 200}}, flux([8, 2], [8, 7]))
        (metric,), _ = self.through(si, flux([0.08, 0.02], [0.08, 0.07]))
        for name, unit in {"time": 0.002, "area": 1e-4, "volume_flux": 1e-6 / 0.002, "mass_flux": 800 * 1e-6 / 0.002}.items():
            self.assertAlmostEqual(metric[name][-1] / (unit * plain[name][-1]), 1, 9, name)

    def table(self, output, **options):
        return self.compute({**SPACE, "output": [{**output, "type": "flux", "every": 4}], **options.pop("case", {})},
                            **options).bytes_of("flux.csv")

    def test_same_bytes(self):
        for plane in PLANES:
            expected = self.table(plane)
            self.assertEqual(expected.count(b"\n"), 1 + 6)
            self.assertIn(b"scalar_flux", expected)
            for blocks in {"cells": [8, 8, 8]}, {"cells": [5, 6, 4]}, {"cells": [8, 8, 8], "list_up_to": 1}:
                self.assertEqual(self.table(plane, case={"blocks": blocks}, workers=2), expected, blocks)

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_same_bytes_on_ranks(self):
        self.assertEqual(self.table(PLANES[1], case={"blocks": {"cells": [8, 8, 8]}}, ranks=2), self.table(PLANES[1]))

    def test_a_solid_lets_nothing_pass(self):
        run = self.compute({**SPACE, "output": [flux([12, 8, 5], [12, 10, 7]), flux([12, 0, 0], [12, 18, 12], name="all")]})
        inside, whole = run.series("flux"), run.series("all")
        self.assertEqual((inside["area"][-1], inside["mass_flux"][-1], inside["scalar_flux"][-1]), (0, 0, 0))
        self.assertIn(b",nan\n", run.bytes_of("flux.csv"))
        self.assertEqual(whole["area"][-1], 18 * 12 - 52)  # centres of the cells on either side that lie in the sphere


if __name__ == "__main__":
    weir_case.main()
