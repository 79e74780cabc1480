"""Libraries in C that are loaded into a server before all others, and stand between it and the system."""

import shutil
import subprocess
from pathlib import Path


def compiled(name: str, folder: Path) -> Path | None:
    """The library; None where there is no compiler, as there may be none where the cases run."""
    compiler = shutil.which("cc") or shutil.which("clang") or shutil.which("gcc")
    if compiler is None:
        print(f"{name} is not used: there is no C compiler here")
        return None
    library = (folder / name).with_suffix(".so")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(Path(__file__).with_name(name))], check=True)
    return library
