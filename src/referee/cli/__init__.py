"""`projfree …`: the commands the workflow calls and people can call too."""

import ast
import gc
import logging
import os
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec, resolve_name
from keyword import iskeyword
from pathlib import Path

import click

from projfree.common import threads
from projfree.common.owned import NotOurs

threads.one_each()
logging.getLogger("projfree").setLevel(logging.ERROR)  # commands say themselves that they compile
os.environ["MPLBACKEND"] = (
    "agg"  # figures are files: a notebook's, where it is not installed, stops matplotlib
)
#: Loading modules makes objects by the hundred thousand, of which none is garbage: a sixth of a job's start.
gc.set_threshold(100_000)

#: Commands by what they are for, each with its module, which is loaded only when the command is asked for.
SECTIONS = {
    "Look at results": {
        "claims": ".evidence",
        "compare": ".looking",
        "solvers": ".runs",
        "status": ".looking",
        "trace": ".looking",
    },
    "Run again": {"data": ".data", "plan": ".looking", "reproduce": ".evidence", "solve": ".runs"},
    "Use your own data or method": {"complete": "ratings.command", "try": ".trial.command"},
    "Publish": {"publish": ".report"},
    "Called by the workflow": {
        "compile": ".runs",
        "instance": ".runs",
        "evidence": ".runs",
        "judge": ".evidence",
        "under": ".evidence",
        "draw": ".report",
        "page": ".report",
        "index": ".report",
        "calibrate": ".evidence",
    },
}
MODULE = {name: module for commands in SECTIONS.values() for name, module in commands.items()}


class Group(click.Group):
    """Turns the errors that users can mend into one clear line; loads commands only when asked for."""

    def main(self, *args, **kwargs):
        """Run a command, whatever letters the terminal knows."""
        with suppress(AttributeError):  # of what stands in the place of a terminal or file
            sys.stdout.reconfigure(errors="backslashreplace")
        return super().main(*args, **kwargs)

    def list_commands(self, ctx):
        """All commands, in the order of `SECTIONS`."""
        return [*super().list_commands(ctx), *MODULE]

    def get_command(self, ctx, name):
        """A command by name."""
        if name not in MODULE:
            return super().get_command(ctx, name)
        return getattr(import_module(MODULE[name], __package__), _function_name(name))

    def format_commands(self, ctx, formatter):
        """The commands with the first sentences of their docstrings, read without importing them."""
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                nodes = [_functions(MODULE[name])[_function_name(name)] for name in commands]
                heads = [ast.get_docstring(node).partition("\n\n")[0] for node in nodes]
                formatter.write_dl([(n, " ".join(h.split())) for n, h in zip(commands, heads, strict=True)])

    def invoke(self, ctx):
        """Run a command."""
        try:
            os.getcwd()
        except FileNotFoundError:
            raise click.ClickException("the working folder was deleted: change into another one") from None
        try:
            return super().invoke(ctx)
        except click.exceptions.NoSuchCommand as error:  # click does not know what is loaded when asked for
            known = error.ctx.command.list_commands(error.ctx)
            raise click.exceptions.NoSuchCommand(
                error.command_name, possibilities=known, ctx=error.ctx
            ) from None
        except BrokenPipeError:  # who read the output has read enough: click ends in silence
            raise
        except (ValueError, OSError, ArithmeticError) as error:
            if ctx.params.get("debug"):
                raise
            text = str(error)
            if isinstance(error, OSError) and error.strerror:  # the file first, and no number
                text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
            options = getattr(self.get_command(ctx, ctx.invoked_subcommand), "params", ())
            if isinstance(error, NotOurs) and any(option.name == "force" for option in options):
                text += ", or replace it: --force"
            raise click.ClickException(text) from error
        except MemoryError as error:
            raise click.ClickException(f"out of memory ({str(error) or 'no more is to be had'})") from error


@cache
def _functions(module):
    """Functions of a module, which is read and not imported, by name."""
    package, *parts = resolve_name(module, __package__).split(".")
    path = Path(find_spec(package).origin).parent.joinpath(*parts).with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _function_name(command):
    return command.replace("-", "_") + "_" * iskeyword(command)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the full traceback of an error.")
def main(debug):
    """Check the claims of five papers on projection-free and proximal methods.

    \b
      projfree reproduce NCGS-C3                      rebuild one claim or figure
      projfree claims ncgs                            show the verdicts on a paper
      projfree complete my-ratings.csv                predict missing ratings
      projfree try my.py --on ncgs:fig1-right         compare your own method
      projfree judge --from reports/reference         check the published verdicts

    Most commands take --run quick (minutes; the default) or --run full (hours). Call them in the project's
    folder. `make quick` runs the whole study at small size.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
