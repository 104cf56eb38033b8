#!/usr/bin/env python3
"""Solids that conduct a scalar, D2Q5 and D3Q7, against what is known exactly.

Fluid up to y = a and a solid from there to H, both ends at 0, with the conductivities K and the heat capacities s (those of the
fluid D and 1): the slowest mode falls as exp(-m t), with m = D k^2 = (K / s) q^2, and is

    sin(k y) / sin(k a) in the fluid,   sin(q (H - y)) / sin(q (H - a)) in the solid,   D k cot(k a) = -K q cot(q (H - a)).

With a flow u(y) along a plate that conducts, a wave exp(i k x) that fills the channel soon decays and travels as the slowest
solution of

    lambda phi = D (phi'' - k^2 phi) - i k u(y) phi in the fluid,   lambda s phi = K (phi'' - k^2 phi) in the plate,

phi and its flux the same on both sides of the surface, phi' = 0 at the ends; it is found here by finite volumes, extrapolated.
Grids are refined with diffusive scaling.

Usage: conjugate.py WEIR
"""
import itertools
import math
import os

import numpy

import weir_case
from weir_case import along, dimensions

ORDER = 1.9


def order(sizes, errors):
    """Of the fall of errors from each grid to the next; the lowest."""
    return min(math.log(errors[k] / errors[k + 1]) / math.log(sizes[k + 1] / sizes[k]) for k in range(len(sizes) - 1))


def plate(axis, low, high, count, **conductor):
    """Across an axis, through the whole domain along the others."""
    low, high = ([end if k == axis else far for k in range(count)] for end, far in ((low, -1000), (high, 1000)))
    return {"box": {"from": low, "to": high}, "conductor": conductor}


