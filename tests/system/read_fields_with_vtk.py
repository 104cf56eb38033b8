#!/usr/bin/env python3
"""Reads a value out of Weir's fields like ParaView: NAME.xmf and its HDF5 files, through VTK's XDMF reader.

Exits with 0 when the value is as expected, 1 when not, and 77 (skipped) where Python has no VTK with that
reader. On Debian it comes with python3-paraview; python3-vtk9 is built without it.
"""
import argparse
import math
import sys

try:
    from vtkmodules.vtkCommonCore import vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkPolyData
    from vtkmodules.vtkFiltersCore import vtkProbeFilter
    from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def numbers(text):
    return [float(number) for number in text.split(",")]


def read_grid(path, time):
    """The grid at a time (None: the last), and all times of the file."""
    reader = vtkXdmfReader()
    reader.SetFileName(path)
    reader.UpdateInformation()
    information = reader.GetOutputInformation(0)
    key = reader.GetExecutive().TIME_STEPS()
    times = list(information.Get(key)) if information.Has(key) else []
    if time is None and times:
        time = times[-1]
    if time is not None:
        reader.UpdateTimeStep(time)
    reader.Update()
    return reader.GetOutputDataObject(0), times


def probe(grid, quantity, point):
    """The value of the cell that contains the point, as a tuple."""
    points = vtkPoints()
    points.InsertNextPoint(point)
    place = vtkPolyData()
    place.SetPoints(points)
    probe_filter = vtkProbeFilter()
    probe_filter.SetInputData(place)
    probe_filter.SetSourceData(grid)
    probe_filter.Update()
    output = probe_filter.GetOutput().GetPointData()
    if not output.GetArray(probe_filter.GetValidPointMaskArrayName()).GetValue(0):
        sys.exit(f"{point} is outside of the grid {grid.GetBounds()}")
    array = output.GetArray(quantity)
    if array is None:
        names = [grid.GetCellData().GetArrayName(i) for i in range(grid.GetCellData().GetNumberOfArrays())]
        sys.exit(f"no quantity '{quantity}' in the file, only {', '.join(names)}")
    return array.GetTuple(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", help="NAME.xmf")
    parser.add_argument("quantity", help="as in the case file: density, velocity, ...")
    parser.add_argument("point", type=numbers, help="X,Y,Z in output units")
    parser.add_argument("expected", type=numbers, help="the value there; components separated by commas")
    parser.add_argument("tolerance", type=float, help="largest difference that is no mismatch")
    parser.add_argument("--time", type=float, help="in output units (default: the last)")
    arguments = parser.parse_args()

    grid, times = read_grid(arguments.file, arguments.time)
    value = probe(grid, arguments.quantity, arguments.point)
    good = len(value) == len(arguments.expected) and all(
        math.isclose(a, b, rel_tol=0, abs_tol=arguments.tolerance) for a, b in zip(value, arguments.expected))
    print(f"{arguments.file}: {len(times)} times, {arguments.quantity} at {arguments.point} is {value}, "
          f"expected {tuple(arguments.expected)}: {'good' if good else 'MISMATCH'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
