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
                              env={**os.environ, **variables}, timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr


class BuildFolder(Setup):
    def refused(self, folder, *words):
        before = sorted(self.root.rglob("*"))
        # The whole script: the refusal comes before packages are looked at.
        done = subprocess.run(["bash", "setup.sh", "--cpu-only"], cwd=self.root, capture_output=True, text=True, timeout=300,
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


class WithoutApt(Setup):
    """What setup.sh makes of systems where it installs nothing. Functions are replaced that look at the system."""

    def test_says_what_is_missing(self):
        for system in ("OS_ID=fedora", "OS_ID=debian INSTALL=no"):
            said = self.bash(f"{system}; NEEDED_COMMANDS=(bash no-such-command); NEEDED_MODULES=(no-such-library); ensure_tools build", code=1)
            self.assertIn("\n    no-such-command (command)\n    no-such-library (library, by pkg-config)\n", said)
            self.assertNotIn("bash (command)", said)

    def test_unit_tests_are_optional(self):
        looks = "OS_ID=fedora; NEEDED_COMMANDS=(); pkg-config() { [[ $* != *cmocka* ]]; }; ensure_tools build"
        self.assertIn("unit tests are left out", self.bash(looks))
        self.assertEqual(self.bash(f"WITH_TESTS=no; {looks}"), "")
        for tests, option in (("yes", "true"), ("no", "false")):
            self.assertIn(f"-Dtests={option}\n", self.bash(f"WITH_TESTS={tests}; weir_options"))

    def test_fxt_is_optional(self):
        self.assertIn("\n--without-fxt\n", self.bash("has_fxt() { false; }; starpu_options"))
        self.assertIn("\n--with-fxt\n", self.bash("has_fxt() { true; }; starpu_options"))
        said = self.bash("OS_ID=fedora; has_fxt() { true; }; starpu_lacks() { echo FxT; return 1; }; ensure_starpu")
        self.assertIn("lacks FxT: weir trace will not be able to record", said)

    def test_starpu_is_to_be_named(self):
        said = self.bash("OS_ID=fedora; has_fxt() { true; }; starpu_lacks() { echo MPI; return 1; }; ensure_starpu", code=1)
        for words in ("lacks MPI", "./setup.sh --starpu FILE", "starpu-1.4.*.tar.gz"):
            self.assertIn(words, said)

    def tarball(self, version):
        source = self.root / "starpu-release"
        source.mkdir(exist_ok=True)
        (source / "configure").write_text(f"#!/bin/sh\nPACKAGE_NAME='StarPU'\nPACKAGE_VERSION='{version}'\n")
        subprocess.run(["tar", "-czf", "starpu.tar.gz", "starpu-release"], cwd=self.root, check=True)
        return self.root / "starpu.tar.gz"

    def test_tarball(self):
        work = "mkdir work; cd work; unpack_starpu; cat version; rm -rf ../work"
        for version, said, code in (("1.4.7", "1.4.7\n", 0), ("1.3.11", "this is StarPU 1.3.11, and no release of StarPU 1.4\n", 1)):
            tarball = self.tarball(version)
            self.assertEqual(self.bash(work.replace("; cat", " || exit 1; cat"), code, WEIR_STARPU=str(tarball)), said)
            shutil.rmtree(self.root / "work", ignore_errors=True)
        key = self.bash("OS_ID=fedora; starpu_key", WEIR_STARPU=str(tarball))
        self.assertNotEqual(key, self.bash("OS_ID=fedora; starpu_key"))

    def test_wrong_usage(self):
        for arguments, word in ((["--starpu"], "name a tarball"), (["--starpu", "nowhere.tar.gz"], "nowhere.tar.gz is no file"),
                                (["--starpu=nowhere.tar.gz"], "nowhere.tar.gz is no file"), (["--no-tests", "test"], "no tests to run"),
                                (["--nonsense"], "Usage:")):
            done = subprocess.run(["bash", "setup.sh", *arguments], cwd=self.root, capture_output=True, text=True, timeout=300)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(word, done.stderr)


if __name__ == "__main__":
    script = sys.argv.pop(1)
    unittest.main()
