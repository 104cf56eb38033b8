#!/usr/bin/env python3
"""Two components that repel each other: what is dissolved of the one in the other is what their chemical potentials say; the pressure in a
drop is higher by the surface tension over the radius (Laplace); walls are met at an angle that follows from what they attract
(numerics.md, N97); layers of both between plates flow as the equations of Stokes say; none of either is lost.

Usage: components.py WEIR
"""
import math

import numpy

import phases
import weir_case
from weir_case import dimensions

REPULSION = 3


def dissolved(repulsion, density=1):
    """Density of a component where there is mostly the other: ln rho_1 + G rho_2 is the same on both sides."""
    difference = numpy.linspace(1e-6, 1 - 1e-12, 2000001)
    excess = 2 * numpy.arctanh(difference) - repulsion * density * difference
    return density * (1 - difference[numpy.flatnonzero(excess < 0)[-1]]) / 2


def layer_of(distance, width=2, repulsion=REPULSION):
    """A formula: mostly the second component where `distance` is below 0."""
    little = dissolved(repulsion)
    return phases.step_of(little, 1 - little, distance, width)


class ComponentsTest(weir_case.CaseTest):
    def case(self, cells, periodic, second, steps, lattice="D2Q9", tau=1, components=None, **more):
        return {
            "lattice": lattice, "precision": "double", "domain": {"cells": cells, "periodic": periodic}, "fluid": {"tau": tau},
            "scalar": {"diffusivity": 0.125}, "phases": {"equation": "two_components", "repulsion": REPULSION, **(components or {})},
            "initial": {"scalar": second}, "run": {"steps": steps, "check_every": steps},
            "output": [{"type": "fields", "fields": ["density", "velocity", "pressure", "scalar"]}, {"type": "series", "every": steps}], **more}

    def state(self, *arguments, **more):
        """The fields at the end, without the axis z."""
        return {name: values[0] for name, values in self.compute(self.case(*arguments, **more)).fields().items()}


class Drops(ComponentsTest):
    def flat(self, repulsion=REPULSION):
        """Of a flat interface: what is dissolved in either component, and what the stress along it lacks of that across it."""
        state = self.state([100, 2], [True, True], layer_of("abs(x - 50) - 25"), 20000, components={"repulsion": repulsion})
        second = state["scalar"][0]
        first = state["density"][0] - second
        beside = [numpy.roll(values, 1) + numpy.roll(values, -1) for values in (first, second)]
        mixed, here = first * beside[1] + second * beside[0], 2 * first * second
        across = (first + second) / 3 + repulsion / 12 * mixed
        along = (first + second) / 3 + repulsion / 36 * (4 * here + mixed)
        self.assertLess(across.std(), 1e-3 * across.mean())
        return (second[0], first[50]), (first + second)[[0, 50]], (across - along).sum() / 2

    def test_dissolved(self):
        """Interfaces of few cells dissolve less; wider ones come near to equal potentials."""
        for repulsion, most in ((3, 0.1), (2.4, 0.03)):
            with self.subTest(repulsion=repulsion):
                found, density, _ = self.flat(repulsion)
                for little, both in zip(found, density):
                    wanted = dissolved(repulsion, both)
                    print(f"repulsion {repulsion}: {little:.5f} dissolved at density {both:.5f}, {wanted:.5f} by equal potentials ({little / wanted - 1:+.2%})")
                    self.assertLess(abs(little / wanted - 1), most)

    def laplace(self, radii, cells, steps):
        tension, found = self.flat()[2], []
        for radius in radii:
            state = self.state([cells, cells], [True, True], layer_of(f"sqrt((x - {cells / 2})^2 + (y - {cells / 2})^2) - {radius}"), steps)
            second, p, middle = state["scalar"], state["pressure"], cells // 2
            area = (second - second[0, 0]).sum() / (second[middle, middle] - second[0, 0])
            found.append((math.sqrt(area / math.pi), p[middle, middle] - p[0, 0], numpy.sqrt((state["velocity"]**2).sum(-1)).max()))
            print(f"drop of radius {found[-1][0]:.3f}: pressure +{found[-1][1]:.4e}, times radius {found[-1][0] * found[-1][1]:.5e}; "
                  f"spurious currents {found[-1][2]:.2e}")
        found = numpy.array(found)
        x, y = 1 / found[:, 0], found[:, 1]
        slope, rest = numpy.polyfit(x, y, 1)
        r_square = 1 - ((y - slope * x - rest)**2).sum() / ((y - y.mean())**2).sum()
        print(f"surface tension {slope:.5e} by Laplace's law (rest {rest:.1e}, R^2 {r_square:.6f}), {tension:.5e} of a flat interface")
        self.assertGreater(r_square, 0.999)
        self.assertLess(abs(slope / tension - 1), 0.05)

    def test_laplace(self):
        self.laplace((10, 12, 15), 50, 6000)


class DropsLong(Drops):
    test_laplace = test_dissolved = None

    def test_four_radii(self):
        self.laplace((15, 20, 25, 30), 100, 20000)


