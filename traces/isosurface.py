"""Draws an isosurface of the last step that a run has written fields of, with VTK.

weir show calls it: python3 -c TEXT FOLDER PICTURE QUANTITY LEVEL COLOUR. What is wrong it says on standard error in one line, and ends with 2.
"""
import atexit
import glob
import os
import shutil
import subprocess
import sys


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(2)


try:
    import h5py
    import numpy
    from vtkmodules.util.numpy_support import numpy_to_vtk
    import vtkmodules.vtkRenderingFreeType  # noqa: F401, which texts need
    import vtkmodules.vtkRenderingOpenGL2  # noqa: F401, which draws
    from vtkmodules.vtkCommonCore import vtkLookupTable, vtkVersion
    from vtkmodules.vtkCommonDataModel import vtkImageData
    from vtkmodules.vtkFiltersCore import vtkCellDataToPointData, vtkContourFilter
    from vtkmodules.vtkFiltersModeling import vtkOutlineFilter
    from vtkmodules.vtkIOImage import vtkPNGWriter
    from vtkmodules.vtkRenderingAnnotation import vtkScalarBarActor
    from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow, vtkWindowToImageFilter
except ImportError as error:
    fail(f"drawing isosurfaces takes VTK and h5py for python3, and {error}; install them (apt-get install python3-vtk9 python3-h5py)")



def find_display():
    """VTK before 9.4 draws on a display only; where there is none, one is made without a screen."""
    version = vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion()
    if version >= (9, 4) or os.environ.get("DISPLAY"):
        return
    if not shutil.which("Xvfb"):
        fail(f"there is no display for VTK {version[0]}.{version[1]} to draw on; install Xvfb (apt-get install xvfb), or a newer VTK (pip install vtk)")
    server = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    atexit.register(server.terminate)
    os.environ["DISPLAY"] = ":" + server.stdout.readline().strip()


PICTURE, QUANTITY, LEVEL, COLOUR = sys.argv[2], sys.argv[3], float(sys.argv[4]), sys.argv[5]
SIZE = 900
VIRIDIS = [(68, 1, 84), (72, 40, 120), (62, 74, 137), (49, 104, 142), (38, 130, 142), (31, 158, 137), (53, 183, 121), (109, 205, 89), (180, 222, 44), (253, 231, 37)]
GREY = (0.25, 0.25, 0.28)


class Fields:
    """Arrays of one step: [nz][ny][nx], or with components behind."""

    def __init__(self, path):
        self.path, self.file = path, h5py.File(path, "r")
        self.step = int(self.file.attrs["step"])
        self.cell = float(self.file.attrs["cell_size"]) * numpy.array(self.file.attrs["stride"], float)
        self.arrays = {name: array for name, array in self.file.items() if isinstance(array, h5py.Dataset)}

    def unit(self, name):
        array = self.arrays[name if name in self.arrays else "velocity"]
        unit = array.attrs.get("unit", array.attrs.get("units", ""))
        return unit.decode() if isinstance(unit, bytes) else str(unit)

    def of(self, name):
        """The scalar of this name; components are named velocity_x, ..., and the speed needs no array of its own."""
        if name in self.arrays:
            values = self.arrays[name][...]
            return values.astype(float) if values.ndim == 3 else None
        if "velocity" in self.arrays and name in ("speed", "velocity_x", "velocity_y", "velocity_z"):
            velocity = self.arrays["velocity"][...].astype(float)
            return numpy.sqrt((velocity**2).sum(-1)) if name == "speed" else velocity[..., "xyz".index(name[-1])]
        return None

    def scalars(self):
        return sorted(name for name in self.arrays if self.of(name) is not None and name != "solid")


def find_fields(folder):
    """The newest step of fields, of the output that has the quantities."""
    paths = [path for path in glob.glob(os.path.join(folder, "*.h5")) if not os.path.basename(path).startswith("checkpoint_")]
    there, seen = [], set()
    for path in paths:
        fields = Fields(path)
        seen.update(fields.scalars())
        if fields.of(QUANTITY) is not None and (COLOUR == "" or fields.of(COLOUR) is not None):
            if min(fields.of(QUANTITY).shape) > 1:
                there.append(fields)
    if not there:
        wanted = f'"{QUANTITY}"' + (f' and "{COLOUR}"' if COLOUR else "")
        fail(f"there are no fields in space with {wanted} in {folder}; " +
             (f"they have {', '.join(sorted(seen))}: " if seen else "") + 'run with an output such as '
             f'{{"type": "fields", "fields": ["{QUANTITY}", "velocity"]}}')
    return max(there, key=lambda fields: fields.step)


