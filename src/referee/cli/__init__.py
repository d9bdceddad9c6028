"""`projfree …`: the commands the workflow calls and people can call too."""

import ast
from functools import cache
from importlib import import_module
from keyword import iskeyword
from pathlib import Path

import click

from projfree.ground import threads
from projfree.ground.names import unknown

threads.one_each()

#: Commands by whom they are for, each with its module, which is loaded only when the command is asked for;
#: in the order in which one comes to need them.
SECTIONS = {
    "For people": {
        "solvers": ".runs",
        "run": ".runs",
        "trace": ".looking",
        "data": ".data",
        "plan": ".looking",
        "status": ".looking",
        "claims": ".evidence",
        "reproduce": ".reproduce",
        "compare": ".compare",
        "try": ".trial.command",
        "complete": ".complete.command",
        "merge": ".results",
        "results": ".results",
        "publish": ".report",
        "archive": ".archive",
    },
    "For the workflow": {
        "compile": ".runs",
        "instance": ".runs",
        "tune": ".runs",
        "bundle": ".runs",
        "tidy": ".evidence",
        "judge": ".evidence",
        "draw": ".drawing",
        "page": ".report",
        "calibrate": ".evidence",
    },
}
MODULE = {name: module for commands in SECTIONS.values() for name, module in commands.items()}


class Group(click.Group):
    """Turns the errors that users can mend into one clear line; loads commands only when asked for."""

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
                formatter.write_dl([(name, _sentence(name)) for name in commands])

    def invoke(self, ctx):
        """Run a command."""
        try:
            return super().invoke(ctx)
        except click.exceptions.NoSuchCommand as error:
            group = error.ctx.command
            told = unknown(
                "command", error.command_name, group.list_commands(error.ctx), error.ctx.command_path
            )
            raise click.UsageError(told, error.ctx) from None
        except BrokenPipeError:  # who read the output has read enough: click ends in silence
            raise
        except (ValueError, OSError, ArithmeticError) as error:
            if ctx.params.get("debug"):
                raise
            raise click.ClickException(str(error)) from error
        except MemoryError as error:
            raise click.ClickException(f"out of memory ({str(error) or 'no more is to be had'})") from error


def _sentence(name):
    """The first sentence of a command's docstring."""
    (function,) = (node for node in _functions(MODULE[name]) if node.name == _function_name(name))
    return " ".join(ast.get_docstring(function).partition("\n\n")[0].split())


@cache
def _functions(module):
    """The functions of a module, which is read and not imported."""
    path = Path(__file__).parent.joinpath(*module.split(".")).with_suffix(".py")
    return [n for n in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(n, ast.FunctionDef)]


def _function_name(command):
    return command.replace("-", "_") + "_" * iskeyword(command)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def main(debug):
    """Replication of five papers on projection-free and proximal optimisation.

    \b
      projfree solvers                          the solvers and their parameters
      projfree run ncgs fig1-left ncgs-2        one small run, to a trace
      projfree trace results/quick/traces/…h5   what a trace holds
      projfree claims ncgs --run full           verdicts in the terminal
      projfree complete my-ratings.csv          fit your own ratings

    `snakemake --cores 2` runs the whole study. Call both from the project's folder.
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
