"""The magics %%lab, %%cuda and %lab."""

import functools
import os
import shlex
import sys

from IPython.core.magic import Magics, cell_magic, line_cell_magic, magics_class
from IPython.display import display

from kernel_lab import arguments, lab_cell, program, saving
from kernel_lab.commands import Lab, LabError
from kernel_lab.workshop import Workshop

CHECK_MIME = "application/vnd.kernel-lab.check+json"
TAKES_KERNEL = ("check", "profile", "bench", "run", "predict")
OTHER_KERNEL = ("--kernel", "--solution", "--encore")


def said_plainly(magic):
    """An error of the student or of the machine is a message; a traceback would be one of the magic itself."""

    @functools.wraps(magic)
    def wrapped(*words, **more):
        try:
            return magic(*words, **more)
        except arguments.HelpShown:
            return None
        except (arguments.UsageError, LabError, OSError) as error:
            if str(error):
                print(error, file=sys.stderr)
        except KeyboardInterrupt:
            print("interrupted; nothing runs any more", file=sys.stderr)
        return None

    return wrapped


@magics_class
class LabMagics(Magics):
    def __init__(self, shell):
        super().__init__(shell)
        self._workshop = Workshop()
        self._lab = Lab(self._workshop)
        self._kernels = {}  # {number of a lab: the file of its last cell}

    @line_cell_magic("lab")
    @said_plainly
    def lab(self, line, cell=None):
        """%%lab NN checks the cell as a lab's kernel; %lab COMMAND runs a command of Kernel Lab."""
        return self._run(line) if cell is None else self._check(arguments.for_lab().parse(line), cell)

    @cell_magic
    @said_plainly
    def cuda(self, line, cell):
        """Compiles the cell as a CUDA program, runs it, and shows its hazards at its lines."""
        page = program.run(self._lab, self._workshop, arguments.for_cuda().parse(line), cell)
        if page:
            display(page.bundle(), raw=True)

    def _check(self, options, cell):
        number = options.lab.split(".")[0]
        if options.save:
            self._save(number, cell)
        file = self._workshop.file(number, "kernel.cu", text=cell)
        self._kernels[number.zfill(2)] = file
        kernel = [] if options.save else ["--kernel", file]
        result, page = lab_cell.check(self._lab, options, kernel, cell)
        self._kernels[result["lab"][:2]] = self._kernels[result["lab"]] = file
        display({**page.bundle(), CHECK_MIME: result}, raw=True)

    def _save(self, number, cell):
        labs = [one["lab"] for one in self._lab.document("list")["labs"]]
        chosen = [lab for lab in labs if lab[:2] == number.zfill(2) or lab == number]
        if not chosen:
            raise arguments.UsageError(f"%%lab: --save needs the number of a lab, but {number} is none")
        kernel, kept = saving.save(chosen[0], cell)
        print(f"saved as {kernel}" + (f"; your earlier version is {kept}" if kept else ""))

    def _run(self, line):
        """A command with the last cell of its lab as the kernel, unless the command names another one."""
        words = shlex.split(line, comments=True)
        if words and words[0] in TAKES_KERNEL and not any(word.split("=")[0] in OTHER_KERNEL for word in words):
            cells = (self._kernels.get(word.split(".")[0].zfill(2)) for word in words[1:])
            if file := next(filter(None, cells), None):
                words += ["--kernel", str(file)]
        self._lab.run(
            *words,
            on_stdout=functools.partial(print, end="", flush=True),
            on_stderr=functools.partial(print, end="", flush=True, file=sys.stderr),
            COLUMNS=os.environ.get("COLUMNS", "100"),
        )
