#!/usr/bin/env python3
"""Reads the includes of all of Weir's sources: each may only name files of its own room or of one above it in this list, which
is that of docs/developer-guide.md; and StarPU, MPI and HDF5 are included where they belong.

Usage: test_rooms.py SOURCE_ROOT
"""
import re
import sys
import unittest
from pathlib import Path

# What may be included comes before what includes it. Commands do not know each other, but for those that build on one.
ROOMS = ["codelets/kernels", "codelets/kernels/demand", "codelets", "graph/base", "graph/problem", "graph/plan", "graph/ranks", "graph/runtime", "graph",
         "src/common", "src/geometry", "src/case", "src/case/models", "src/case/boundaries", "src/case/solids", "src/case/outputs", "src/picture", "src/surface", "src/output/formats", "src/output", "src/report", "src/machine", "src/run", "src/trace", "src/bench",
         "src/compare", "src/scale", "src/show", "src"]
COMMANDS = {"src/run": set(), "src/trace": {"src/run"}, "src/bench": set(), "src/compare": {"src/trace"}, "src/scale": set(), "src/show": set()}

# Libraries that only some rooms include, by the beginning of the header's name.
LIBRARIES = {
    "starpu": {"codelets", "graph/runtime", "graph"},
    "mpi.h": {"graph/ranks", "graph", "src/common"},  # src: HDF5 opens files for all ranks
    "hdf5": {"src/common", "src/output/formats", "src/output"},
    "cuda": {"codelets/kernels/demand", "codelets", "graph/base", "graph/runtime", "src/bench"},
}

ROOT = Path(sys.argv.pop(1)).resolve()


def sources():
    for top in ("codelets", "graph", "src"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in {".c", ".h", ".cu", ".cuh", ".cpp"}:
                yield path.relative_to(ROOT)


def room_of(path):
    """Kernel texts are one room: each of its folders, but for demand/, is a part of the same text."""
    folder = str(Path(path).parent)
    return "codelets/kernels" if folder.startswith("codelets/kernels/") and folder != "codelets/kernels/demand" else folder


class Rooms(unittest.TestCase):
    def test_every_folder_is_a_room(self):
        self.assertEqual(sorted({room_of(path) for path in sources()}), sorted(ROOMS))

    def test_includes_point_up(self):
        wrong = []
        for path in sources():
            room = room_of(path)
            for name in re.findall(r'^#\s*include "([^"]+)"', (ROOT / path).read_text(), re.M):
                other = room_of(name)
                if not (ROOT / name).exists():
                    continue  # made by the build, into the room's own folder
                if ROOMS.index(other) > ROOMS.index(room) or (room in COMMANDS and other in COMMANDS
                                                               and other != room and other not in COMMANDS[room]):
                    wrong.append(f"{path} includes {name}")
        self.assertEqual(wrong, [])

    def test_libraries_stay_in_their_rooms(self):
        wrong = []
        for path in sources():
            for name in re.findall(r"^#\s*include <([^>]+)>", (ROOT / path).read_text(), re.M):
                for library, rooms in LIBRARIES.items():
                    if name.startswith(library) and room_of(path) not in rooms:
                        wrong.append(f"{path} includes <{name}>")
        self.assertEqual(wrong, [])

    def test_what_tasks_do_is_in_codelets(self):
        """Functions that StarPU calls for a task have its buffers, which nobody else opens."""
        wrong = [str(path) for path in sources() if room_of(path) != "codelets"
                 and re.search(r"\bvoid \*buffers\[\]|\bSTARPU_\w+_GET_(PTR|NX)\b", (ROOT / path).read_text())]
        self.assertEqual(wrong, [])

    def test_only_files_of_all_ranks_take_mpi_into_src(self):
        """What ranks write together, and surfaces, of which each makes a share."""
        calling = sorted({path.stem for path in sources() if path.parts[0] == "src" and re.search(r"\bMPI_", (ROOT / path).read_text())})
        self.assertEqual(calling, ["hdf5_access", "output_checkpoint", "output_fields", "output_surface", "outputs",
                                   "surface_exchange", "surface_gathering", "surface_shares", "vtkhdf"])


if __name__ == "__main__":
    unittest.main()
