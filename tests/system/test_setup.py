"""setup.sh: what it refuses before it touches anything. The checkout is a copy of the script alone, so that nothing can be built."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

script = None


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name, "checkout")
        self.root.mkdir()
        shutil.copy(script, self.root / "setup.sh")

    def bash(self, commands, code=0, **variables):
        """Runs commands after setup.sh has been read; what they say."""
        done = subprocess.run(["bash", "-c", f"source ./setup.sh; {commands}"], cwd=self.root, capture_output=True, text=True,
                              env={**os.environ, **variables}, timeout=60)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr


class BuildFolder(Setup):
    def refused(self, folder, *words):
        before = sorted(self.root.rglob("*"))
        # The whole script: the refusal comes before packages are looked at.
        done = subprocess.run(["bash", "setup.sh", "--cpu-only"], cwd=self.root, capture_output=True, text=True, timeout=60,
                              env={**os.environ, "WEIR_BUILD_DIR": folder, "PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(self.root / "cache")})
        self.assertEqual(sorted(self.root.rglob("*")), before)
        self.assertNotEqual(done.returncode, 0)
        for word in ("WEIR_BUILD_DIR", *words):
            self.assertIn(word, done.stderr)

    def test_the_checkout_is_not_emptied(self):
        (self.root / "notes.txt").write_text("mine")
        self.refused(".", str(self.root), "holds Weir's source")
        self.refused("..", "holds Weir's source")
        self.refused("build/..", "holds Weir's source")

    def test_folders_of_others_are_not_emptied(self):
        (self.root / "data").mkdir()
        (self.root / "data/results.csv").write_text("mine")
        self.refused("data", "results.csv", "not a build folder")
        self.refused("setup.sh", "is not a folder")

    def test_build_folders_are_taken(self):
        for name in ("empty", "failed", "built"):
            (self.root / name).mkdir()
        (self.root / "failed/setup-configure.log").write_text("ERROR")
        (self.root / "built/build.ninja").write_text("")
        (self.root / "built/meson-private").mkdir()
        (self.root / "built/meson-private/meson.lock").write_text("")
        for name in ("new", "empty", "failed", "built"):
            self.bash("check_build_folder", WEIR_BUILD_DIR=name)


if __name__ == "__main__":
    script = sys.argv.pop(1)
    unittest.main()
