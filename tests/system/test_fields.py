#!/usr/bin/env python3
"""Writes a known flow with Weir's field output, and reads it back with h5py and, as ParaView does, with VTK.

Usage: test_fields.py WRITE_FIELDS. Exits with 77 (skipped) where h5py or VTK's XDMF reader is missing.
"""
import itertools
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

HERE = pathlib.Path(__file__).parent
REFERENCE_DENSITY = 1.25  # of solids, as in tests/unit/output_fixture.c


def known_flow(nx, ny, nz):
    """Density, velocity and solids of tests/unit/output_fixture.c, in lattice units."""
    z, y, x = np.meshgrid(np.arange(nz) + 0.5, np.arange(ny) + 0.5, np.arange(nx) + 0.5, indexing="ij")
    solid = np.sqrt((x - nx / 2) ** 2 + (y - ny / 2) ** 2 + (z - nz / 2) ** 2) <= 0.3 * ny
    density = np.where(solid, REFERENCE_DENSITY, 1 + 0.001 * x - 0.002 * y + 0.003 * z)
    velocity = np.stack([0.01 * i + 0.0001 * x + 0.0002 * i * y - 0.0003 * z for i in (1, 2, 3)], -1)
    velocity[solid] = 0
    return density, velocity, solid


def check_with_h5py(folder, precision, units, shape):
    si = units == "si"
    cell_size, step_time, density_scale = (0.002, 0.0005, 998.0) if si else (1, 1, 1)
    speed_scale = cell_size / step_time
    density, velocity, solid = known_flow(*reversed(shape))
    tolerance = 1e-6 if precision == "single" else 1e-13
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["fields.xmf", "fields_000000000.h5", "fields_000000020.h5"], names
    with h5py.File(folder / "fields_000000020.h5") as file:
        assert file.attrs["step"] == 20 and file.attrs["time"] == 20 * step_time
        assert file.attrs["cell_size"] == cell_size and file.attrs["units"] == units
        assert file.attrs["case"] == "fixture"
        assert file.attrs["lattice"] == ("D2Q9" if shape[0] == 1 else "D3Q19")
        assert file.attrs["weir_version"]
        assert sorted(file) == ["density", "pressure", "solid", "speed", "velocity"]
        kind = np.float32 if precision == "single" else np.float64
        assert file["density"].dtype == kind and file["density"].shape == shape
        assert file["velocity"].dtype == kind and file["velocity"].shape == shape + (3,)
        assert file["solid"].dtype == np.uint8 and np.array_equal(file["solid"][:], solid)
        assert file["density"].attrs["units"] == ("kg/m³" if si else "")
        expected = {
            "density": density_scale * density,
            "pressure": density_scale * speed_scale**2 * density / 3,
            "velocity": speed_scale * velocity,
            "speed": speed_scale * np.linalg.norm(velocity, axis=-1),
        }
        for name, values in expected.items():
            np.testing.assert_allclose(file[name][:], values, rtol=tolerance, atol=tolerance, err_msg=name)


def check_with_vtk(folder, units, shape):
    """One fluid cell and one solid cell, at both times, each probed off its centre."""
    cell_size, step_time, speed_scale = (0.002, 0.0005, 4.0) if units == "si" else (1, 1, 1)
    density_scale = 998.0 if units == "si" else 1
    density, velocity, solid = known_flow(*reversed(shape))
    cells = [(shape[0] // 4, 2, 17), (shape[0] // 2, shape[1] // 2, shape[2] // 2)]
    assert [solid[cell] for cell in cells] == [False, True]
    for cell, time in itertools.product(cells, [0, 20 * step_time]):
        point = ",".join(str((index + 0.7) * cell_size) for index in reversed(cell))
        expected = {
            "density": [density_scale * density[cell]],
            "velocity": speed_scale * velocity[cell],
            "solid": [solid[cell]],
        }
        for name, value in expected.items():
            text, tolerance = ",".join(repr(float(number)) for number in value), str(2e-6 * density_scale)
            command = [sys.executable, HERE / "read_fields_with_vtk.py"]
            command += [folder / "fields.xmf", name, point, text, tolerance, "--time", str(time)]
            result = subprocess.run(command, check=False)
            if result.returncode != 0:
                return result.returncode
    return 0


def main():
    writer = pathlib.Path(sys.argv[1]).resolve()
    for precision, units, dimensions in [("single", "lattice", 3), ("double", "si", 3), ("single", "si", 2)]:
        with tempfile.TemporaryDirectory() as name:
            folder, shape = pathlib.Path(name), (11 if dimensions == 3 else 1, 14, 20)
            subprocess.run([writer, folder, precision, units, str(dimensions)], check=True)
            check_with_h5py(folder, precision, units, shape)
            result = check_with_vtk(folder, units, shape)
            if result != 0:
                return result
    return 0


if __name__ == "__main__":
    sys.exit(main())
