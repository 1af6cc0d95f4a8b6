"""The options of the magics, read as a command's; an error or --help never ends the notebook's kernel."""

import argparse
import shlex


class UsageError(Exception):
    pass


class HelpShown(Exception):
    pass


QUOTED = ("--args", "--flags")  # their value may begin with a dash, which argparse takes for an option


class Parser(argparse.ArgumentParser):
    def parse(self, line):
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            raise UsageError(f"{self.prog}: {error}") from None
        for place in [i for i, word in enumerate(words[:-1]) if word in QUOTED][::-1]:
            words[place : place + 2] = [f"{words[place]}={words[place + 1]}"]
        return self.parse_args(words)

    def error(self, message):
        raise UsageError(f"{self.prog}: {message}\nRun {self.prog} --help")

    def exit(self, status=0, message=None):
        raise HelpShown


def positive(text):
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


BACKENDS = {"choices": ("sim", "cuda"), "help": "run on a GPU (cuda) or on the CPU simulator (sim)"}


def for_lab():
    parser = Parser(prog="%%lab", description="Check this cell as the kernel of a lab.")
    parser.add_argument("lab", metavar="NN", help="the lab's number or name, also with a stage: 03, 01.2")
    parser.add_argument("--backend", **BACKENDS)
    parser.add_argument("--size", nargs="+", default=[], metavar="SIZE", help="use these sizes, such as 2000x33")
    parser.add_argument("--stage", type=int, metavar="N", help="check this stage alone")
    parser.add_argument("--schedules", type=int, metavar="N", help="number of block and warp orders that are tried")
    parser.add_argument("--seed", type=int, help="seed of the inputs (default: a new one for each run)")
    parser.add_argument("--timeout", type=positive, metavar="S", help="time limit of the whole check, in seconds")
    parser.add_argument("--no-profile", action="store_true", help="leave out the counts and the access drawing")
    parser.add_argument(
        "--save", action="store_true",
        help="write the cell to the lab's kernel.cu, so that a pass counts; your earlier version is kept in .lab/kept",
    )  # fmt: skip
    return parser


def for_cuda():
    parser = Parser(prog="%%cuda", description="Compile this cell as a CUDA program, run it and show its hazards.")
    parser.add_argument("--backend", default="sim", **BACKENDS)
    parser.add_argument("--args", default="", metavar="WORDS", help="arguments of the program, in one string")
    parser.add_argument("--flags", default="", metavar="WORDS", help="options of the compiler, in one string")
    parser.add_argument("--fast", action="store_true", help="run without a trace: faster, but hazards are not found")
    parser.add_argument("--schedules", type=int, metavar="N", help="number of block and warp orders that are tried")
    parser.add_argument("--timeout", type=positive, metavar="S", help="stop the program after this time, in seconds")
    return parser
