#!/usr/bin/env python3
"""Wall shear stress on surfaces (outputs of type "surface"): of Poiseuille's flow through tubes that are given as meshes, formulas and voxels, between plates, and
between cylinders that turn; files that VTK reads.

Usage: wall_surface.py WEIR [Orders]
"""
import math
import os
import re
import struct
import subprocess
import sys
import unittest

import numpy

import weir_case
from weir_case import viscosity

TAU, FORCE = 0.9, 1e-6
VTK = "/usr/bin/python3"  # which Debian's python3-vtk9 is for


class Surface:
    """What a .vtp file holds: points, triangles (numbers of points), and arrays of the triangles."""

    def __init__(self, data):
        text, _, raw = data.partition(b'<AppendedData encoding="raw">\n_')
        self.arrays = {}
        for kind, name, components, offset in re.findall(r'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"', text.decode()):
            (count,), begin = struct.unpack_from("<Q", raw, int(offset)), int(offset) + 8
            values = numpy.frombuffer(raw[begin:begin + count], dtype=kind.lower())
            self.arrays[name] = values.reshape(-1, int(components)) if int(components) > 1 else values
        self.points = self.arrays.pop("Points").astype(float)
        self.triangles = self.arrays.pop("connectivity").reshape(-1, 3)
        self.time = float(re.search(r'Name="TimeValue"[^>]*>([^<]*)<', text.decode())[1])
        corners = self.points[self.triangles]
        cross = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        double = numpy.linalg.norm(cross, axis=1)
        self.area, self.normal, self.middle = double / 2, cross / double[:, None], corners.mean(axis=1)

    def mean(self, values):
        return (self.area * values).sum() / self.area.sum()