class OnWalls(Drops):
    """Drops of the second component on a wall with an adhesion k. By Young's equation, as for liquid and vapour but that the first component
    is pushed away as the second is pulled:  cos(angle) = 2 k (density of the second within - without) / (3 tension). That is of first order in
    k: with a weaker repulsion, where less of it is needed, also 45 and 135 degrees are met."""
    REPULSION = 2.5
    test_laplace = test_dissolved = None

    def angle(self, adhesion, radius, cells, steps):
        second = self.state(cells, [True, False], layer_of(f"sqrt((x - {cells[0] / 2})^2 + y^2) - {radius}", repulsion=self.REPULSION), steps,
                            components={"repulsion": self.REPULSION},
                            boundaries={"y-": {"type": "wall", "adhesion": adhesion}})["scalar"]
        return phases.angle_of(second, 0.5, radius / 6)

    def check(self, angles, radius, cells, steps):
        (little, _), _, tension = self.flat(self.REPULSION)
        for wanted in angles:
            with self.subTest(angle=wanted):
                adhesion = 1.5 * tension * math.cos(math.radians(wanted)) / (1 - 2 * little)
                found = self.angle(adhesion, radius, cells, steps)
                print(f"adhesion {adhesion:.6f}: contact angle {found:.2f}, {wanted} by Young's equation")
                self.assertLess(abs(found - wanted), 3)

    def test_angles(self):
        self.check((60, 120), 20, [100, 44], 6000)


class OnWallsLong(OnWalls):
    test_angles = None

    def test_all_angles(self):
        self.check((45, 60, 75, 90, 105, 120, 135), 30, [150, 64], 20000)


class Layers(ComponentsTest):
    """The second component between layers of the first, between plates, under a body force: the velocity is that of Stokes' equations with the
    viscosity of the mixture as it is there; and about that of two fluids with a sharp interface."""

    def flow(self, height, second_viscosity, steps, force, tau=1):
        first_viscosity = (tau - 0.5) / 3
        state = self.state([2, height], [True, False], layer_of(f"abs(y - {height / 2}) - {height / 4}"), steps, tau=tau, force=[force, 0],
                           components={"second_viscosity": second_viscosity})
        density, second, u = state["density"][:, 0], state["scalar"][:, 0], state["velocity"][:, 0, 0]
        little = dissolved(REPULSION)
        share = numpy.clip((second / density - little) / (1 - 2 * little), 0, 1)
        viscosity = density * (first_viscosity + share * (second_viscosity - first_viscosity))
        y = numpy.arange(height) + 0.5
        edges = numpy.concatenate([[viscosity[0]], (viscosity[1:] + viscosity[:-1]) / 2])
        slopes = force * (height / 2 - numpy.arange(height)) / edges
        smooth = numpy.cumsum(slopes) - slopes[0] / 2 - force / (8 * viscosity[0])
        quarter, a = height / 4, y - height / 2
        outer = force / (2 * first_viscosity) * (height**2 / 4 - a**2)
        inner = force / (2 * first_viscosity) * (height**2 / 4 - quarter**2) + force / (2 * second_viscosity) * (quarter**2 - a**2)
        sharp = numpy.where(abs(a) > quarter, outer, inner)
        off = numpy.abs(u - smooth).max() / u.max(), numpy.abs(u - sharp).max() / u.max()
        print(f"layers, {height} cells, viscosities {first_viscosity:.4f} and {second_viscosity}: {off[0]:.2%} from Stokes' equations "
              f"with the viscosities there, {off[1]:.1%} from a sharp interface")
        return off

    def test_layers(self):
        for second_viscosity in (0.05, 0.5):
            smooth, sharp = self.flow(48, second_viscosity, 40000, 1e-7)
            self.assertLess(smooth, 0.02)
            self.assertLess(sharp, 0.1)


class LayersLong(Layers):
    test_layers = None

    def test_fine(self):
        """A tenth of the viscosity; the share of the interface becomes less."""
        smooth, sharp = self.flow(128, 1 / 60, 600000, 1e-8)
        self.assertLess(smooth, 0.02)
        self.assertLess(sharp, 0.08)


class Everywhere(ComponentsTest):
    def test_same_bits(self):
        """However the domain is cut, whoever computes: beside walls, solids, with buoyancy and two viscosities; and none of either is lost."""
        for lattice, precision, collision in (("D2Q9", "double", "mrt"), ("D3Q19", "single", "trt")):
            count, digests = dimensions(lattice), []
            more = {
                "precision": precision, "collision": {"operator": collision},
                "scalar": {"diffusivity": 0.1, "buoyancy": {"expansion": 0.1, "gravity": [1e-5, -1e-4, 0][:count], "reference": 0.5}},
                "force": [1e-5, 2e-5, 0][:count],
                "boundaries": {"y-": {"type": "wall", "adhesion": 0.02}, "y+": {"type": "wall", "adhesion": -0.01}},
                "solids": [{"sphere": {"center": [30, 9, 5][:count], "radius": 3}, "adhesion": 0.01}],
            }
            for cut, ranks in (([40, 18, 12], 1), ([7, 5, 5], 1), ([13, 6, 12], 2)):
                case = self.case([40, 18, 12][:count], [True, False, False][:count], layer_of("sqrt((x-12)^2 + (y-7)^2 + 4) - 6"), 41,
                                 lattice=lattice, tau=0.9, components={"second_viscosity": 0.3}, blocks={"cells": cut[:count]}, **more)
                run = self.compute(case, workers=2 if ranks == 1 else 1, ranks=ranks)
                digests.append(run.summary["digest"])
                series = run.series()
                for name in ("mass", "scalar"):
                    self.assertLess(abs(series[name][-1] / series[name][0] - 1), 1e-12 if precision == "double" else 1e-5, name)
            self.assertEqual(len(set(digests)), 1, (lattice, precision, digests))


if __name__ == "__main__":
    weir_case.main()
