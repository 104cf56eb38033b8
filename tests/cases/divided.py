#!/usr/bin/env python3
"""The flows by which Haeussl (bachelor's thesis, University of Bayreuth: MPI-based multi-GPU extension of the lattice Boltzmann method)
shows that dividing a domain changes no bit, in the sizes of his tables 6, 7 and 9: a cavity in three dimensions, plates in two, a box with
a warm and a cold wall, a cylinder of liquid that falls, a drop that falls into a pool. There the result of several GPUs is compared
with that of one, after 1000 and 9000 steps; here that of blocks and of 1, 2 and 4 ranks with that of one block, by the digest.

His lid moves at half a cell per step, and his force between plates would drive the flow past the speed of sound: here they are such
that the greatest speed is 0.1. His pool is open above, which here is a wall that only gas touches.

Usage: divided.py WEIR [Short|Long]
"""
import itertools

import weir_case

# Of a cavity: the lattice, the ranks along each axis, and cells.
CAVITIES = list(zip(itertools.cycle(["D3Q13", "D3Q15", "D3Q19", "D3Q27"]),
                    [([2, 1, 1], [50, 32, 32]), ([1, 2, 1], [32, 60, 32]), ([1, 1, 2], [32, 32, 70]), ([2, 2, 1], [28, 28, 32]),
                     ([2, 1, 2], [60, 32, 60]), ([1, 2, 2], [64, 50, 60])]))
PLATES = [([2, 1], [444, 256]), ([1, 2], [256, 252]), ([2, 2], [384, 256]), ([2, 2], [252, 1020])]
EXTENSIONS = [([1, 2, 2], [36, 192, 60])]  # of a division into eight: four ranks, and blocks besides


def cavity(lattice, cells):
    return {"lattice": lattice, "collision": {"operator": "mrt" if lattice == "D3Q13" else "bgk"}, "domain": {"cells": cells},
            "fluid": {"viscosity": 0.0149}, "boundaries": {"z+": {"type": "wall", "velocity": [0, 0.1, 0]}}}


def plates(cells):
    viscosity = 1 / 6
    return {"lattice": "D2Q9", "domain": {"cells": cells, "periodic": [True, False]}, "fluid": {"viscosity": viscosity},
            "force": [8 * viscosity * 0.1 / cells[1]**2, 0]}


def warm_box(cells):
    return {"lattice": "D3Q19", "domain": {"cells": cells}, "fluid": {"viscosity": 0.02},
            "scalar": {"diffusivity": 0.02, "buoyancy": {"expansion": 1, "gravity": [0, -1e-5, 0], "reference": 1}}, "initial": {"scalar": 1},
            "boundaries": {"y-": {"type": "wall", "scalar": 1.5}, "y+": {"type": "wall", "scalar": 0.5}}}


def falling_cylinder(cells):
    x, y, z = (c / 2 for c in cells)
    return {"lattice": "D3Q19", "domain": {"cells": cells, "periodic": [True, True, False]}, "fluid": {"viscosity": 0.1},
            "phases": {"equation": "shan_chen", "strength": -5, "gravity": [0, 0, -1e-5]},
            "initial": {"density": f"0.15 + 1.85*(sqrt((x - {x})^2 + (z - {z})^2) < {0.4 * cells[0]} && abs(y - {y}) < 25)"}}


def falling_drop(cells):
    x, y = cells[0] / 2, cells[1] / 2
    drop = f"{0.4 * cells[0]} - sqrt((x - {x})^2 + (y - {y})^2 + (z - {0.75 * cells[2]})^2)"
    return {"lattice": "D3Q19", "domain": {"cells": cells}, "fluid": {"viscosity": 0.02}, "force": [0, 0, -2e-5],
            "free_surface": {"liquid": f"max({cells[2] / 3} - z, {drop})"},
            "initial": {"velocity": [0, 0, f"{drop} > 0 ? -0.05 : 0"], "density": f"1 + 6e-5*max(0, {cells[2] / 3} - z)"}}


SETUPS = [*((f"cavity {lattice}", cavity(lattice, cells), ranks) for lattice, (ranks, cells) in CAVITIES),
          *(("plates", plates(cells), ranks) for ranks, cells in PLATES),
          *((make.__name__, make(cells), ranks) for make in (warm_box, falling_cylinder, falling_drop) for ranks, cells in EXTENSIONS)]


class DividedTest(weir_case.CaseTest):
    def check_division(self, steps):
        """One block; blocks of half of that along each axis, for two workers; ranks, as the table has them, and blocks of odd sizes."""
        for name, setup, along in SETUPS:
            cells, ranks = setup["domain"]["cells"], 1
            for count in along:
                ranks *= count
            with self.subTest(name, cells=cells):
                case = {**setup, "name": "divided", "run": {"steps": steps}, "output": []}
                ways = [(1, cells, []), (1, [(c + 1) // 2 for c in cells], []), (ranks, [c // 3 + 1 for c in cells], ["--set", f"ranks.grid={along}"])]
                digests = [self.compute({**case, "blocks": {"cells": blocks}}, *options, ranks=count, workers=2 if count == 1 else 1).summary["digest"]
                           for count, blocks, options in ways]
                self.assertEqual(len(set(digests)), 1, digests)


class Short(DividedTest):
    def test_60_steps(self):
        self.check_division(60)


class Long(DividedTest):
    def test_1000_steps(self):
        self.check_division(1000)

    def test_9000_steps(self):
        self.check_division(9000)


if __name__ == "__main__":
    weir_case.main()