def image_of(fields):
    values = fields.of(QUANTITY)
    image = vtkImageData()
    image.SetDimensions(*(extent + 1 for extent in reversed(values.shape)))
    image.SetSpacing(*fields.cell)
    solid = fields.of("solid")
    for name in [QUANTITY] + ([COLOUR] if COLOUR and COLOUR != QUANTITY else []):
        array = fields.of(name).copy()
        if name == QUANTITY and solid is not None:
            array[solid > 0] = min(LEVEL, array[solid == 0].min()) if (solid == 0).any() else LEVEL
        data = numpy_to_vtk(numpy.ascontiguousarray(array).ravel(), deep=True)
        data.SetName(name)
        image.GetCellData().AddArray(data)
    return image, values


def actor_of(data, colour):
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(data)
    mapper.ScalarVisibilityOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*colour)
    return actor


def surface_of(image, name, level):
    points = vtkCellDataToPointData()
    points.SetInputData(image)
    points.Update()
    points.GetOutput().GetPointData().SetActiveScalars(name)
    contour = vtkContourFilter()
    contour.SetInputData(points.GetOutput())
    contour.SetValue(0, level)
    contour.Update()
    return contour.GetOutput()


def body_of(fields):
    """The surface of what is solid; None: nothing is."""
    solid = fields.of("solid")
    if solid is None or not (solid > 0).any():
        return None
    image = vtkImageData()
    image.SetDimensions(*(extent + 1 for extent in reversed(solid.shape)))
    image.SetSpacing(*fields.cell)
    data = numpy_to_vtk(numpy.ascontiguousarray(solid > 0, float).ravel(), deep=True)
    data.SetName("solid")
    image.GetCellData().AddArray(data)
    return actor_of(surface_of(image, "solid", 0.5), (0.75, 0.75, 0.73))


def colours(lowest, highest):
    table = vtkLookupTable()
    table.SetNumberOfTableValues(256)
    for k in range(256):
        place = k / 255 * (len(VIRIDIS) - 1)
        first = min(int(place), len(VIRIDIS) - 2)
        rgb = [(a + (b - a) * (place - first)) / 255 for a, b in zip(VIRIDIS[first], VIRIDIS[first + 1])]
        table.SetTableValue(k, *rgb, 1)
    table.SetRange(lowest, highest)
    return table


def draw(fields):
    find_display()
    image, values = image_of(fields)
    surface = surface_of(image, QUANTITY, LEVEL)
    if surface.GetNumberOfPoints() == 0:
        finite = values[numpy.isfinite(values)]
        fail(f'"{QUANTITY}" is nowhere {LEVEL:g} at step {fields.step}: it goes from {finite.min():.4g} to {finite.max():.4g}')
    renderer = vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    actor = actor_of(surface, (0.21, 0.52, 0.55))
    if COLOUR:
        surface.GetPointData().SetActiveScalars(COLOUR)
        lowest, highest = surface.GetPointData().GetArray(COLOUR).GetRange()
        mapper = actor.GetMapper()
        mapper.ScalarVisibilityOn()
        mapper.SetLookupTable(colours(lowest, highest))
        mapper.UseLookupTableScalarRangeOn()
        bar = vtkScalarBarActor()
        bar.SetLookupTable(mapper.GetLookupTable())
        unit = fields.unit(COLOUR)
        bar.SetTitle(COLOUR + (f" ({unit})" if unit else ""))
        for text in bar.GetTitleTextProperty(), bar.GetLabelTextProperty():
            text.SetColor(*GREY)
            text.ItalicOff()
            text.BoldOff()
            text.ShadowOff()
        bar.UnconstrainedFontSizeOn()
        bar.GetTitleTextProperty().SetFontSize(16)
        bar.GetLabelTextProperty().SetFontSize(13)
        bar.SetMaximumWidthInPixels(80)
        bar.SetPosition(0.9, 0.25)
        bar.SetHeight(0.5)
        renderer.AddActor2D(bar)
    renderer.AddActor(actor)
    body = body_of(fields)
    if body:
        renderer.AddActor(body)
    outline = vtkOutlineFilter()
    outline.SetInputData(image)
    outline.Update()
    renderer.AddActor(actor_of(outline.GetOutput(), GREY))
    window = vtkRenderWindow()
    window.SetOffScreenRendering(True)
    window.SetMultiSamples(8)
    window.SetSize(SIZE, SIZE * 4 // 5)
    window.AddRenderer(renderer)
    camera = renderer.GetActiveCamera()
    camera.SetPosition(-1, -2.2, 1.3)
    camera.SetViewUp(0, 0, 1)
    renderer.ResetCamera()
    camera.SetWindowCenter(0.12, 0)  # room for the colours
    renderer.ResetCameraClippingRange()
    window.Render()
    shot = vtkWindowToImageFilter()
    shot.SetInput(window)
    shot.ReadFrontBufferOff()
    writer = vtkPNGWriter()
    writer.SetFileName(PICTURE)
    writer.SetInputConnection(shot.GetOutputPort())
    writer.Write()


draw(find_fields(sys.argv[1]))
