"""Weir, from the checkout that this recipe lies in:

spack repo add packaging/spack/spack_repo/weir
spack install weir
"""

import pathlib

from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import *


class Weir(MesonPackage, CudaPackage):
    """Lattice Boltzmann flow solver whose unit of work is a StarPU task: it runs on the cores and GPUs of one or many
    machines, and shows where the time went."""

    git = pathlib.Path(__file__).resolve().parents[6].as_uri()

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("fxt", default=True, description="Recording for weir trace")

    resource(
        name="dejavu",
        url="https://github.com/dejavu-fonts/dejavu-fonts/releases/download/version_2_37/dejavu-fonts-ttf-2.37.tar.bz2",
        sha256="fa9ca4d13871dd122f61258a80d01751d603b4d3ee14095d65453b4e846e17d7",
        placement="dejavu",
    )

    depends_on("c", type=("build", "run"))  # kernels that no case of configs/ needs are compiled when a run does
    depends_on("cxx", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("freetype")
    depends_on("hdf5@1.10.5: +mpi")
    depends_on("hwloc")
    depends_on("jansson@2.14:")
    depends_on("libpng")
    depends_on("zlib-api")
    depends_on("mpi")
    depends_on("muparser~wide_char")
    depends_on("starpu@1.4.10:1.4 +mpi~fast~examples maxbuffers=64")
    depends_on("starpu+fxt", when="+fxt")
    depends_on("starpu~fxt", when="~fxt")
    depends_on("starpu+cuda", when="+cuda")
    depends_on("starpu~cuda", when="~cuda")

    conflicts("cuda_arch=none", when="+cuda", msg="name the architectures of your GPUs: cuda_arch=90")

    def meson_args(self):
        font = join_path(self.stage.source_path, "dejavu", "ttf", "DejaVuSans.ttf")
        args = [
            "-Dtests=false",
            "-Dkernels=all",
            "-Dparallel_hdf5=enabled",
            f"-Dfont={font}",
            f"-Dcuda={'enabled' if self.spec.satisfies('+cuda') else 'disabled'}",
        ]
        if self.spec.satisfies("+cuda"):
            archs = ",".join(f"sm_{arch}" for arch in self.spec.variants["cuda_arch"].value)
            args.append(f"-Dgpu_arch={archs}")
        return args
