#!/usr/bin/env python3
"""Solids by formula, random spheres, volumes and meshes: the same digest whatever the blocks and ranks, from the case's copy in another folder too; and what weir
check tells and draws of solids.

Usage: test_solids.py WEIR
"""
import os
import re
import struct
import subprocess
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases"))
import weir_case

CELLS = [36, 20, 18]


def case(solids, **changes):
    return {
        "domain": {"cells": CELLS, "periodic": [True, True, False]},
        "fluid": {"tau": 0.8},
        "force": [1e-4, 2e-5, 0],
        "solids": solids,
        "blocks": {"cells": CELLS},
        "run": {"steps": 21},
        **changes,
    }


class SolidsTest(weir_case.CaseTest):
    def check(self, path, *options, ranks=1):
        words, variables = weir_case.launcher(ranks)
        done = subprocess.run([*words, weir_case.program, "check", path, *options], env={**weir_case.environment(1), **variables}, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout


class Solids(SolidsTest):
    def write_files(self, path, high=1):
        """labels.raw, and box.obj, a box of quadrilaterals, of that height, beside a case."""
        folder = os.path.dirname(path)
        labels = bytes((x // 3 + y // 4 + z // 5) % 4 for z in range(9) for y in range(10) for x in range(18))
        with open(os.path.join(folder, "labels.raw"), "wb") as file:
            file.write(labels)
        corners = "".join(f"v {x} {y} {z}\n" for z in (0, high) for y in (0, 1) for x in (0, 1))
        with open(os.path.join(folder, "box.obj"), "w") as file:
            file.write(corners + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n")

    def test_same_bits(self):
        solids = [
            {"formula": "sin(x/3)*cos(y/3) + sin(y/3)*cos(z/3) < -0.6"},
            {"spheres": {"radius": 2.6, "count": 9, "overlap": False, "seed": 5}, "name": "balls"},
            {"minimal_surface": {"surface": "diamond", "period": 4, "porosity": 0.9, "sheet": True}, "name": "sheet"},
            {"text": {"letters": "Ωß", "height": 7.3}, "name": "text"},
            {"volume": {"file": "labels.raw", "cells": [18, 10, 9], "solid": [3], "voxel_size": 2}, "name": "label"},
        ]
        version = subprocess.run([weir_case.program, "--version"], capture_output=True, text=True, check=True).stdout
        if "meshes of solids: yes" in version:
            solids.append({"mesh": {"file": "box.obj", "scale": 5, "rotate": [0, 30, 45], "translate": [18, 6, 4]}, "name": "box"})
        path = self.write(case(solids))
        self.write_files(path)
        whole = self.compute(path).summary
        self.assertLess(whole["fluid_cells"], 0.8 * whole["cells"][0] * whole["cells"][1] * whole["cells"][2])
        for options, ranks in ((["blocks.cells=[7, 9, 18]"], 1), (["blocks.cells=[11, 20, 5]", "blocks.list_up_to=1"], 1), (["blocks.cells=[12, 10, 9]"], 2)):
            with self.subTest(options=options, ranks=ranks):
                sets = [word for option in options for word in ("--set", option)]
                cut = self.compute(path, *sets, ranks=ranks).summary
                self.assertEqual((cut["digest"], cut["fluid_cells"]), (whole["digest"], whole["fluid_cells"]))
        run = self.compute(path)
        again = self.compute(os.path.join(run.folder, "case.json"))
        self.assertEqual(again.summary["digest"], whole["digest"])

    def test_check(self):
        """A hollow ball has a pocket; a wall across a channel closes it; cuts are pictures."""
        hollow = [{"formula": "abs(sqrt((x-10)^2 + (y-10)^2 + (z-9)^2) - 6) < 1.5"}]
        path = self.write(case(hollow))
        folder = os.path.join(self.folder(), "new", "cuts")
        words = self.check(path, "--draw", folder)
        inside = sum((x - 9.5) ** 2 + (y - 9.5) ** 2 + (z - 8.5) ** 2 <= 4.5**2 for x in range(20) for y in range(20) for z in range(18))
        self.assertIn(f"in 2 pieces, 1 of them pockets with {inside} cells", words)
        self.assertNotIn("warning", words)
        self.assertEqual(sorted(os.listdir(folder)), ["cut_x.png", "cut_y.png", "cut_z.png"])
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                head = file.read(24)
            self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
            self.assertGreater(min(struct.unpack(">II", head[16:])), 100)

        opened = {"domain": {"cells": CELLS}, "force": [0, 0, 0],
                  "boundaries": {"x-": {"type": "velocity", "velocity": [0.01, 0, 0]}, "x+": {"type": "pressure", "density": 1}}}
        self.assertNotIn("no fluid leads", self.check(self.write(case(hollow, **opened))))
        closed = [{"box": {"from": [20, 0, 0], "to": [22, 20, 18]}}]
        self.assertIn("warning: no fluid leads from one of the 2 openings", self.check(self.write(case(closed, **opened))))

    def test_pockets(self):
        """Pockets that are closed are solid, in the same bits over blocks and ranks, and what is left is one piece."""
        hollow = [{"formula": "abs(sqrt((x-10)^2 + (y-10)^2 + (z-9)^2) - 6) < 1.5", "name": "ball"}]
        inside = sum((x - 9.5) ** 2 + (y - 9.5) ** 2 + (z - 8.5) ** 2 <= 4.5**2 for x in range(20) for y in range(20) for z in range(18))
        path = self.write(case(hollow, domain={"cells": CELLS, "periodic": [True, True, False], "close_pockets": True}))
        self.assertIn(f"in 1 piece; 1 pocket with {inside} cells has been closed", self.check(path))
        closed = self.compute(path).summary
        kept = self.compute(path, "--set", "domain.close_pockets=false").summary
        self.assertEqual(closed["fluid_cells"], kept["fluid_cells"] - inside)
        cut = self.compute(path, "--set", "blocks.cells=[12, 10, 9]", ranks=2).summary
        self.assertEqual((cut["digest"], cut["fluid_cells"]), (closed["digest"], closed["fluid_cells"]))

    def test_pockets_over_ranks(self):
        """Each rank looks at its own slices: pockets in one of them, from one to the next, across the periodic seam, and one that winds through all are
        counted and closed alike by any number of ranks, among walls by formula, in a scan and in a mesh."""
        cells, length = [30, 14, 64], 53
        # A channel of one cell that goes to and fro along z in a block, with no way out.
        solids = [{"box": {"from": [0, 0, 2], "to": [30, 7, 64]}}]
        for k in range(8):
            solids.append({"box": {"from": [2 * k, 3, 4], "to": [2 * k + 1, 4, 4 + length]}, "type": "fluid"})
            if k < 7:
                turn = 4 if k % 2 else 3 + length
                solids.append({"box": {"from": [2 * k + 1, 3, turn], "to": [2 * k + 2, 4, turn + 1]}, "type": "fluid"})
        # Hollow balls, and one whose halves are at both ends of the domain.
        for x, z in ((5, 12), (15, 32), (24, 46), (15, 0), (15, 64)):
            solids.append({"formula": f"abs(sqrt((x-{x})^2 + (y-10)^2 + (z-{z})^2) - 3) < 0.9"})
        # Two cells of a scan that are fluid amid solid ones, in a hole of the block.
        solids.append({"box": {"from": [24, 2, 13], "to": [29, 5, 19]}, "type": "fluid"})
        solids.append({"volume": {"file": "scan.raw", "cells": [5, 3, 6], "solid": [1], "origin": [24, 2, 13]}})
        inside = sum((x - 0.5) ** 2 + (y - 0.5) ** 2 + (z - 0.5) ** 2 <= 2.1**2 for x in range(-3, 4) for y in range(-3, 4) for z in range(-3, 4))
        pockets, pocket_cells = 6, 8 * length + 7 + 4 * inside + 2
        version = subprocess.run([weir_case.program, "--version"], capture_output=True, text=True, check=True).stdout
        if "meshes of solids: yes" in version:  # a hole of 2 x 2 x 40 cells in the block
            solids.append({"mesh": {"file": "box.obj", "scale": 2, "translate": [20, 2, 10]}, "type": "fluid"})
            pockets, pocket_cells = pockets + 1, pocket_cells + 160
        path = self.write(case(solids, domain={"cells": cells, "periodic": [True, False, True]}, blocks={"cells": [15, 14, 16]}, run={"steps": 5}))
        self.write_files(path, high=20)
        with open(os.path.join(os.path.dirname(path), "scan.raw"), "wb") as file:
            file.write(bytes(int((x, y, z) not in ((2, 1, 2), (2, 1, 3))) for z in range(6) for y in range(3) for x in range(5)))
        closing = ("--set", "domain.close_pockets=true")
        kept = self.compute(path).summary["fluid_cells"]
        closed = set()
        for ranks in (1, 2, 3, 4):
            with self.subTest(ranks=ranks):
                self.assertIn(f"in {pockets + 1} pieces, {pockets} of them pockets with {pocket_cells} cells", self.check(path, ranks=ranks))
                self.assertIn(f"in 1 piece; {pockets} pockets with {pocket_cells} cells have been closed", self.check(path, *closing, ranks=ranks))
                summary = self.compute(path, *closing, ranks=ranks).summary
                self.assertEqual(summary["fluid_cells"], kept - pocket_cells)
                closed.add(summary["digest"])
        self.assertEqual(len(closed), 1)

    def test_ranks_without_slices(self):
        """Flat domains are divided along y; of more ranks than there are slices to look at, some look at none. Refusals come once."""
        solids = [{"formula": "abs(sqrt((x-10)^2 + (y-10)^2) - 6) < 1.5", "name": "ring"}]
        path = self.write(case(solids, lattice="D2Q9", domain={"cells": [36, 20], "periodic": [True, True], "close_pockets": True}, force=[1e-4, 0], blocks={"cells": [9, 10]}))
        inside = sum((x - 9.5) ** 2 + (y - 9.5) ** 2 <= 4.5**2 for x in range(20) for y in range(20))
        digests = set()
        for ranks in (1, 2, 4):
            self.assertIn(f"in 1 piece; 1 pocket with {inside} cells has been closed", self.check(path, ranks=ranks))
            digests.add(self.compute(path, ranks=ranks).summary["digest"])
        self.assertEqual(len(digests), 1)
        refused = self.compute(path, "--set", "solids[0].name=pockets", ranks=3, code=2).error
        self.assertEqual(refused.count("weir:"), 1, refused)
        self.assertIn("domain.close_pockets", refused)

    def test_pockets_that_unsettle(self):
        """Interpolated walls do not keep the mass of pockets: where a run waits for a steady flow, that is said with the key that mends it."""
        hollow = [{"formula": "abs(sqrt((x-10)^2 + (y-10)^2 + (z-9)^2) - 6) < 1.5", "type": "interpolated_wall"}]
        path = self.write(case(hollow))
        steady = ("--set", 'run.stop_when={"steady":1e-9,"every":100}')
        for sets, warned in ((steady, True), ((), False), ((*steady, "--set", "domain.close_pockets=true"), False)):
            with self.subTest(sets):
                said = self.check(path, *sets)
                self.assertEqual("warning: run.stop_when.steady may not hold" in said and "(1 here)" in said and "domain.close_pockets" in said, warned)
                for ranks in (1, 2):
                    told = [warning for warning in self.compute(path, *sets, ranks=ranks).summary["warnings"] if "close_pockets" in warning]
                    self.assertEqual(len(told), warned)


class Text(SolidsTest):
    """Letters, by what is known of their shapes in any font without serifs."""

    def cells(self, letters, height, cells=(40, 36), **keys):
        run = self.compute({"lattice": "D2Q9", "domain": {"cells": cells}, "fluid": {"tau": 1}, "run": {"steps": 0},
                            "solids": [{"text": {"letters": letters, "height": height, **keys}, "name": "text"}], "output": [{"type": "fields", "fields": ["cell_type"]}]})
        return run.fields()["cell_type"][0] != 0

    def test_letters(self):
        solid = self.cells("H", 30)
        rows, columns = numpy.nonzero(solid.any(axis=1))[0], numpy.nonzero(solid.any(axis=0))[0]
        self.assertEqual((rows[0], rows[-1]), (3, 32), "its height, in the middle")
        self.assertEqual(columns[0] + columns[-1], 39)
        self.assertTrue((solid == solid[:, ::-1]).all())
        self.assertFalse(solid[4:14, 20].any(), "between the legs")
        self.assertTrue(solid[17:19, columns[0]:columns[-1] + 1].all(), "the bar")
        ring = self.cells("O", 30)
        self.assertFalse(ring[17, 20])
        self.assertTrue(ring[17, :20].any() and ring[17, 20:].any() and ring[:18, 20].any())
        placed, moved = self.cells("L", 12, origin=[3, 4]), self.cells("L", 12, origin=[13, 14])
        self.assertEqual(numpy.nonzero(placed.any(axis=1))[0][0], 4)
        self.assertTrue((placed[:20, :20] == moved[10:30, 10:30]).all())
        self.assertGreater(self.cells("lower", 8, cells=(80, 24)).any(axis=0).sum(), self.cells("low", 8, cells=(80, 24)).any(axis=0).sum() + 5)

    def test_in_space(self):
        """Bars along z, also with an interpolated wall."""
        flat = self.cells("i", 30).sum()
        run = self.compute({"lattice": "D3Q19", "domain": {"cells": [40, 36, 3], "periodic": [True] * 3}, "fluid": {"tau": 1}, "run": {"steps": 1},
                            "solids": [{"text": {"letters": "i", "height": 30}, "type": "interpolated_wall"}]})
        self.assertEqual(run.summary["fluid_cells"], 3 * (40 * 36 - flat))


class Materials(SolidsTest):
    """A bent channel with an inlet and an outlet, told by the labels of a scan, by a hollow in a block, and by a mesh: the same bits."""

    OPENINGS = {"inlet": {"type": "velocity", "velocity": [0.01, 0, 0]}, "outlet": {"type": "pressure", "density": 1}}

    @staticmethod
    def label(x, y, z):
        """0: wall, 1: fluid, 2: inlet, 3: outlet."""
        if x < 2 and 4 <= y < 10 and 4 <= z < 12:
            return 2
        if 26 <= x < 32 and y >= 18 and 4 <= z < 12:
            return 3
        return int(4 <= z < 12 and ((2 <= x < 32 and 4 <= y < 10) or (26 <= x < 32 and 4 <= y < 18)))

    def solids(self, way):
        inlet, outlet = ({"name": name, **rest} for name, rest in self.OPENINGS.items())
        if way == "labels":
            scan = {"file": "scan.raw", "cells": CELLS}
            return [{"volume": {**scan, "solid": [0]}}, {"volume": {**scan, "solid": [2]}, **inlet}, {"volume": {**scan, "solid": [3]}, **outlet}]
        openings = [{"box": {"from": [0, 4, 4], "to": [2, 10, 12]}, **inlet}, {"box": {"from": [26, 18, 4], "to": [32, 20, 12]}, **outlet}]
        block = {"box": {"from": [0, 0, 0], "to": CELLS}}
        if way == "hollow":
            return [block, {"box": {"from": [2, 4, 4], "to": [32, 10, 12]}, "type": "fluid"}, {"box": {"from": [26, 4, 4], "to": [32, 18, 12]}, "type": "fluid"}, *openings]
        return [block, {"mesh": {"file": "lumen.obj"}, "type": "fluid"}, {"mesh": {"file": "ends.obj", "part": "inlet"}, **inlet},
                {"mesh": {"file": "ends.obj", "part": "outlet"}, **outlet}]

    @staticmethod
    def box(low, high, first):
        """A box of an OBJ file, whose corners begin with this number."""
        corners = "".join(f"v {x} {y} {z}\n" for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0]))
        faces = "".join("f " + " ".join(str(int(k) + first - 1) for k in face.split()) + "\n" for face in ("1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"))
        return corners + faces

    def test_same_bits(self):
        """And check says where the channel is closed."""
        version = subprocess.run([weir_case.program, "--version"], capture_output=True, text=True, check=True).stdout
        rest = {"force": [0, 0, 0], "domain": {"cells": CELLS}, "run": {"steps": 40}}
        digests = set()
        for way in ("labels", "hollow", *(["mesh"] if "meshes of solids: yes" in version else [])):
            path = self.write(case(self.solids(way), **rest))
            folder = os.path.dirname(path)
            with open(os.path.join(folder, "scan.raw"), "wb") as file:
                file.write(bytes(self.label(x, y, z) for z in range(CELLS[2]) for y in range(CELLS[1]) for x in range(CELLS[0])))
            with open(os.path.join(folder, "lumen.obj"), "w") as file:
                file.write(self.box([2, 4, 4], [32, 10, 12], 1) + self.box([26, 4, 4], [32, 18, 12], 9))
            with open(os.path.join(folder, "ends.obj"), "w") as file:
                file.write("o inlet\n" + self.box([0, 4, 4], [2, 10, 12], 1) + "o outlet\n" + self.box([26, 18, 4], [32, 20, 12], 9))
            self.assertNotIn("no fluid leads", self.check(path))
            for options, ranks in (([], 1), (["blocks.cells=[9, 7, 6]"], 1), (["blocks.cells=[12, 10, 9]", "blocks.list_up_to=1"], 2)):
                run = self.compute(path, *(word for option in options for word in ("--set", option)), ranks=ranks).summary
                digests.add((run["digest"], run["fluid_cells"]))
        self.assertEqual(len(digests), 1, digests)
        self.assertEqual(run["boundaries"].keys(), {"inlet", "outlet"})
        self.assertAlmostEqual(run["boundaries"]["inlet"]["mass_passed"], 40 * 48 * 0.01, delta=2)  # less at the rim, where links meet the wall

        shut = [*self.solids("hollow"), {"box": {"from": [10, 0, 0], "to": [12, 20, 18]}}]
        self.assertIn("warning: no fluid leads from one of the 2 openings", self.check(self.write(case(shut, **rest))))

    def test_interpolated(self):
        """A tube bored out of a block has its wall where the tube of a formula has it, between cells."""
        wall = {"type": "interpolated_wall", "name": "tube"}
        bored = [{"box": {"from": [0, 0, 0], "to": [8, 20, 20]}, **wall}, {"cylinder": {"center": [4, 10.2, 9.9], "axis": "x", "radius": 8.3}, "type": "fluid"}]
        rest = {"domain": {"cells": [8, 20, 20], "periodic": [True, False, False]}, "blocks": {"cells": [8, 7, 20]}, "force": [1e-5, 0, 0], "run": {"steps": 60}}
        runs = [self.compute(self.write(case(solids, **rest))).summary for solids in (bored, [{"formula": "(y-10.2)^2 + (z-9.9)^2 > 8.3^2", **wall}])]
        self.assertEqual(*(run["fluid_cells"] for run in runs))
        self.assertAlmostEqual(runs[0]["max_velocity"], runs[1]["max_velocity"], delta=1e-5 * runs[1]["max_velocity"])


class BlocksWithoutFluid(SolidsTest):
    """A slanted tube of which most blocks are solid: they are left out, and nothing that a run writes tells."""

    CASE = case(
        [{"box": {"from": [0, 0, 0], "to": [36, 8, 18]}}, {"box": {"from": [0, 8, 0], "to": [36, 20, 6]}},
         {"formula": "y > 12 + 0.2 * abs(x - 18) || z > 14", "name": "roof"}],
        blocks={"cells": [4, 4, 3], "list_up_to": 0}, checkpoint={"every": 10},
        output=[{"type": "fields", "every": 21, "fields": ["density", "velocity", "vorticity", "cell_type"]}, {"type": "image", "every": 21, "plane": "z=0.5", "field": "speed"},
                {"type": "series", "every": 7}, {"type": "probes", "every": 1, "points": [[18, 10, 9], [4.2, 8.2, 6.1]]},  # the second looks beside the fluid
                {"type": "profile", "from": [0, 10, 9], "to": [36, 10, 9]}])

    def outputs(self, run):
        return {name: run.bytes_of(name) for ending in (".csv", ".png") for name in run.files(ending)}

    def test_nothing_tells(self):
        path = self.write(self.CASE)
        kept = self.compute(path, "--set", "blocks.keep_solid=true")
        fields = kept.fields_at("fields", 21)
        self.assertEqual(len(self.outputs(kept)), 4)
        for options, ranks in (([], 1), ([], 2), (["blocks.list_up_to=1"], 1), (["blocks.list_up_to=0.7"], 2), (["placement.policy=starpu:lws"], 1),
                               (["blocks.cells=[6, 8, 6]"], 2)):
            with self.subTest(options=options, ranks=ranks):
                run = self.compute(path, *(word for option in options for word in ("--set", option)), ranks=ranks)
                self.assertEqual((run.summary["digest"], run.summary["fluid_cells"]), (kept.summary["digest"], kept.summary["fluid_cells"]))
                self.assertEqual(self.outputs(run), self.outputs(kept))
                for name, values in run.fields_at("fields", 21).items():
                    self.assertEqual(values.tobytes(), fields[name].tobytes(), name)
                for folder, other in ((run, []), (kept, options)):
                    again = self.compute(path, "--resume", os.path.join(folder.folder, "checkpoint_000000010.h5"), *(word for option in other for word in ("--set", option)))
                    self.assertEqual(again.summary["digest"], kept.summary["digest"])

    def test_memory(self):
        """What check says of both, and what it says that was saved."""
        path = self.write(self.CASE)
        words = {keep: self.check(path, "--set", f"blocks.keep_solid={keep}") for keep in ("true", "false")}
        memory = {keep: float(re.search(r"memory +([\d.]+) MiB", text).group(1)) for keep, text in words.items()}
        found = re.search(r"solid +(\d+) of these blocks .* saves ([\d.]+) MiB", words["false"])
        self.assertNotIn("have no fluid", words["true"])
        self.assertGreater(int(found.group(1)), 270 / 2)
        self.assertAlmostEqual(float(found.group(2)), memory["true"] - memory["false"], delta=2e-3)
        self.assertLess(memory["false"], (1 - int(found.group(1)) / 270 + 0.03) * memory["true"])
        self.assertIn(f"{270 - int(found.group(1))} per step", words["false"])

    def test_blocks_of_ranks(self):
        """Ranks get equal parts of the blocks that have fluid, and what they tell of a run counts no others."""
        path = self.write(self.CASE)
        found = re.search(r"solid +(\d+) of these", self.check(path))
        blocks = self.compute(path, "--set", "placement.workers=cpu", ranks=2).summary["rank_blocks"]  # or one has the only GPU
        self.assertEqual(sum(blocks), 270 - int(found.group(1)))
        self.assertLess(max(blocks), 0.65 * sum(blocks))


if __name__ == "__main__":
    weir_case.main()
