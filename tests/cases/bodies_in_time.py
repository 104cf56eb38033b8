#!/usr/bin/env python3
"""Solids and parts of faces whose values change in time: Stokes's second problem by a box that moves to and fro in its plane, order over two
grids; a part that covers its face does what the face does; the same bits however the domain is cut.

Usage: bodies_in_time.py WEIR
"""
import cmath
import math

import numpy

import weir_case
from weir_case import viscosity

TAU = 0.8


class Stokes(weir_case.CaseTest):
    PERIODS, THICKNESS = 4, 2

    def error(self, cells):
        """Greatest error over the plate's speed: the fluid between the box and a wall at rest, `cells` away, after some periods."""
        period = round(2 * math.pi * cells**2 / (18 * viscosity(TAU)))
        frequency, speed = 2 * math.pi / period, 0.16 / cells
        height = cells + self.THICKNESS
        fields = self.compute({
            "lattice": "D2Q9", "collision": {"operator": "trt"}, "precision": "double",
            "domain": {"cells": [2, height], "periodic": [True, False]}, "fluid": {"tau": TAU},
            "solids": [{"box": {"from": [0, 0], "to": [2, self.THICKNESS]}, "velocity": [f"{speed}*cos({frequency}*t)", 0]}],
            "run": {"steps": self.PERIODS * period}, "output": [{"type": "fields"}]}).fields()
        seen = fields["velocity"][0, self.THICKNESS:, 0, 0]
        root = cmath.sqrt(1j * frequency / viscosity(TAU))
        expected = [(speed * cmath.sinh(root * (cells - y)) / cmath.sinh(root * cells)).real for y in numpy.arange(cells) + 0.5]
        return numpy.abs(seen - expected).max() / speed

    def test_order(self):
        errors = [self.error(cells) for cells in (10, 20)]
        order = math.log2(errors[0] / errors[1])
        print(f"errors {errors[0]:.2e}, {errors[1]:.2e}: order {order:.3f}", flush=True)
        self.assertGreaterEqual(order, 1.9)
        self.assertLess(errors[1], 2e-3)


class Everywhere(weir_case.CaseTest):
    def digest(self, case, **more):
        return self.compute(case, **more).summary["digest"]

    def test_a_part_that_covers_its_face(self):
        """Velocity and density, with a ramp, and a scalar."""
        case = {"lattice": "D2Q9", "precision": "double", "domain": {"cells": [24, 10], "periodic": [False, True]}, "fluid": {"tau": 0.7},
                "scalar": {"diffusivity": 0.05}, "run": {"steps": 60}}
        inlet = {"type": "velocity", "velocity": ["0.03 + 0.02*sin(t/5)", "0.01*cos(t/9)"], "scalar": "1 + 0.5*sin(t/7)"}
        outlet = {"type": "pressure", "density": "1 + 0.01*sin(t/11)", "ramp": 20}
        box = {"box": {"from": [0, 0], "to": [24, 10]}}
        whole = self.digest({**case, "boundaries": {"x-": inlet, "x+": outlet}})
        parts = self.digest({**case, "boundaries": {"x-": {"type": "wall", "parts": [{**box, **inlet, "name": "inlet"}]},
                                                    "x+": {"type": "wall", "parts": [{**box, **outlet, "name": "outlet"}]}}})
        self.assertEqual(parts, whole)

    def test_same_bits(self):
        """A disc in a face through which fluid is pumped, and a bar that moves to and fro and is heated."""
        case = {"lattice": "D3Q19", "domain": {"cells": [24, 14, 12], "periodic": [False] * 3}, "fluid": {"tau": 0.6},
                "scalar": {"diffusivity": 0.02},
                "boundaries": {"x-": {"type": "wall", "parts": [{"sphere": {"center": [0, 7, 6], "radius": 4}, "name": "pump", "type": "velocity",
                                                                 "velocity": ["0.03*sin(t/8)^2", 0, 0], "ramp": 10}]},
                               "x+": {"type": "pressure", "density": 1}},
                "solids": [{"cylinder": {"center": [12, 7, 6], "axis": "z", "radius": 3}, "velocity": [0, "0.02*sin(t/6)", 0],
                            "scalar": {"table": {"t": [0, 20, 40], "scalar": [0, 1, 0.5]}}}],
                "run": {"steps": 41}, "output": [{"type": "series", "every": 10}]}
        runs = [self.compute({**case, "blocks": {"cells": cut, **kind}}, workers=workers, ranks=ranks)
                for cut, kind, workers, ranks in (([24, 14, 12], {}, 2, 1), ([7, 5, 6], {}, 2, 1), ([8, 14, 6], {"list_up_to": 1}, 2, 1),
                                                  ([8, 7, 12], {}, 1, 2))]
        self.assertEqual(len({run.summary["digest"] for run in runs}), 1)
        forces = [run.series()["force_y(solids)"] for run in runs]
        self.assertGreater(numpy.abs(forces[0]).max(), 1e-4)
        for force in forces[1:]:
            self.assertTrue((force == forces[0]).all())


if __name__ == "__main__":
    weir_case.main()
