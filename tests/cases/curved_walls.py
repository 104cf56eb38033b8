#!/usr/bin/env python3
"""Interpolated walls are of second order where steps are of first: the flow between two cylinders of which the inner one turns, and
the torque on them; the drag on spheres in creeping flow, of cubic arrays and alone.

Between radii r_1, which turns with Omega, and r_2, at rest, u = Omega r_1^2 / (r_2^2 - r_1^2) (r_2^2 / r - r), and the torque per
length is 4 pi nu Omega r_1^2 r_2^2 / (r_2^2 - r_1^2) (Landau, Lifshitz, Fluid Mechanics, section 18).

Usage: curved_walls.py WEIR
"""
import math
import os

import numpy

import weir_case
from weir_case import viscosity

INNER, OUTER = 0.2, 0.45  # radii, in widths of the domain
SPEED = 0.3               # of the inner surface, times the cells of a width
OFFSETS = [0.13, 0.42]    # of the axis from the middle of the domain, in cells: errors of a single place are not typical
WIDTHS = [16, 24, 36, 54]

# Drag per 6 pi mu a U on a sphere in a simple cubic array, by the share of the volume in spheres, U being the mean velocity over fluid
# and spheres: Zick and Homsy, J. Fluid Mech. 115 (1982) 13-26, table 2.
ARRAYS = {0.064: 2.810, 0.125: 4.292, 0.343: 15.4}
ARRAY_CELLS = 28  # along each side: spheres of 14 to 24 cells


class Cylinders(weir_case.CaseTest):
    def flow(self, kind, width, offset, tau):
        """Relative errors of the velocity (in the mean square) and of the torque on both cylinders."""
        cells, center = width + 2, 1 + width / 2 + offset
        inner, outer, rate = INNER * width, OUTER * width, SPEED / INNER / width**2
        run = self.compute({
            "lattice": "D2Q9",
            "collision": {"operator": "trt"},
            "precision": "double",
            "domain": {"cells": [cells, cells], "periodic": [True, True]},
            "fluid": {"tau": tau},
            "solids": [{"cylinder": {"center": [center, center], "radius": inner}, "type": kind, "name": "inner",
                        "rotation": {"rate": rate}},
                       {"formula": f"(x - {center})^2 + (y - {center})^2 > {outer**2!r}", "type": kind, "name": "outer",
                        "rotation": {"rate": 0, "center": [center, center]}}],
            "blocks": {"cells": [cells, cells]},
            "run": {"steps": math.ceil(6 * 0.1 / viscosity(tau) * width**2)},
            "output": [{"type": "fields", "fields": ["velocity"]}, {"type": "series"}],
        })
        y, x = numpy.mgrid[0:cells, 0:cells] + 0.5 - center
        radius = numpy.hypot(x, y)
        fluid = (radius > inner) & (radius < outer)
        factor = rate * inner**2 / (outer**2 - inner**2)
        around = factor * (outer**2 / radius - radius)
        velocity = run.fields()["velocity"][0]
        error = numpy.hypot(velocity[..., 0] + around * y / radius, velocity[..., 1] - around * x / radius)[fluid]
        torque = 4 * math.pi * viscosity(tau) * factor * outer**2
        series = run.series()
        given = numpy.array([series["torque_z(inner)"][-1] / -torque, series["torque_z(outer)"][-1] / torque])
        self.assertLessEqual(abs(run.summary["mass_drift"]), 1e-12, "what passes is counted")
        return numpy.sum(error**2) / numpy.sum(around[fluid] ** 2), numpy.mean((given - 1) ** 2)

    def errors(self, kind, tau=0.8, widths=tuple(WIDTHS)):
        """For each width: root mean squares over the places of the axis."""
        return numpy.sqrt([numpy.mean([self.flow(kind, width, offset, tau) for offset in OFFSETS], axis=0) for width in widths])

    def order(self, errors):
        return -numpy.polyfit(numpy.log(WIDTHS), numpy.log(errors), 1)[0]

    def test_order(self):
        curved, steps = self.errors("interpolated_wall"), self.errors("wall")
        print("velocity:", self.order(curved[:, 0]), "with steps", self.order(steps[:, 0]))
        self.assertGreaterEqual(self.order(curved[:, 0]), 1.8)
        self.assertLessEqual(self.order(steps[:, 0]), 1.3)
        self.assertLessEqual(curved[-1, 0], 0.0025)
        self.assertLessEqual(curved[-1, 1], 0.0016)
        self.assertGreaterEqual(steps[-1, 1], 0.01)

    def test_viscosity(self):
        """Where the walls are does not depend on it."""
        low, high = (self.errors("interpolated_wall", tau, WIDTHS[:1])[0, 0] for tau in (0.8, 2))
        self.assertLessEqual(abs(high / low - 1), 0.03)


