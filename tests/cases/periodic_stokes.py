"""Creeping flow through arrays of spheres, by other means than a lattice: the method of fundamental solutions with periodic Stokeslets.

The flow is that of point forces inside the sphere, one sphere to a cell of the array, that repeat with it (Hasimoto, J. Fluid Mech. 5 (1959)
317), on a uniform flow; the forces are such that nothing moves on the sphere's surface, in the least squares over many points. The flow has no
sources, so none goes through a sphere, whatever it is inside, and the uniform part is the mean velocity over fluid and spheres.
"""
import math

import numpy

erfc = numpy.frompyfunc(math.erfc, 1, 1)

CELLS = {
    "simple": numpy.eye(3),
    "body-centred": numpy.array([[-1, 1, 1], [1, -1, 1], [1, 1, -1]]) / 2,
    "face-centred": numpy.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]]) / 2,
}


def stokeslets(points, cell):
    """Velocity by a force of 1 in every cell, viscosity 1, without a mean: [points, component, component of the force]. By Ewald's sums."""
    volume = abs(numpy.linalg.det(cell))
    split = math.sqrt(math.pi) / volume ** (1 / 3)
    numbers = numpy.stack(numpy.meshgrid(*[numpy.arange(-5, 6)] * 3), -1).reshape(-1, 3)
    near, waves = numbers @ cell, numbers @ (2 * math.pi * numpy.linalg.inv(cell).T)
    lengths = numpy.linalg.norm(waves, axis=1)
    result, unit = numpy.zeros((len(points), 3, 3)), numpy.eye(3)
    for place in near[numpy.linalg.norm(near, axis=1) < 3.2 * volume ** (1 / 3)]:
        d = points - place
        r = numpy.linalg.norm(d, axis=1)
        far, bell = erfc(split * r).astype(float), 2 * split / math.sqrt(math.pi) * numpy.exp(-((split * r) ** 2))
        result += (far / r - bell)[:, None, None] * unit + (far / r**3 + bell / r**2)[:, None, None] * d[:, :, None] * d[:, None, :]
    result /= 8 * math.pi
    for wave in waves[(lengths > 1e-9) & (lengths < 11 * split)]:
        square = wave @ wave
        share = (1 + square / (4 * split**2)) * math.exp(-square / (4 * split**2)) / square / volume
        result += (share * numpy.cos(points @ wave))[:, None, None] * (unit - numpy.outer(wave, wave) / square)
    return result


def evenly(count):
    """Points on a sphere, by a spiral."""
    k = numpy.arange(count) + 0.5
    z, around = 1 - 2 * k / count, math.pi * (1 + 5**0.5) * k
    ring = numpy.sqrt(1 - z**2)
    return numpy.stack([ring * numpy.cos(around), ring * numpy.sin(around), z], 1)


def drag(array, share, forces=420, depth=0.8):
    """Of the fluid on a sphere, per 6 pi mu a U, U being the mean velocity over fluid and spheres, which are `share` of the volume."""
    cell = CELLS[array]
    radius = (3 * share * abs(numpy.linalg.det(cell)) / (4 * math.pi)) ** (1 / 3)
    inside, surface = depth * radius * evenly(forces), radius * evenly(2 * forces)
    flow = stokeslets((surface[:, None] - inside[None]).reshape(-1, 3), cell).reshape(2 * forces, forces, 3, 3)
    wanted = numpy.tile([-1.0, 0, 0], 2 * forces)
    found = numpy.linalg.lstsq(flow.transpose(0, 2, 1, 3).reshape(6 * forces, 3 * forces), wanted, rcond=1e-14)[0]
    return -found[::3].sum() / (6 * math.pi * radius)
