"""The wheel, built once a run from a copy of the tree, and an environment that has it installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.tree import PACKAGES, ROOT


@dataclass(frozen=True)
class Installed:
    """An environment in which the wheel, not the tree, is installed."""

    python: Path
    script: Path
    folder: Path
    """Where to run: it holds a user's own `api/` and `cypher/`, which end the process when imported."""

    def run(self, *command: str | Path, **environ: str) -> str:
        """Standard output of a command that must succeed."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.folder, env=inherited | environ, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, through an sdist as a release is made, without the network."""
    copy, out = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("dist")
    for folder in PACKAGES.values():
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, copy)
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(copy)]
    done = subprocess.run(build, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert "ambiguous" not in done.stdout + done.stderr, "a folder of data is missing from the package list"
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def wheel_names(wheel: Path) -> frozenset[str]:
    """Paths inside the wheel, without its metadata."""
    with zipfile.ZipFile(wheel) as archive:
        return frozenset(name for name in archive.namelist() if ".dist-info/" not in name)


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel installed offline: its dependencies are read from the environment of this run."""
    place = tmp_path_factory.mktemp("installed")
    venv.create(place / "venv", with_pip=shutil.which("uv") is None)
    scripts = place / "venv" / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / "python"
    uv = ["uv", "pip", "install", "--offline", "--python", python]
    pip = [python, "-m", "pip", "install", "--no-index"]
    subprocess.run([*(uv if shutil.which("uv") else pip), "--quiet", "--no-deps", wheel], check=True)
    # a .pth line adds the folder but runs no .pth file in it, so the editable install there stays unseen
    site = next(place.glob("venv/**/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return Installed(python, scripts / "graphmem", _hostile_folder(place / "project"))


def _hostile_folder(folder: Path) -> Path:
    for name in ("api", "cypher"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(f"raise SystemExit('the user\\'s own {name} was imported')\n")
    return folder
