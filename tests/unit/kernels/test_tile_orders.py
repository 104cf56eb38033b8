#!/usr/bin/env python3
"""What tiles of 4^3 cells would have read: the sectors of 32 bytes that the populations of a tile (D3Q19) are in, where each cell pulls from its
neighbours, by the order in which a direction keeps the cells of a tile. Orders and counts: Tomczak and Szafran, Comput. Phys. Commun. 235 (2019) 258,
section 3.2. Weir has no such tiles; docs/developer-guide.md says why, with these counts.

Usage: test_tile_orders.py
"""
import itertools
import unittest

SIDE, SECTOR, WARP = 4, 32, 32  # cells, bytes, threads
AXES = {"E": (1, 0, 0), "W": (-1, 0, 0), "N": (0, 1, 0), "S": (0, -1, 0), "T": (0, 0, 1), "B": (0, 0, -1)}
ORDERS = {
    "XYZ": lambda x, y, z: x + 4 * y + 16 * z,
    "YXZ": lambda x, y, z: y + 4 * x + 16 * z,
    "zigzagNE": lambda x, y, z: 2 * (x + 3 * y + ((x + 1) & 4) * (3 - y)) + (z & 1) + 16 * (z & 2),
}
# Of the paper; O is the rest population.
CHOSEN = {"XYZ": "O N S T B NT NB ST SB", "YXZ": "E W ET EB WT WB NW SW", "zigzagNE": "NE SE"}
THEIRS = {direction: order for order, directions in CHOSEN.items() for direction in directions.split()}
VALUE_BYTES = {"double": 8, "single": 4}


def velocity(direction):
    return [sum(AXES[letter][axis] for letter in direction if letter != "O") for axis in range(3)]


def sectors(direction, order, value_bytes):
    """That the warps of a tile read, each by itself; their threads are its cells, x fastest."""
    read = set()
    for thread, (z, y, x) in enumerate(itertools.product(range(SIDE), repeat=3)):
        from_cell = [at - c for at, c in zip((x, y, z), velocity(direction))]
        tile, within = tuple(at // SIDE for at in from_cell), [at % SIDE for at in from_cell]
        read.add((thread // WARP, tile, ORDERS[order](*within) * value_bytes // SECTOR))
    return len(read)


def of_a_tile(orders):
    """By precision."""
    return {precision: sum(sectors(direction, orders[direction], size) for direction in THEIRS) for precision, size in VALUE_BYTES.items()}


class TileOrders(unittest.TestCase):
    def test_orders(self):
        self.assertEqual(len({tuple(velocity(direction)) for direction in THEIRS}), 19)
        for name, order in ORDERS.items():
            places = [order(x, y, z) for z, y, x in itertools.product(range(SIDE), repeat=3)]
            self.assertEqual(sorted(places), list(range(SIDE**3)), name)

    def test_published(self):
        self.assertEqual(of_a_tile(dict.fromkeys(THEIRS, "XYZ")), {"double": 464, "single": 288})
        self.assertEqual(of_a_tile(THEIRS), {"double": 344, "single": 240})

    def test_bounds(self):
        """Cells read from themselves fill their sectors; the best of the three orders for each direction is not what they chose."""
        self.assertEqual({precision: len(THEIRS) * sectors("O", "XYZ", size) for precision, size in VALUE_BYTES.items()}, {"double": 304, "single": 152})
        best = {precision: sum(min(sectors(direction, order, size) for order in ORDERS) for direction in THEIRS) for precision, size in VALUE_BYTES.items()}
        self.assertEqual(best, {"double": 332, "single": 224})


if __name__ == "__main__":
    unittest.main()
