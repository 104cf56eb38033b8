#!/usr/bin/env python3
"""Vorticity, Q criterion, strain rate, shear rate and shear stress of outputs, against an analytic flow.

The flow of Arnold, Beltrami and Childress in a periodic cube (Dombre et al., J. Fluid Mech. 167 (1986) 353), u = U (sin kz + cos ky,
sin kx + cos kz, sin ky + cos kx), is an exact solution of the Navier-Stokes equations that decays as exp(-nu k² t), and its vorticity is k u; in a
plane, the vortices of Taylor and Green. Grids are refined with time steps as the square of the cell, the velocity as the cell: errors fall with its square.

Usage: derived.py WEIR
"""
import itertools
import unittest

import numpy

import weir_case

TAU, FIRST_STEPS, FIRST_CELLS, FIRST_SPEED = 0.8, 32, 24, 0.01
GRIDS = (24, 48, 64)
TENSOR = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)]
FIELDS = ["density", "velocity", "vorticity", "q_criterion", "strain_rate", "shear_rate", "shear_stress", "cell_type"]


def beltrami(cells):
    k, speed = 2 * numpy.pi / cells, FIRST_SPEED * FIRST_CELLS / cells
    z, y, x = numpy.meshgrid(*[numpy.arange(cells) + 0.5] * 3, indexing="ij")
    sin, cos, zero = (lambda a: numpy.sin(k * a)), (lambda a: numpy.cos(k * a)), numpy.zeros_like(x)
    velocity = speed * numpy.stack([sin(z) + cos(y), sin(x) + cos(z), sin(y) + cos(x)])
    gradient = speed * k * numpy.array([[zero, -sin(y), cos(z)], [cos(x), zero, -sin(z)], [-sin(x), cos(y), zero]])
    formula = [f"{speed} * (sin(2*pi*{a}/nx) + cos(2*pi*{b}/nx))" for a, b in ("zy", "xz", "yx")]
    density = "1 - 1.5 * {0}^2 * ((sin(2*pi*z/nx) + cos(2*pi*y/nx))^2 + (sin(2*pi*x/nx) + cos(2*pi*z/nx))^2 + (sin(2*pi*y/nx) + cos(2*pi*x/nx))^2 - 3)"
    return {"lattice": "D3Q27", "domain": {"cells": [cells] * 3, "periodic": [True] * 3},
            "initial": {"velocity": formula, "density": density.format(speed)}}, k**2, velocity, gradient


def taylor_green(cells):
    k, speed = 2 * numpy.pi / cells, FIRST_SPEED * FIRST_CELLS / cells
    z, y, x = numpy.meshgrid([0.5], *[numpy.arange(cells) + 0.5] * 2, indexing="ij")
    zero = numpy.zeros_like(x)
    sx, cx, sy, cy = numpy.sin(k * x), numpy.cos(k * x), numpy.sin(k * y), numpy.cos(k * y)
    velocity = speed * numpy.stack([sx * cy, -cx * sy, zero])
    gradient = speed * k * numpy.array([[cx * cy, -sx * sy, zero], [sx * sy, -cx * cy, zero], [zero] * 3])
    formula = [f"{speed} * sin(2*pi*x/nx) * cos(2*pi*y/ny)", f"-{speed} * cos(2*pi*x/nx) * sin(2*pi*y/ny)"]
    density = f"1 + 0.75 * {speed}^2 * (cos(4*pi*x/nx) + cos(4*pi*y/ny))"
    return {"lattice": "D2Q9", "domain": {"cells": [cells] * 2, "periodic": [True] * 2},
            "initial": {"velocity": formula, "density": density}}, 2 * k**2, velocity, gradient


def expected(gradient, viscosity, density):
    """What fields hold, from the gradient [a][b] = du_a / dx_b; components last."""
    strain = 0.5 * (gradient + gradient.swapaxes(0, 1))
    rotation = 0.5 * (gradient - gradient.swapaxes(0, 1))
    square = lambda tensor: (tensor**2).sum((0, 1))
    tensor = lambda t: numpy.stack([t[a, b] for a, b in TENSOR], -1)
    return {"vorticity": numpy.stack([gradient[2, 1] - gradient[1, 2], gradient[0, 2] - gradient[2, 0], gradient[1, 0] - gradient[0, 1]], -1),
            "q_criterion": 0.5 * (square(rotation) - square(strain)), "strain_rate": tensor(strain),
            "shear_rate": numpy.sqrt(2 * square(strain)), "shear_stress": tensor(2 * density * viscosity * strain)}


