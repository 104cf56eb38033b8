"""Recipes of packages, as far as it goes without building them: they can be read, they name the options that there are and the
libraries that setup.sh names, and agree on the version. What they build is tried by hand (docs/developer-guide.md)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import types
import unittest
from unittest import mock

root = None


def read(*path):
    return root.joinpath(*path).read_text()


def project_options():
    return set(re.findall(r"^option\('(\w+)'", read("meson_options.txt"), re.M))


def options_named(text):
    """Of meson, as -DNAME=VALUE; not those that every project has."""
    return set(re.findall(r"-D(\w+)=", text)) - {"prefix", "pkg_config_path"}


def setup_options_named(text):
    return {word for line in re.findall(r"\./setup\.sh([^;&>\n]*)", text) for word in re.findall(r"--[a-z-]+", line)}


class Recipes(unittest.TestCase):
    def check_options(self, text):
        self.assertLessEqual(options_named(text), project_options())
        self.assertLessEqual(setup_options_named(text), set(re.findall(r"--[a-z-]+", read("setup.sh"))))

    def shell(self, text):
        done = subprocess.run(["sh", "-n"], input=text, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


class Debian(Recipes):
    def paragraphs(self):
        """Of debian/control, as fields."""
        for paragraph in read("debian", "control").strip().split("\n\n"):
            yield dict((name, " ".join(value.split())) for name, value in re.findall(r"^([\w-]+):((?:.*\n?)(?:[ \t].*\n?)*)", paragraph, re.M))

    def test_control(self):
        source, binary = self.paragraphs()
        self.assertEqual((source["Source"], binary["Package"]), ("weir", "weir"))
        needed = set(re.search(r"^BUILD_PACKAGES=\(([^)]*)\)", read("setup.sh"), re.M).group(1).split())
        named = {word.strip().split()[0] for word in source["Build-Depends"].split(",")}
        self.assertEqual(needed - {"build-essential", "ninja-build"} - named, set())  # the first is there, the second comes with meson
        self.assertIn("${shlibs:Depends}", binary["Depends"])

    def test_version(self):
        version = re.search(r"^\s*version: '(.*)'", read("meson.build"), re.M).group(1)
        self.assertEqual(re.match(r"weir \((.*)\) ", read("debian", "changelog")).group(1), version)
        if shutil.which("dpkg-parsechangelog"):
            shown = subprocess.run(["dpkg-parsechangelog", "-S", "Version"], cwd=root, capture_output=True, text=True, check=True).stdout
            self.assertEqual(shown.strip(), version)

    def test_rules(self):
        self.check_options(read("debian", "rules"))
        self.assertTrue(os.access(root / "debian/rules", os.X_OK))
        done = subprocess.run(["make", "-n", "-f", "debian/rules", "build"], cwd=root, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "dh build --buildsystem=meson"), done.stderr)


class Apptainer(Recipes):
    def test_definition(self):
        text = read("packaging", "apptainer", "weir.def")
        header, *rest = re.split(r"^%(\w+)\n", text, flags=re.M)
        keys = dict(re.findall(r"^(\w+): (.*)$", header, re.M))
        self.assertEqual(keys, {"Bootstrap": "docker", "From": "debian:bookworm"})
        sections = dict(zip(rest[::2], rest[1::2]))
        self.assertLessEqual(set(sections), {"files", "post", "environment", "runscript", "test", "labels", "help"})
        for name in ("post", "environment", "runscript", "test"):
            self.shell(sections[name])
        self.check_options(text)


class Spack(Recipes):
    """The recipes are run with stand-ins for Spack, which note what they are told."""

    def load(self, name, *bases):
        told = []

        def directive(word):
            return lambda *arguments, **options: told.append((word, arguments, options))

        directives = ("conflicts", "depends_on", "license", "resource", "variant", "version")
        modules = {"spack": types.ModuleType("spack"), "spack.package": types.ModuleType("spack.package")}
        vars(modules["spack.package"]).update({word: directive(word) for word in directives}, join_path=os.path.join)
        for path, base in bases:
            for end in range(1, len(path.split(".")) + 1):
                part = ".".join(path.split(".")[:end])
                modules.setdefault(part, types.ModuleType(part))
            setattr(modules[path], base, type(base, (), {"configure_args": lambda self: ["--first"]}))
        path = root / f"packaging/spack/spack_repo/weir/packages/{name}/package.py"
        with mock.patch.dict(sys.modules, modules):
            variables = {"__file__": str(path), "__name__": name}
            exec(compile(path.read_text(), str(path), "exec"), variables)
        return variables[name.capitalize()], told

    def test_weir(self):
        recipe, told = self.load("weir", ("spack_repo.builtin.build_systems.cuda", "CudaPackage"),
                                 ("spack_repo.builtin.build_systems.meson", "MesonPackage"))
        self.assertEqual(recipe.git, root.resolve().as_uri())
        package = recipe()
        package.stage = types.SimpleNamespace(source_path="/stage")
        for cuda in (False, True):
            package.spec = types.SimpleNamespace(satisfies=lambda spec: cuda, variants={"cuda_arch": types.SimpleNamespace(value=("80", "90"))})
            arguments = package.meson_args()
            self.assertLessEqual(options_named(" ".join(arguments)), project_options())
            self.assertEqual("-Dgpu_arch=sm_80,sm_90" in arguments, cuda)
        names = {re.match(r"[\w-]+", arguments[0]).group(0) for word, arguments, _ in told if word == "depends_on"}
        # Modules of pkg-config that setup.sh looks for, by their names there.
        modules = re.search(r"^NEEDED_MODULES=\((.*)\)", read("setup.sh"), re.M).group(1).split()
        self.assertEqual({{"freetype2": "freetype"}.get(name, name) for name in modules} - names, set())
        self.assertLessEqual({"starpu", "mpi", "hdf5"}, names)

    def test_starpu(self):
        recipe, told = self.load("starpu", ("spack_repo.builtin.packages.starpu.package", "Starpu"))
        package = recipe()
        package.spec = types.SimpleNamespace(variants={"maxbuffers": types.SimpleNamespace(value="64")})
        arguments = package.configure_args()
        self.assertEqual(arguments[0], "--first")
        built = read("setup.sh")
        least = re.search(r"^STARPU_MIN_BUFFERS=(\d+)", built, re.M).group(1)
        self.assertIn(f"--enable-maxbuffers={least}", arguments)
        for argument in arguments[2:]:
            self.assertIn(f"\n{argument}\n", built)
        (variant,) = [options for word, arguments, options in told if word == "variant"]
        self.assertEqual(variant["default"], least)


if __name__ == "__main__":
    root = pathlib.Path(sys.argv.pop(1))
    unittest.main()
