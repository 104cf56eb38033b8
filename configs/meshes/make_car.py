#!/usr/bin/env python3
"""Writes car.stl: a small car as one closed surface, made of cross-sections that are rounded rectangles. It is 4 long along x (front at 0), 1.7 wide and
1.4 high, standing on z = 0.15.

Usage: make_car.py car.stl
"""
import math
import struct
import sys

AROUND = 40  # corners of a section
# x, half width, lowest and highest z of a section; between them all follow cosines.
SECTIONS = [(0.0, 0.50, 0.30, 0.55), (0.12, 0.72, 0.18, 0.70), (0.5, 0.82, 0.15, 0.80), (1.15, 0.85, 0.15, 0.92), (1.75, 0.85, 0.15, 1.40),
            (2.6, 0.85, 0.15, 1.42), (3.3, 0.84, 0.15, 1.10), (3.8, 0.80, 0.20, 1.02), (4.0, 0.62, 0.32, 0.85)]
BETWEEN = 6  # sections from one of these to the next
ROUNDNESS = 5.0  # exponent of a section's superellipse


def sections():
    for (x0, *low), (x1, *high) in zip(SECTIONS, SECTIONS[1:]):
        for k in range(BETWEEN):
            share = k / BETWEEN
            smooth = (1 - math.cos(math.pi * share)) / 2
            yield x0 + (x1 - x0) * share, *(a + (b - a) * smooth for a, b in zip(low, high))
    yield SECTIONS[-1]


def ring(x, half, bottom, top):
    points = []
    for k in range(AROUND):
        angle = 2 * math.pi * (k + 0.5) / AROUND
        y, z = (math.copysign(abs(w) ** (2 / ROUNDNESS), w) for w in (math.cos(angle), math.sin(angle)))
        points.append((x, half * y, (bottom + top) / 2 + (top - bottom) / 2 * z))
    return points


def cap(points, front):
    """A fan that closes the surface at an end."""
    middle = tuple(sum(p[axis] for p in points) / len(points) for axis in range(3))
    for k, point in enumerate(points):
        after = points[(k + 1) % len(points)]
        yield (middle, after, point) if front else (middle, point, after)


def triangles():
    rings = [ring(*section) for section in sections()]
    yield from cap(rings[0], True)
    for one, two in zip(rings, rings[1:]):
        for k in range(AROUND):
            after = (k + 1) % AROUND
            yield one[k], one[after], two[k]
            yield one[after], two[after], two[k]
    yield from cap(rings[-1], False)


def main():
    faces = list(triangles())
    with open(sys.argv[1], "wb") as file:
        file.write(b"a car, by make_car.py".ljust(80) + struct.pack("<I", len(faces)))
        for face in faces:
            file.write(struct.pack("<12fH", 0, 0, 0, *(x for corner in face for x in corner), 0))


if __name__ == "__main__":
    main()