class Derived(weir_case.CaseTest):
    in_memory = True

    def errors(self, flow, cells):
        """Largest error of each field, of its largest value."""
        case, rate, _, gradient = flow(cells)
        steps, viscosity = FIRST_STEPS * cells**2 // FIRST_CELLS**2, weir_case.viscosity(TAU)
        run = self.compute({**case, "name": "derived", "precision": "double", "collision": {"operator": "trt"}, "fluid": {"tau": TAU},
                            "run": {"steps": steps}, "output": [{"type": "fields", "fields": FIELDS}]}, workers=2)
        fields = run.fields()
        self.assertFalse(fields["cell_type"].any())
        wanted = expected(gradient * numpy.exp(-viscosity * rate * steps), viscosity, fields["density"])
        return {name: abs(fields[name] - value).max() / abs(value).max() for name, value in wanted.items()}

    def test_second_order(self):
        for flow in beltrami, taylor_green:
            errors = [self.errors(flow, cells) for cells in GRIDS]
            for name, (coarse, fine) in itertools.product(errors[0], ((0, 1), (1, 2))):
                order = numpy.log(errors[coarse][name] / errors[fine][name]) / numpy.log(GRIDS[fine] / GRIDS[coarse])
                print(f"{flow.__name__} {name}: error {errors[fine][name]:.5f} at {GRIDS[fine]} cells, order {order:.3f}")
                self.assertGreater(order, 1.9, f"{flow.__name__}: {name}")
            self.assertLess(max(errors[-1].values()), 0.01)

    def test_exact_for_a_straight_profile(self):
        """Couette flow: between the walls and beside them, where differences are one-sided, and the stress of the wall itself, in SI."""
        speed, cells, viscosity = 0.3, 10, 0.005
        case = {"name": "couette", "lattice": "D3Q19", "precision": "double", "units": "si",
                "si": {"cell_size": 0.01, "time_step": 0.002, "density": 1000}, "domain": {"cells": [4, 4, cells], "periodic": [True, True, False]},
                "fluid": {"viscosity": viscosity}, "boundaries": {"z+": {"type": "wall", "velocity": [speed, 0, 0]}},
                "initial": {"velocity": [f"{speed} * z / nz", 0, 0]}, "run": {"steps": 4000}}
        output = [{"type": "fields", "fields": FIELDS}, {"type": "profile", "from": [0.02, 0.02, 0], "to": [0.02, 0.02, 0.1], "fields": FIELDS[2:-1]},
                  {"type": "series", "faces": True}]
        run = self.compute({**case, "output": output})
        rate = speed / (cells * 0.01)
        fields, profile, series = run.fields(), run.profile(), run.series()
        wall = abs(series["force_x(z+)"][-1]) / (4 * 0.01) ** 2  # N/m²
        self.assertAlmostEqual(wall, 1000 * viscosity * rate, 6)
        for name, value in (("vorticity", [0, rate, 0]), ("strain_rate", [0, 0, 0, 0, 0, rate / 2]), ("shear_stress", [0, 0, 0, 0, 0, wall])):
            self.assertLess(abs(fields[name] - value).max(), 1e-8 * max(value), name)
        self.assertLess(abs(fields["shear_rate"] - rate).max(), 1e-8 * rate)
        self.assertLess(abs(fields["q_criterion"]).max(), 1e-8 * rate**2)
        self.assertEqual(len(profile["z"]), cells)
        for name, value in (("vorticity_y", rate), ("vorticity_x", 0), ("strain_rate_xz", rate / 2), ("shear_stress_xz", wall), ("shear_rate", rate)):
            self.assertLess(abs(profile[name] - value).max(), 1e-8 * wall, name)

    def test_eddy_viscosity_of_shear(self):
        """Couette flow between plates that move: (C cell)² |S| in every cell, in SI; nothing in solids; none with qr, which is nothing in shear."""
        speed, cells, constant, size, step = 0.3, 12, 0.5, 0.01, 0.002
        point = [0.02, 0.02, 0.05]
        output = [{"type": "fields", "fields": ["eddy_viscosity", "velocity"]},
                  {"type": "profile", "from": [0.02, 0.02, 0], "to": [0.02, 0.02, 0.12], "fields": ["eddy_viscosity"]},
                  {"type": "probes", "points": [point], "fields": ["eddy_viscosity"], "every": 2000},
                  {"type": "image", "plane": "y=0.5", "field": "eddy_viscosity"}]
        case = {"name": "couette", "lattice": "D3Q19", "precision": "double", "collision": {"operator": "bgk"}, "units": "si",
                "si": {"cell_size": size, "time_step": step, "density": 1000}, "domain": {"cells": [4, 4, cells], "periodic": [True, True, False]},
                "fluid": {"viscosity": 0.005}, "boundaries": {"z+": {"type": "wall", "velocity": [speed, 0, 0]}},
                "initial": {"velocity": [f"{speed} * z / nz", 0, 0]}, "run": {"steps": 2000}, "blocks": {"cells": [4, 4, 6]}, "output": output}
        rate = speed / (cells * size)
        scale = (constant * size) ** 2 * rate
        # The populations' stress has terms of the square of the Mach number, too, which are all that qr sees.
        for model, expected, tolerance in (("smagorinsky", scale, 2e-3), ("qr", 0, 1e-2)):
            run = self.compute({**case, "turbulence": {"model": model, "constant": constant}})
            fields = run.fields()
            shear = numpy.diff(fields["velocity"][:, 0, 0, 0]) / size
            self.assertLess(abs(shear - rate).max(), 1e-3)
            for name, seen in (("fields", fields["eddy_viscosity"]), ("profile", run.profile()["eddy_viscosity"]),
                               ("probes", run.series("probes")["eddy_viscosity(1)"][-1:])):
                self.assertLess(abs(numpy.asarray(seen) - expected).max(), tolerance * scale, (model, name))
            self.assertEqual(run.files(".png"), ["image_eddy_viscosity_y_000002000.png"])

    def test_eddy_viscosity_whatever_blocks_and_ranks(self):
        """The same bits; nothing in solids, also in blocks that are all solid."""
        case = {"name": "stirred", "lattice": "D3Q27", "collision": {"operator": "cumulant"}, "precision": "double", "domain": {"cells": [24, 12, 12]},
                "turbulence": {"constant": 0.3}, "fluid": {"tau": 0.51}, "boundaries": {"y+": {"type": "wall", "velocity": [0.1, 0, 0]}},
                "solids": [{"name": "step", "box": {"from": [16, 0, 0], "to": [24, 6, 12]}}], "run": {"steps": 60},
                "output": [{"type": "fields", "fields": ["eddy_viscosity"]}]}
        whole = self.compute({**case, "blocks": {"cells": [24, 12, 12]}}).fields()
        self.assertGreater(whole["eddy_viscosity"].max(), 1e-5)
        self.assertFalse(whole["eddy_viscosity"][whole["solid"] == 1].any())
        for blocks, ranks in (([8, 6, 6], 1), ([7, 5, 12], 1), ([8, 6, 6], 2)):
            other = self.compute({**case, "blocks": {"cells": blocks}}, ranks=ranks).fields()
            self.assertTrue((other["eddy_viscosity"] == whole["eddy_viscosity"]).all(), (blocks, ranks))

    def test_wall_shear_stress_of_a_parabola(self):
        """Exact between plates, in cells of all heights, whatever blocks; nothing away from walls and at faces that are none."""
        force, viscosity = 1e-5, weir_case.viscosity(TAU)
        for lattice, cells in (("D2Q9", [9, 8]), ("D3Q19", [9, 8, 5])):
            across = cells[1] * force / 2  # that half of the channel pushes, on a cell's wall
            case = {"name": "plates", "lattice": lattice, "precision": "double", "domain": {"cells": cells, "periodic": [True] + [False] * (len(cells) - 1)},
                    "collision": {"operator": "trt", "magic": 3 / 16}, "fluid": {"tau": TAU}, "force": weir_case.along(0, force, len(cells)),
                    "boundaries": {"z-": {"type": "slip"}, "z+": {"type": "slip"}} if len(cells) == 3 else {},
                    "initial": {"velocity": weir_case.along(0, f"{force / 2 / viscosity} * y * (ny - y)", len(cells))},
                    "run": {"steps": 4000}, "output": [{"type": "fields", "fields": ["wall_shear_stress"]}]}
            for blocks in cells, [4, 3, 3][:len(cells)]:
                stress = self.compute({**case, "blocks": {"cells": blocks}}).fields()["wall_shear_stress"]
                for row in (0, -1):
                    self.assertLess(abs(stress[:, row] - [across, 0, 0]).max(), 1e-7 * across, (lattice, blocks))
                self.assertFalse(stress[:, 1:-1].any())

    def test_wall_shear_stress_of_cylinders(self):
        """Of which the inner one turns: 2 rho nu Omega r_1^2 r_2^2 / (r_2^2 - r_1^2) / r^2 at both (Landau, Lifshitz, Fluid Mechanics, section
        18), in every cell beside an interpolated wall, wherever between cells that is."""
        width = 48
        center, inner, outer, rate = 1 + width / 2 + 0.13, 0.2 * width, 0.45 * width, 0.06 / width
        run = self.compute({
            "name": "cylinders", "lattice": "D2Q9", "precision": "double", "domain": {"cells": [width + 2] * 2, "periodic": [True, True]}, "fluid": {"tau": TAU},
            "solids": [{"cylinder": {"center": [center] * 2, "radius": inner}, "type": "interpolated_wall", "name": "inner", "rotation": {"rate": rate}},
                       {"formula": f"(x - {center})^2 + (y - {center})^2 > {outer**2!r}", "type": "interpolated_wall", "name": "outer"}],
            "run": {"steps": 6 * width**2}, "output": [{"type": "fields", "fields": ["wall_shear_stress"]}]})
        stress = run.fields()["wall_shear_stress"][0]
        y, x = numpy.mgrid[0:width + 2, 0:width + 2] + 0.5 - center
        radius = numpy.hypot(x, y)
        for wall, sign in ((inner, -1), (outer, 1)):  # the fluid holds the inner one back
            there = (abs(radius - wall) < 3) & stress.any(axis=-1)
            self.assertGreater(there.sum(), 5 * wall)
            around, along = ((stress[..., 1] * x - stress[..., 0] * y) / radius)[there], ((stress[..., 0] * x + stress[..., 1] * y) / radius)[there]
            known = sign * 2 * weir_case.viscosity(TAU) * rate * inner**2 * outer**2 / (outer**2 - inner**2) / wall**2
            print(f"radius {wall}: mean {numpy.mean(around / known):.4f}, from {numpy.min(around / known):.3f} to {numpy.max(around / known):.3f}")
            self.assertLess(abs(numpy.mean(around / known) - 1), 0.02)
            self.assertLess(numpy.sqrt(numpy.mean((around / known - 1) ** 2)), 0.05)
            self.assertLess(abs(along / known).max(), 0.1, "it lies along the wall")

    def test_cell_type(self):
        """Which solid a cell is of."""
        case = {"name": "types", "lattice": "D2Q9", "domain": {"cells": [16, 12]}, "fluid": {"tau": 0.8}, "run": {"steps": 1},
                "solids": [{"box": {"from": [2, 2], "to": [5, 6]}, "name": "one"}, {"box": {"from": [9, 4], "to": [12, 7]}, "name": "two"}]}
        fields = self.compute({**case, "output": [{"type": "fields", "fields": ["cell_type", "vorticity"]}]}).fields()
        types = numpy.zeros((1, 12, 16))
        types[0, 2:6, 2:5] = 1
        types[0, 4:7, 9:12] = 2
        self.assertTrue((fields["cell_type"] == types).all())
        self.assertTrue((fields["vorticity"][types > 0] == 0).all())


if __name__ == "__main__":
    weir_case.main()