def tube_mesh(path, radius, center, low, high, around=48, along=10):
    """A closed round tube along z as a binary STL, whose area across is that of the circle."""
    radius = radius * math.sqrt(2 * math.pi / around / math.sin(2 * math.pi / around))
    angle = 2 * numpy.pi * numpy.arange(around + 1) / around
    ring = lambda z: numpy.stack([center[0] + radius * numpy.cos(angle), center[1] + radius * numpy.sin(angle), numpy.full(around + 1, z)], axis=-1)
    triangles, heights = [], numpy.linspace(low, high, along + 1)
    for k in range(along):
        one, other = ring(heights[k]), ring(heights[k + 1])
        for i in range(around):
            j = (i + 1) % around
            triangles += [(one[i], one[j], other[j]), (one[i], other[j], other[i])]
    for z, turn in ((low, -1), (high, 1)):
        end, middle = ring(z), [*center, z]
        triangles += [(middle, end[i], end[(i + 1) % around])[::turn] for i in range(around)]
    facets = numpy.zeros(len(triangles), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    facets["corners"] = triangles
    with open(path, "wb") as file:
        file.write(bytes(80) + struct.pack("<I", len(facets)) + facets.tobytes())


class Tubes(weir_case.CaseTest):
    in_memory = True
    length = 6

    def tube(self, kind, radius, center, wall, ranks=1, **more):
        """The run, and its surface, of a tube along z: what fluid does to the wall is half of force times radius."""
        n, folder = math.ceil(2 * radius) + 5, self.folder()
        box = {"box": {"from": [0, 0, 0], "to": [n, n, self.length]}, "type": wall, "name": "tissue"}
        inside = f"(x - {center[0]!r})^2 + (y - {center[1]!r})^2"
        if kind == "mesh":
            tube_mesh(os.path.join(folder, "tube.stl"), radius, center, -2, self.length + 2)
            solids = [box, {"mesh": {"file": os.path.join(folder, "tube.stl")}, "type": "fluid"}]
        elif kind == "voxels":
            y, x = numpy.mgrid[0:n, 0:n] + 0.5
            solid = (x - center[0]) ** 2 + (y - center[1]) ** 2 > radius**2
            numpy.save(os.path.join(folder, "tube.npy"), numpy.repeat(solid[None], self.length, axis=0).astype("uint8"))
            solids = [{"volume": {"file": os.path.join(folder, "tube.npy"), "solid": [1]}, "type": wall, "name": "tissue"}]
        else:
            solids = [{"formula": f"{inside} > {radius**2!r}", "type": wall, "name": "tissue"}]
        run = self.compute({
            "name": "tube", "lattice": "D3Q19", "precision": "double", "domain": {"cells": [n, n, self.length], "periodic": [True] * 3},
            "fluid": {"tau": TAU}, "force": [0, 0, FORCE], "solids": solids, "run": {"steps": math.ceil(2.5 * radius**2 / viscosity(TAU))},
            "output": [{"type": "surface", "bodies": ["tissue"]}], **more}, ranks=ranks)
        return run, Surface(run.bytes_of(run.files(".vtp")[-1]))

    def errors(self, kind, radius, center, wall):
        """Of the mean, and in the root of the mean square; the area over that of the tube."""
        _, surface = self.tube(kind, radius, center, wall)
        known = FORCE * radius / 2
        self.assertLess(abs(numpy.einsum("ij,ij->i", surface.arrays["wall_shear_stress"], surface.normal)).max(), 1e-9 * known)
        ratio = surface.arrays["wall_shear_stress"][:, 2] / known
        return (surface.mean(ratio) - 1, math.sqrt(surface.mean((ratio - 1) ** 2)), surface.area.sum() / (2 * math.pi * radius * self.length) - 1,
                surface.mean(surface.arrays["pressure"]) - 1 / 3)

    def test_tubes(self):
        for kind, wall, mean, spread, area in (("mesh", "interpolated_wall", 0.005, 0.01, 0.002), ("formula", "interpolated_wall", 0.01, 0.012, 0.005),
                                               ("mesh", "wall", 0.03, 0.1, 0.002), ("voxels", "wall", 0.07, 0.13, 0.03)):
            center = [8.63, 8.41]
            found = self.errors(kind, 6.3, center, wall)
            print(f"{kind}, {wall}, radius 6.3: mean {found[0]:+.4f}, rms {found[1]:.4f}, area {found[2]:+.4f}")
            self.assertLess(abs(found[0]), mean)
            self.assertLess(found[1], spread)
            self.assertLess(abs(found[2]), area)
            self.assertLess(abs(found[3]), 1e-6)

    def test_same_bytes(self):
        """However the domain is cut, on one rank or two; and the list of the steps."""
        files = []
        for blocks, ranks in (([64] * 3, 1), ([7, 5, 3], 1), ([7, 9, 6], 2)):
            run, _ = self.tube("mesh", 4.3, [7.2, 6.9], "interpolated_wall", blocks={"cells": blocks, "list_up_to": 1 if ranks == 1 else 0}, ranks=ranks,
                               output=[{"type": "surface", "bodies": ["tissue"], "every": 100}], run={"steps": 250})
            self.assertEqual(run.files(".vtp"), [f"surface_{step:09d}.vtp" for step in (100, 200, 250)])
            self.assertEqual(re.findall(r'timestep="(\d+)" part="0" file="([^"]*)"', run.bytes_of("surface.pvd").decode()),
                             [(str(int(name[8:17])), name) for name in run.files(".vtp")])
            files.append([run.bytes_of(name) for name in run.files(".vtp")])
        self.assertEqual(files[0], files[1])
        self.assertEqual(files[0], files[2])

    def test_shared_surface(self):
        """A surface that ranks share out: a mesh of few large triangles, balls that pass the seams, a floor; bytes are those of one process, whoever has which blocks."""
        path = os.path.join(self.folder(), "wedge.stl")
        corners = [(20.3, 21.2, 18.7), (60.1, 24.4, 22.3), (30.2, 70.8, 25.1), (35.5, 40.2, 63.9)]
        facets = numpy.zeros(4, dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
        facets["corners"] = [[corners[k] for k in numbers] for numbers in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))]
        with open(path, "wb") as file:
            file.write(bytes(80) + struct.pack("<I", len(facets)) + facets.tobytes())
        files = []
        for ranks, cells in ((1, [80] * 3), (2, [20, 80, 23]), (3, [17, 29, 41])):
            run = self.compute({"domain": {"cells": [80, 76, 70], "periodic": [True, True, False]}, "fluid": {"tau": 0.8}, "force": [1e-5, 4e-6, 0],
                                "initial": {"velocity": ["0.01 * sin(2 * pi * z / nz)", "0.004 * cos(2 * pi * x / nx)", "0.002 * sin(2 * pi * x / nx)"]},
                                "blocks": {"cells": cells}, "run": {"steps": 2},
                                "solids": [{"mesh": {"file": path}, "name": "wedge"}, {"box": {"from": [0, 0, 0], "to": [80, 76, 3]}, "name": "floor"},
                                           {"sphere": {"center": [76.4, 70.2, 40.3], "radius": 11.3}, "type": "interpolated_wall", "name": "ball"}],
                                "output": [{"type": "surface", "name": "walls", "every": 1}]}, ranks=ranks)
            self.assertEqual(run.files(".vtp"), ["walls_000000001.vtp", "walls_000000002.vtp"])
            files.append([run.bytes_of(name) for name in run.files(".vtp")])
        surface = Surface(files[0][1])
        self.assertEqual(set(surface.arrays["body"]), {1, 2, 3})
        self.assertGreater(numpy.count_nonzero(surface.arrays["wall_shear_stress_magnitude"]), 0.99 * len(surface.triangles))
        self.assertEqual(files[0], files[1])
        self.assertEqual(files[0], files[2])

    def test_vtk_reads_it(self):
        if subprocess.run([VTK, "-c", "import vtkmodules.vtkIOXML"], capture_output=True).returncode != 0:
            self.skipTest("there is no python3-vtk9")
        run, surface = self.tube("formula", 4.3, [7.2, 6.9], "interpolated_wall", run={"steps": 20}, precision="single")
        script = """if True:
            import sys
            import vtkmodules.vtkIOXML as io
            reader = io.vtkXMLPolyDataReader()
            reader.SetFileName(sys.argv[1])
            reader.Update()
            data = reader.GetOutput()
            arrays = data.GetCellData()
            print(data.GetNumberOfPoints(), data.GetNumberOfCells(), arrays.GetNumberOfArrays(),
                  [arrays.GetArray("wall_shear_stress").GetRange(k)[1] for k in range(3)], arrays.GetArray("body").GetRange(), data.GetPoint(1), data.GetCell(2).GetPointId(1))
        """
        done = subprocess.run([VTK, "-c", script, os.path.join(run.folder, run.files(".vtp")[-1])], capture_output=True, text=True)
        highest = [float(value) for value in surface.arrays["wall_shear_stress"].max(axis=0)]
        self.assertEqual(done.stdout.strip(), f"{len(surface.points)} {len(surface.triangles)} 4 {highest} (1.0, 1.0) {tuple(surface.points[1])} "
                                              f"{surface.triangles[2, 1]}", done.stderr)


