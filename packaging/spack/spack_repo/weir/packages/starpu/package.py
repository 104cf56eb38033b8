"""Spack's StarPU, with as many handles per task as Weir's tasks have."""

from spack_repo.builtin.packages.starpu.package import Starpu as BuiltinStarpu

from spack.package import *


class Starpu(BuiltinStarpu):
    __doc__ = BuiltinStarpu.__doc__

    variant(
        "maxbuffers",
        default="64",
        values=lambda value: value.isdigit() and int(value) > 0,
        description="Data handles that a task may have",
    )

    def configure_args(self):
        return super().configure_args() + [
            f"--enable-maxbuffers={self.spec.variants['maxbuffers'].value}",
            "--enable-maxcpus=256",
            "--enable-maxcudadev=8",
            "--enable-maxnodes=16",
            "--enable-maxnumanodes=8",
        ]