def write_sphere(path, center, radius, rows=60):
    """An STL file of a sphere, rows from pole to pole and twice as many around."""
    def corner(row, column):
        polar, around = math.pi * row / rows, math.pi * (column % (2 * rows)) / rows
        ring = 0 if row in (0, rows) else math.sin(polar)  # poles are one point each
        height = 1 if row == 0 else -1 if row == rows else math.cos(polar)
        return [c + radius * x for c, x in zip(center, (ring * math.cos(around), ring * math.sin(around), height))]
    with open(path, "w") as file:
        file.write("solid sphere\n")
        for row in range(rows):
            for column in range(2 * rows):
                here, below, beside, across = (corner(row + i, column + j) for j in (0, 1) for i in (0, 1))
                for triangle in ([] if row == 0 else [(here, below, beside)]) + ([] if row == rows - 1 else [(beside, below, across)]):
                    file.write("facet normal 0 0 0\nouter loop\n")
                    file.writelines("vertex {!r} {!r} {!r}\n".format(*point) for point in triangle)
                    file.write("endloop\nendfacet\n")
        file.write("endsolid sphere\n")


class Spheres(weir_case.CaseTest):
    def drag(self, kind, share, tau=1.2, force=1e-6, mesh=False):
        """mesh: the sphere is an STL file."""
        n = ARRAY_CELLS
        radius = n * (3 * share / (4 * math.pi)) ** (1 / 3)
        shape = {"sphere": {"center": [n / 2] * 3, "radius": radius}}
        if mesh:
            path = os.path.join(self.folder(), "sphere.stl")
            write_sphere(path, [n / 2] * 3, radius)
            shape = {"mesh": {"file": path}}
        run = self.compute({
            "lattice": "D3Q19",
            "collision": {"operator": "trt"},
            "precision": "double",
            "domain": {"cells": [n] * 3, "periodic": [True] * 3},
            "fluid": {"tau": tau},
            "force": [force, 0, 0],
            "solids": [{**shape, "type": kind, "name": "sphere"}],
            "blocks": {"cells": [n] * 3},
            "run": {"steps": 20 * n**2, "stop_when": {"steady": 1e-5, "every": n**2 // 8}},
            "output": [{"type": "series"}],
        })
        self.assertEqual(run.summary["stopped_by"], "steady")
        series = run.series()
        self.assertAlmostEqual(series["force_x(sphere)"][-1] / (force * run.summary["fluid_cells"]), 1, delta=1e-4)
        # The pressure gradient that drives a published array acts on the volume of the spheres as well.
        return force * n**6 / (6 * math.pi * viscosity(tau) * radius * series["momentum_x"][-1])

    def test_arrays(self):
        for share, published in ARRAYS.items():
            with self.subTest(share=share):
                drag = self.drag("interpolated_wall", share)
                print(f"spheres in {share} of the volume: drag {drag:.3f}, published {published}")
                self.assertAlmostEqual(drag / published, 1, delta=0.01)

    def test_mesh(self):
        """A sphere of triangles, whose facets lie up to 0.03 % of the radius below it, is as good as a sphere."""
        share = 0.125
        given, exact = self.drag("interpolated_wall", share, mesh=True), self.drag("interpolated_wall", share)
        print(f"sphere of triangles: {given:.3f}, sphere: {exact:.3f}")
        self.assertAlmostEqual(given / exact, 1, delta=0.004)

    def test_steps_are_worse(self):
        self.assertGreater(abs(self.drag("wall", 0.125) / ARRAYS[0.125] - 1), 0.02)


class Alone(weir_case.CaseTest):
    def drag(self, diameter, ratio, reynolds=0.1, speed=0.004):
        """Per that of Stokes on a sphere in a stream, which a sphere `ratio` times as large around it keeps up: it moves with the stream."""
        radius = diameter / 2
        center = math.ceil(ratio * radius) + 1
        far = "+".join(f"({axis} - {center})^2" for axis in "xyz")
        tau = 0.5 + 3 * speed * diameter / reynolds
        run = self.compute({
            "lattice": "D3Q19",
            "collision": {"operator": "trt"},
            "domain": {"cells": [2 * center] * 3, "periodic": [True] * 3},
            "fluid": {"tau": tau},
            "initial": {"velocity": [speed, 0, 0]},
            "solids": [{"sphere": {"center": [center] * 3, "radius": radius}, "type": "interpolated_wall", "name": "sphere"},
                       {"formula": f"{far} > {(ratio * radius)**2!r}", "type": "interpolated_wall", "name": "far", "velocity": [speed, 0, 0]}],
            "run": {"steps": 20000, "stop_when": {"steady": 1e-4, "every": 100}},
            "output": [{"type": "series"}],
        })
        self.assertEqual(run.summary["stopped_by"], "steady")
        return run.series()["force_x(sphere)"][-1] / (6 * math.pi * viscosity(tau) * radius * speed)

    def test_drag(self):
        """Haberman and Sayre, David Taylor Model Basin report 1143 (1958); Happel and Brenner, Low Reynolds Number Hydrodynamics, section 4-22.
        Inertia adds less than 3/16 Re to it (Oseen)."""
        ratio = 4
        share = 1 / ratio
        known = 4 * (1 - share**5) / (4 - 9 * share + 10 * share**3 - 9 * share**5 + 4 * share**6)
        drag = self.drag(12, ratio)
        print(f"sphere alone: drag {drag:.4f}, known {known:.4f}")
        self.assertAlmostEqual(drag / known, 1, delta=0.004)


if __name__ == "__main__":
    weir_case.main()