class Orders(Tubes):
    test_tubes = test_same_bytes = test_vtk_reads_it = None

    def test_order(self):
        """With interpolated walls, in the root of the mean square, over two places of the axis."""
        for kind in "mesh", "formula":
            radii, found = (6.3, 9.45), []
            for radius in radii:
                errors = [self.errors(kind, radius, [radius + 2.2 + x, radius + 2.2 + y], "interpolated_wall")[1] for x, y in ((0.13, 0.41), (0.37, -0.22))]
                found.append(numpy.mean(errors))
            order = -numpy.polyfit(numpy.log(radii), numpy.log(found), 1)[0]
            print(f"{kind}, radii {radii}: rms {found}, order {order:.2f}")
            self.assertGreater(order, 1.3)


class Others(weir_case.CaseTest):
    in_memory = True

    def test_plates(self):
        """A parabola between boxes is exact, in pascals; a triangle on each of the cells' halves."""
        size, time, density = 0.01, 0.002, 1000
        cells, acceleration, kinematic = [5, 10, 4], 1e-5 * size / time**2, viscosity(TAU) * size**2 / time
        gap = 8 * size
        run = self.compute({
            "name": "plates", "lattice": "D3Q19", "precision": "double", "units": "si", "si": {"cell_size": size, "time_step": time, "density": density},
            "domain": {"cells": cells, "periodic": [True] * 3}, "collision": {"operator": "trt", "magic": 3 / 16}, "fluid": {"viscosity": kinematic},
            "force": [density * acceleration, 0, 0], "initial": {"velocity": [f"{acceleration / 2 / kinematic!r} * max(0, (y - {size}) * ({9 * size} - y))", 0, 0]},
            "solids": [{"box": {"from": [0, 0, 0], "to": [5 * size, size, 4 * size]}, "name": "low"}, {"box": {"from": [0, 9 * size, 0], "to": [5 * size, 10 * size, 4 * size]}, "name": "high"}],
            "run": {"steps": 3000}, "output": [{"type": "surface", "name": "both"}, {"type": "surface", "name": "low", "bodies": ["low"]}, {"type": "series"}]})
        both, low = (Surface(run.bytes_of(f"{name}_000003000.vtp")) for name in ("both", "low"))
        known = density * acceleration * gap / 2
        for surface, bodies in (both, 2), (low, 1):
            self.assertEqual(len(surface.triangles), 2 * 20 * bodies)
            self.assertEqual(len(surface.points), 30 * bodies)
            self.assertLess(abs(surface.arrays["wall_shear_stress"] - [known, 0, 0]).max(), 2e-5 * known)
            self.assertLess(abs(surface.arrays["wall_shear_stress_magnitude"] - known).max(), 2e-5 * known)
            self.assertEqual(set(surface.arrays["body"]), set(range(1, bodies + 1)))
            self.assertAlmostEqual(surface.area.sum(), 20 * size**2 * bodies, 9)
        self.assertAlmostEqual(both.time, 6, 9)
        at = both.middle[:, 1]
        self.assertLess(abs(at - numpy.where(both.arrays["body"] == 1, size, 9 * size)).max(), 1e-9)
        self.assertTrue((numpy.sign(both.normal[:, 1]) == numpy.where(both.arrays["body"] == 1, 1, -1)).all())
        self.assertAlmostEqual(run.series()["force_x(low)"][-1], known * 20 * size**2, delta=1e-6 * known * 20 * size**2)

    def test_cylinders(self):
        """Of which the inner one turns: the stress that derived.py has, at both; a flow whose third derivative is large beside so small radii."""
        width, rate = 32, 0.06 / 32
        center, inner, outer = 1 + width / 2 + 0.13, 0.2 * width, 0.45 * width
        run = self.compute({
            "name": "cylinders", "lattice": "D3Q19", "precision": "double", "domain": {"cells": [width + 2] * 2 + [3], "periodic": [True] * 3}, "fluid": {"tau": TAU},
            "solids": [{"cylinder": {"center": [center, center, 0], "radius": inner, "axis": "z"}, "type": "interpolated_wall", "name": "inner", "rotation": {"rate": rate, "axis": "z"}},
                       {"formula": f"(x - {center})^2 + (y - {center})^2 > {outer**2!r}", "type": "interpolated_wall", "name": "outer"}],
            "run": {"steps": 4 * width**2}, "output": [{"type": "surface"}]})
        surface = Surface(run.bytes_of(run.files(".vtp")[-1]))
        arm, stress = surface.middle[:, :2] - center, surface.arrays["wall_shear_stress"]
        around = (stress[:, 1] * arm[:, 0] - stress[:, 0] * arm[:, 1]) / numpy.linalg.norm(arm, axis=1)
        for body, wall, sign, most in ((1, inner, -1, 0.13), (2, outer, 1, 0.07)):
            known = sign * 2 * viscosity(TAU) * rate * inner**2 * outer**2 / (outer**2 - inner**2) / wall**2
            there = surface.arrays["body"] == body
            ratio = around[there] / known
            mean = (surface.area[there] * ratio).sum() / surface.area[there].sum()
            print(f"radius {wall}: mean {mean:.4f}, from {ratio.min():.3f} to {ratio.max():.3f}")
            self.assertLess(abs(mean - 1), most)
            self.assertLess(abs(ratio - mean).max(), 0.05)

    def test_nobody_there(self):
        run = self.compute({"domain": {"cells": [8] * 3}, "fluid": {"tau": 1}, "run": {"steps": 1}, "solids": [{"box": {"from": [0] * 3, "to": [3] * 3}, "name": "one"},
                            {"box": {"from": [0] * 3, "to": [8, 8, 4]}, "name": "other"}], "output": [{"type": "surface", "bodies": ["one"]}]}, code=2)
        self.assertIn("fluid touches none of these bodies", run.error)



if __name__ == "__main__":
    weir_case.main()