class Slab(weir_case.CaseTest):
    def case(self, lattice, axis, n, scalar, solids, steps, ends=(0, 0), **more):
        count = dimensions(lattice)
        return {
            "lattice": lattice, "precision": "double",
            "domain": {"cells": [n if k == axis else 2 for k in range(count)], "periodic": [k != axis for k in range(count)]},
            "fluid": {"tau": 0.8}, "scalar": scalar, "solids": solids,
            "boundaries": {"xyz"[axis] + name: {"type": "wall", "scalar": value} for name, value in zip("-+", ends)},
            "run": {"steps": steps}, "output": [{"type": "fields", "fields": ["scalar"]}, {"type": "series", "every": steps}], **more,
        }

    def line(self, run, axis):
        field = numpy.moveaxis(run.fields()["scalar"], 2 - axis, 0)
        field = field.reshape(field.shape[0], -1)
        self.assertLess(numpy.ptp(field, axis=1).max(), 1e-12)
        return field[:, 0]

    def test_lines(self):
        """In steady state resistances add up, H / K each: lines, exact, with the right step of their slope at the surfaces, whatever
        the heat capacities; and as much comes in as goes out."""
        for lattice, axis, (first, second) in itertools.product(
                ("D2Q9", "D3Q19"), (0, 1), (((0.2, 1), (0.01, 1)), ((0.05, 3), (0.2, 0.8)))):
            with self.subTest(lattice=lattice, axis=axis):
                count, diffusivity = dimensions(lattice), 0.05
                solids = [plate(axis, 0, 3, count, diffusivity=first[0], heat_capacity=first[1]),
                          plate(axis, 9, 12, count, diffusivity=second[0], heat_capacity=second[1])]
                run = self.compute(self.case(lattice, axis, 12, {"diffusivity": diffusivity}, solids, 60000, (1, -0.5)))
                conductivity = numpy.repeat([first[0] * first[1], diffusivity, second[0] * second[1]], [3, 6, 3])
                flux = 1.5 / (1 / conductivity).sum()
                places = numpy.cumsum(1 / conductivity) - 0.5 / conductivity
                self.assertLess(numpy.abs(self.line(run, axis) - (1 - flux * places)).max(), 1e-10)
                for end, sign in (("-", 1), ("+", -1)):
                    came = run.series()[f"scalar_flow({'xyz'[axis]}{end})"][-1] / 2 ** (count - 1)
                    self.assertLess(abs(came / (sign * flux) - 1), 1e-9)

    def test_flux(self):
        """What each side of a named plate gives the fluid is what the walls take: (1 / sum of resistances), exact; and all of a plate that
        touches a wall gives what comes in there."""
        for lattice, axis in itertools.product(("D2Q9", "D3Q19"), (0, 1)):
            with self.subTest(lattice=lattice, axis=axis):
                count, diffusivity, area = dimensions(lattice), 0.05, 2 ** (dimensions(lattice) - 1)
                solids = [{**plate(axis, 0, 3, count, diffusivity=0.2, heat_capacity=2), "name": "warm"},
                          {**plate(axis, 5, 7, count, diffusivity=0.03), "name": "low-half"}, {**plate(axis, 7, 9, count, diffusivity=0.3), "name": "high-half"}]
                run = self.compute(self.case(lattice, axis, 12, {"diffusivity": diffusivity}, solids, 60000, (1, -0.5)))
                conductivity = numpy.repeat([0.4, diffusivity, 0.03, 0.3, diffusivity], [3, 2, 2, 2, 3])
                flux, series = 1.5 / (1 / conductivity).sum() * area, run.series()
                for name, sign in (("warm", 1), ("low-half", -1), ("high-half", 1)):
                    self.assertLess(abs(series[f"scalar_flow({name})"][-1] / flux - sign), 1e-9, name)

    def mode(self, diffusivity, conductivity, capacity, fluid):
        """m, k, q of the slowest mode where H is 1, by halving."""
        def beyond(m):
            k, q = math.sqrt(m / diffusivity), math.sqrt(m * capacity / conductivity)
            return diffusivity * k * math.cos(k * fluid) * math.sin(q * (1 - fluid)) + \
                conductivity * q * math.cos(q * (1 - fluid)) * math.sin(k * fluid)
        step = 1e-3 * min(diffusivity, conductivity / capacity)
        low = step
        while beyond(low) * beyond(low + step) > 0:
            low += step
        high = low + step
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if beyond(low) * beyond(middle) > 0 else (low, middle)
        return low, math.sqrt(low / diffusivity), math.sqrt(low * capacity / conductivity)

    def fall(self, lattice, axis, n, conductivity, capacity):
        """After the time in which the slowest mode falls to 1 / e: the error, by its greatest value then."""
        diffusivity, fluid = 0.04, 0.4
        m, k, q = self.mode(diffusivity, conductivity, capacity, fluid)
        letter, steps = "xyz"[axis], round(n**2 / m)
        formula = f"{letter} < {fluid * n} ? sin({k / n} * {letter}) / {math.sin(k * fluid)} : " \
                  f"sin({q / n} * ({n} - {letter})) / {math.sin(q * (1 - fluid))}"
        solid = plate(axis, fluid * n, n, dimensions(lattice), diffusivity=conductivity / capacity, heat_capacity=capacity)
        run = self.compute(self.case(lattice, axis, n, {"diffusivity": diffusivity}, [solid], steps, initial={"scalar": formula}))
        y = (numpy.arange(n) + 0.5) / n
        mode = numpy.where(y < fluid, numpy.sin(k * y) / math.sin(k * fluid), numpy.sin(q * (1 - y)) / math.sin(q * (1 - fluid)))
        expected = mode * math.exp(-m * steps / n**2)
        return numpy.abs(self.line(run, axis) - expected).max() / expected.max()

    def test_falling(self):
        """In time, with conductors better and worse than the fluid, and with other heat capacities."""
        for (lattice, axis), (conductivity, capacity) in zip((("D2Q9", 1), ("D2Q9", 0), ("D3Q19", 2), ("D3Q19", 0)),
                                                            ((0.2, 1), (0.06, 3), (0.01, 1), (0.3, 2))):
            with self.subTest(lattice=lattice, conductivity=conductivity, capacity=capacity):
                sizes = (10, 20, 40)
                errors = [self.fall(lattice, axis, n, conductivity, capacity) for n in sizes]
                self.assertGreater(order(sizes, errors), ORDER, errors)
                self.assertLess(errors[-1], 2e-3, errors)

    def heated(self, n):
        """A source in the solid alone, q = 2 K / b^2 with b = H - a, in a slab that the fluid beside it cools: a parabola and a line."""
        diffusivity, conductivity, a, b = 0.05, 0.15, 0.4 * n, 0.6 * n
        source = 2 * conductivity / b**2
        run = self.compute(self.case("D2Q9", 1, n, {"diffusivity": diffusivity, "source": f"y > {a} ? {source} : 0"},
                                     [plate(1, a, n, 2, diffusivity=conductivity / 2, heat_capacity=2)], round(20 * n**2 / diffusivity),
                                     boundaries={"y-": {"type": "wall", "scalar": 0}, "y+": {"type": "wall"}}))
        y = numpy.arange(n) + 0.5
        line = source * b / diffusivity * y
        parabola = source * b * a / diffusivity + source / conductivity * (b * (y - a) - (y - a) ** 2 / 2)
        expected = numpy.where(y < a, line, parabola)
        self.assertLess(abs(run.series()["scalar_flow(y-)"][-1] / (-2 * source * b) - 1), 1e-9)
        return numpy.abs(self.line(run, 1) - expected).max() / expected.max()

    def test_heated(self):
        errors = [self.heated(n) for n in (10, 20, 30)]
        self.assertGreater(order((10, 20, 30), errors), ORDER, errors)
        self.assertLess(errors[-1], 1e-3, errors)


