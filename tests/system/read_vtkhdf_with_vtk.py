#!/usr/bin/env python3
"""Writes down what VTK's reader, which is ParaView's too, sees in a file of fields of all steps: NAME.vtkhdf.

Usage: read_vtkhdf_with_vtk.py FILE RESULT. RESULT is NumPy's (.npz): times, for each step k the arrays k/NAME as numbers behind each
other, and k/bounds. Exits with 77 (skipped) where Python has no VTK of 9.3 or later, which knows steps in images of this format.
"""
import sys

try:
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkVersion
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def main():
    if (vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion()) < (9, 3):
        print(f"skipped: VTK {vtkVersion.GetVTKVersion()} knows no steps, and no values of cells, in images of this format")
        sys.exit(77)
    reader = vtkHDFReader()
    reader.SetFileName(sys.argv[1])
    reader.UpdateInformation()
    information, key = reader.GetOutputInformation(0), reader.GetExecutive().TIME_STEPS()
    times = list(information.Get(key)) if information.Has(key) else []
    seen = {"times": times, "version": vtkVersion.GetVTKVersion()}
    for k, time in enumerate(times or [None]):
        reader.Update() if time is None else reader.UpdateTimeStep(time)
        image = reader.GetOutputDataObject(0)
        if image is None:
            sys.exit(f"{sys.argv[1]}: VTK {vtkVersion.GetVTKVersion()} reads no image at {time}")
        seen[f"{k}/bounds"] = image.GetBounds()
        cells = image.GetCellData()
        for i in range(cells.GetNumberOfArrays()):
            seen[f"{k}/{cells.GetArrayName(i)}"] = vtk_to_numpy(cells.GetArray(i))
    numpy.savez(sys.argv[2], **seen)


if __name__ == "__main__":
    main()