class Channel(weir_case.CaseTest):
    """A flow between a wall that lets nothing through and a plate that conducts, as thick as half of the channel is wide."""
    PECLET, DIFFUSIVITY, CONDUCTIVITY, CAPACITY, LENGTH = 6, 0.05, 0.2, 1.5, 12

    def slowest(self, cells):
        """lambda h^2 / D by finite volumes, h the width of the channel, cells across channel and plate a multiple of 3."""
        fluid = cells * 2 // 3
        width, k = 1.5 / cells, 2 * math.pi / self.LENGTH
        y = (numpy.arange(cells) + 0.5) * width
        inside = y < 1
        conductivity = numpy.where(inside, 1, self.CONDUCTIVITY / self.DIFFUSIVITY)
        between = 2 / (1 / conductivity[1:] + 1 / conductivity[:-1]) / width**2
        matrix = numpy.diag(between, 1) + numpy.diag(between, -1)
        matrix -= numpy.diag(matrix.sum(axis=1)) + numpy.diag(conductivity * k**2)
        matrix = matrix - 1j * k * self.PECLET * numpy.diag(numpy.where(inside, 6 * y * (1 - y), 0))
        assert inside.sum() == fluid
        values = numpy.linalg.eigvals(matrix / numpy.where(inside, 1, self.CAPACITY)[:, None])
        return max(values, key=lambda value: value.real)

    def exact(self):
        coarse, fine = self.slowest(120), self.slowest(240)
        return fine + (fine - coarse) / 3

    def rate(self, lattice, height):
        count, length, viscosity = dimensions(lattice), self.LENGTH * height, 0.1
        mean, unit = self.PECLET * self.DIFFUSIVITY / height, round(height**2 / self.DIFFUSIVITY)
        cells = [length, height * 3 // 2, 2][:count]
        run = self.compute({
            "lattice": lattice, "precision": "double", "domain": {"cells": cells, "periodic": [True, False, True][:count]},
            "fluid": {"viscosity": viscosity}, "force": along(0, 12 * viscosity * mean / height**2, count),
            "collision": {"operator": "trt", "magic": 0.1875}, "scalar": {"diffusivity": self.DIFFUSIVITY},
            "solids": [plate(1, height, 2 * height, count, diffusivity=self.CONDUCTIVITY / self.CAPACITY, heat_capacity=self.CAPACITY)],
            "initial": {"velocity": along(0, f"y < {height} ? {6 * mean} * y*({height} - y)/{height}^2 : 0", count),
                        "scalar": f"1 + cos(2*pi*x/{length})"},
            "blocks": {"cells": cells}, "run": {"steps": 4 * unit},
            "output": [{"type": "fields", "fields": ["scalar", "velocity"], "every": unit}],
        })
        wave = numpy.exp(-2j * math.pi * (numpy.arange(length) + 0.5) / length)
        fields = [run.fields_at("fields", step) for step in (3 * unit, 4 * unit)]
        early, late = ((field["scalar"] * wave).sum() for field in fields)
        self.assertEqual(numpy.abs(fields[1]["velocity"][..., height:, :, :]).max(), 0)  # [z][y][x][axis]
        return (math.log(abs(late / early)) + 1j * numpy.angle(late / early)) * height**2 / (self.DIFFUSIVITY * unit)

    def check(self, lattice, sizes, most):
        exact = self.exact()
        rates = [self.rate(lattice, height) for height in sizes]
        turns = [round((exact - rate).imag / (2 * math.pi)) for rate in rates]  # an angle does not tell
        errors = [abs(rate + 2j * math.pi * turn - exact) for rate, turn in zip(rates, turns)]
        self.assertGreater(order(sizes, errors), ORDER, (errors, exact))
        self.assertLess(errors[-1] / abs(exact), most, (errors, exact))

    def test_plane(self):
        self.check("D2Q9", [8, 12, 16], 1e-2)

    def test_space(self):
        self.check("D3Q19", [6, 8, 12], 2e-2)


class Flow(weir_case.CaseTest):
    def test_as_a_wall(self):
        """A steady flow round a conductor is that round a wall of the same shape, and stands still inside."""
        for lattice in ("D2Q9", "D3Q19"):
            with self.subTest(lattice=lattice):
                count, fields = dimensions(lattice), []
                solids = [{"sphere": {"center": [12, 9, 5][:count], "radius": 4}}]
                for more in ({}, {"conductor": {"diffusivity": 0.05, "heat_capacity": 1.5}}):
                    run = self.compute({
                        "lattice": lattice, "precision": "double", "domain": {"cells": [30, 18, 10][:count], "periodic": [True, False, True][:count]},
                        "fluid": {"tau": 0.9}, "scalar": {"diffusivity": 0.02}, "force": along(0, 1e-6, count),
                        "solids": [{**solids[0], **more}], "run": {"steps": 12000},
                        "output": [{"type": "fields", "fields": ["velocity", "density"]}],
                    })
                    fields.append(run.fields())
                scale = numpy.abs(fields[0]["velocity"]).max()
                self.assertTrue((fields[0]["solid"] == fields[1]["solid"]).all())
                self.assertLess(numpy.abs(fields[1]["velocity"] - fields[0]["velocity"]).max() / scale, 1e-7)

    def steady(self, lattice, steps, solids, **more):
        """A flow by a body force round solids between plates."""
        count = dimensions(lattice)
        return self.compute({
            "lattice": lattice, "precision": "double", "domain": {"cells": [30, 18, 10][:count], "periodic": [True, False, True][:count]},
            "fluid": {"tau": 0.9}, "scalar": {"diffusivity": 0.02}, "force": along(0, 1e-6, count), "boundaries": {end: {"type": "wall", "scalar": 0} for end in ("y-", "y+")},
            "solids": solids, "run": {"steps": steps}, "output": [{"type": "fields", "fields": ["density"]}, {"type": "series", "every": steps, "faces": True}], **more,
        })

    def test_force(self):
        """On a conductor that of a wall of its shape, and with those on the plates the whole body force; also of two solids of one name,
        and of one among others without."""
        for lattice in ("D2Q9", "D3Q19"):
            with self.subTest(lattice=lattice):
                count, forces = dimensions(lattice), []
                ball, box = {"sphere": {"center": [12, 8, 5][:count], "radius": 4}, "name": "body"}, {"box": {"from": [20, 5, 2][:count], "to": [24, 9, 8][:count]}, "name": "body"}
                for more in ({}, {"conductor": {"diffusivity": 0.05, "heat_capacity": 1.5}}):
                    run = self.steady(lattice, 25000, [{**ball, **more}, {**box, **more}])
                    series = run.series()
                    forces.append([series[f"force_{axis}(body)"][-1] for axis in "xyz"])
                    whole = 1e-6 * (run.fields()["solid"] == 0).sum()
                    got = sum(series[f"force_x({name})"][-1] for name in ("body", "y-", "y+"))
                    self.assertLess(abs(got / whole - 1), 1e-11)
                self.assertGreater(abs(forces[0][1]), 1e-3 * forces[0][0])  # it is not in the middle
                self.assertLess(numpy.abs(numpy.subtract(*forces)).max() / forces[0][0], 1e-11)
                alone = self.steady(lattice, 25000, [{**ball, "conductor": {"diffusivity": 0.2}}, {"box": box["box"], "conductor": {"diffusivity": 0.2}}]).series()
                self.assertLess(alone["force_x(body)"][-1], 0.9 * forces[0][0])
                self.assertNotIn("force_x(solids)", alone)

    def test_heated(self):
        """In the end a cylinder gives what is set free in it, and that leaves through the plates, or with the fluid; and Nusselt numbers
        are by that."""
        for lattice in ("D2Q9", "D3Q19"):
            with self.subTest(lattice=lattice):
                count = dimensions(lattice)
                cylinder = {"cylinder": {"center": [12, 9, 5][:count], "axis": "z", "radius": 4}, "name": "rod", "conductor": {"diffusivity": 0.2, "heat_capacity": 2}}
                heated = {"diffusivity": 0.05, "source": "(x - 12)^2 + (y - 9)^2 <= 16 ? 1e-4 : 0"}
                output = [{"type": "fields", "fields": ["density"]}, {"type": "series", "every": 10000, "statistics": 0, "nusselt": {"length": 8, "difference": 0.1, "area": 25}}]
                ways = {"plates": {}, "outlet": {"domain": {"cells": [30, 18, 10][:count], "periodic": [False, False, True][:count]}, "force": [0] * count, "boundaries": {
                    "x-": {"type": "velocity", "velocity": along(0, "0.06 * 4*y*(ny - y)/ny^2", count), "scalar": 0}, "x+": {"type": "pressure", "density": 1}}}}
                for way, more in ways.items():
                    run = self.steady(lattice, 40000 if way == "plates" else 10000, [cylinder], **{"scalar": heated, "output": output, **more})
                    series, free = run.series(), 1e-4 * (run.fields()["solid"] != 0).sum()
                    self.assertLess(abs(series["scalar_flow(rod)"][-1] / free - 1), 1e-9, way)
                    ends = ("y-", "y+") if way == "plates" else ("x-", "x+")
                    self.assertLess(abs(sum(series[f"scalar_flow({end})"][-1] for end in ends) / free + 1), 1e-9, way)
                    self.assertLess(abs(series["nusselt(rod)"][-1] / (free * 8 / (0.05 * 0.1 * 25)) - 1), 1e-9, way)
                    self.assertTrue({"scalar_flow(rod)", "nusselt(rod)", "force_x(rod)"} <= run.summary["statistics"]["series"]["columns"].keys())

    def test_content(self):
        """While it cools, what it gives in a step is what it has less."""
        for lattice in ("D2Q9", "D3Q19"):
            count, capacity = dimensions(lattice), 1.7
            run = self.steady(lattice, 12, [{"sphere": {"center": [12, 9, 5][:count], "radius": 4}, "name": "ball", "conductor": {"diffusivity": 0.05, "heat_capacity": capacity}}],
                              initial={"scalar": "x < 15 ? 1 : 0.2", "velocity": along(0, 0.05, count)},
                              output=[{"type": "fields", "fields": ["scalar"], "every": 1}, {"type": "series", "every": 1}])
            fields = [run.fields_at("fields", step) for step in range(1, 13)]
            content = numpy.array([capacity * field["scalar"][field["solid"] != 0].sum() for field in fields])
            gave = dict(zip(run.series()["step"], run.series()["scalar_flow(ball)"]))
            self.assertGreater(gave[6], 1e-3)
            self.assertLess(numpy.abs(content[1:] - content[:-1] + [gave[step] for step in range(2, 13)]).max(), 1e-12)

    def test_conservation(self):
        """All of the scalar stays, in fluid and solids together, that of conductors by their heat capacity; and all mass."""
        for lattice in ("D2Q9", "D3Q19"):
            count = dimensions(lattice)
            run = self.compute({
                "lattice": lattice, "precision": "double", "domain": {"cells": [24, 20, 8][:count]}, "fluid": {"tau": 0.6},
                "scalar": {"diffusivity": 0.01, "buoyancy": {"expansion": 0.01, "gravity": along(1, -0.001, count)}},
                "initial": {"scalar": "x < 9 ? 1 : 0"},
                "solids": [{"sphere": {"center": [9, 9, 4][:count], "radius": 4}, "conductor": {"diffusivity": 0.05, "heat_capacity": 3}},
                           {"box": {"from": [16, 0, 0][:count], "to": [20, 12, 8][:count]}, "conductor": {"diffusivity": 0.2}}],
                "run": {"steps": 3000}, "output": [{"type": "series", "every": 100}],
            })
            series = run.series()
            self.assertLess(numpy.ptp(series["scalar"]) / series["scalar"][0], 1e-12)
            self.assertLess(numpy.ptp(series["mass"]) / series["mass"][0], 1e-12)
            self.assertGreater(series["max_speed"][-1], 1e-5)  # it flows


class Everywhere(weir_case.CaseTest):
    def case(self, lattice, precision, source):
        count = dimensions(lattice)
        return {
            "lattice": lattice, "precision": precision, "domain": {"cells": [40, 18, 10][:count]}, "fluid": {"tau": 0.6},
            "scalar": {"diffusivity": 0.01, **({"source": "x < 20 ? 1e-3 : -1e-3 * y/ny"} if source else {})},
            "boundaries": {"x-": {"type": "velocity", "velocity": along(0, 0.03, count), "scalar": 1},
                           "x+": {"type": "pressure", "density": 1}, "y-": {"type": "wall", "scalar": 0.5},
                           "y+": {"type": "wall", "scalar_flux": 0.001}},
            "initial": {"scalar": "0.3 * sin(x) * cos(y)"},
            "solids": [{"sphere": {"center": [17, 9, 5][:count], "radius": 3}, "conductor": {"diffusivity": 0.1, "heat_capacity": 2}},
                       {"box": {"from": [25, 6, 2][:count], "to": [30, 12, 8][:count]}},
                       {"box": {"from": [27, 8, 3][:count], "to": [33, 16, 6][:count]}, "conductor": {"diffusivity": 0.02}},
                       plate(1, 0, 2, count, diffusivity=0.05)], "run": {"steps": 31},
        }

    def test_same_bits(self):
        """However the domain is cut, however blocks keep their cells, and whoever computes; with sources and without; also where a
        conductor lies along openings."""
        for (lattice, precision), source in zip(itertools.product(("D2Q9", "D3Q19"), ("single", "double")), (False, True, True, False)):
            count, digests = dimensions(lattice), []
            for cut, lists, ranks in (([40, 18, 10], 0, 1), ([7, 5, 4], 0, 1), ([7, 5, 4], 1, 1), ([13, 6, 10], 0, 2)):
                run = self.compute({**self.case(lattice, precision, source), "blocks": {"cells": cut[:count], "list_up_to": lists}},
                                   workers=2 if ranks == 1 else 1, ranks=ranks)
                digests.append(run.summary["digest"])
            self.assertEqual(len(set(digests)), 1, (lattice, precision, digests))

    def test_same_totals(self):
        """Forces on named conductors and what they give, to the last bit, however the domain is cut and whoever computes; with a mirror that
        they touch."""
        for lattice, precision in (("D2Q9", "double"), ("D3Q19", "single")):
            count, seen = dimensions(lattice), []
            case = self.case(lattice, precision, True)
            case["boundaries"]["y+"] = {"type": "slip"}
            case["solids"] += [plate(1, 16, 18, count, diffusivity=0.03)]
            for solid, name in ((0, "ball"), (2, "box"), (4, "cover")):
                case["solids"][solid] = {**case["solids"][solid], "name": name}
            case["solids"][4]["box"].update({"from": [8, 14, 0][:count], "to": [14, 18, 6][:count]})
            for cut, lists, ranks in (([40, 18, 10], 0, 1), ([7, 5, 4], 0, 1), ([7, 5, 4], 1, 1), ([13, 6, 10], 0, 2)):
                run = self.compute({**case, "blocks": {"cells": cut[:count], "list_up_to": lists}, "output": [{"type": "series", "every": 5}]},
                                   workers=2 if ranks == 1 else 1, ranks=ranks)
                seen.append(run.bytes_of("series.csv"))
                for name in ("ball", "box", "cover"):
                    self.assertTrue(run.series()[f"force_x({name})"][-1] != 0 and (run.series()[f"scalar_flow({name})"] != 0).all())
            self.assertEqual(len(set(seen)), 1, (lattice, precision))

    def test_going_on(self):
        """From a checkpoint: the same bits; and not with other conductors, which are kept with the cells."""
        case = {**self.case("D2Q9", "double", True), "blocks": {"cells": [7, 5]}, "checkpoint": {"every": 13}}
        whole = self.compute(case)
        checkpoint = os.path.join(whole.folder, "checkpoint_000000013.h5")
        again = self.compute({**case, "blocks": {"cells": [20, 4]}}, "--resume", checkpoint)
        self.assertEqual(again.summary["digest"], whole.summary["digest"])
        for change in ("solids[0].conductor.diffusivity=0.2", "solids[2].box.to=[34, 16]", "scalar.magic=0.2"):
            told = self.compute(case, "--resume", checkpoint, "--set", change, code=2).error
            self.assertIn("solids that conduct", told)

    def test_seen(self):
        """Fields, profiles and probes see the scalar in conductors, and nothing that flows."""
        case = self.case("D2Q9", "double", False)
        run = self.compute({**case, "output": [
            {"type": "fields", "fields": ["scalar", "velocity", "cell_type"]},
            {"type": "profile", "fields": ["scalar", "velocity"], "from": [17.5, 0], "to": [17.5, 18]},
            {"type": "probes", "fields": ["scalar", "velocity"], "points": [[17.5, 9.5], [8, 9]], "every": 31}]})
        fields = run.fields()
        inside = (slice(0, 1), slice(7, 11), slice(16, 18))
        self.assertTrue((fields["scalar"][inside] != 0).all() and (fields["solid"][inside] == 1).all())
        self.assertTrue((fields["velocity"][inside] == 0).all())
        self.assertEqual(sorted(numpy.unique(fields["cell_type"]).tolist()), [0, 1, 2, 3, 4])


if __name__ == "__main__":
    weir_case.main()
