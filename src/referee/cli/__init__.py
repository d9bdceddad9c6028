"""`projfree …`: the commands the workflow calls and people can call too."""

import ast
from importlib import import_module
from keyword import iskeyword
from pathlib import Path

import click

from projfree.ground import threads
from projfree.ground.names import unknown

threads.one_each()

#: Commands by the module that has them, which is loaded only when one of them is asked for.
HOME = {
    ".runs": ("instance", "tune", "run", "bundle", "solvers", "compile"),
    ".evidence": ("tidy", "calibrate", "judge", "claims", "table", "under-alternatives", "inverse"),
    ".report": ("figure", "page", "index", "publish", "restore"),
    ".reproduce": ("reproduce",),
    ".archive": ("archive",),
    ".compare": ("compare",),
    ".looking": ("status", "plan", "schemas"),
    ".trial.command": ("try",),
    ".complete.command": ("complete",),
    ".data": ("data",),
    ".results": ("results",),
    ".trace": ("trace",),
}
MODULE = {name: module for module, names in HOME.items() for name in names}


class Group(click.Group):
    """Turns the errors that users can mend into one clear line; loads commands only when asked for."""

    def list_commands(self, ctx):
        """All commands."""
        return sorted([*super().list_commands(ctx), *MODULE])

    def get_command(self, ctx, name):
        """A command by name."""
        if name not in MODULE:
            return super().get_command(ctx, name)
        function = name.replace("-", "_") + "_" * iskeyword(name)
        return getattr(import_module(MODULE[name], __package__), function)

    def format_commands(self, ctx, formatter):
        """The list of commands, with the first sentences of their docstrings, read without importing them."""
        limit = formatter.width - 6 - max(map(len, MODULE))
        told = {name: text for module in HOME for name, text in _docstrings(module).items()}
        rows = [
            (n, click.Command(n, help=told[n]).get_short_help_str(limit)) for n in self.list_commands(ctx)
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

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


def _docstrings(module):
    """Docstrings of a module's commands by the commands' names."""
    tree = ast.parse(
        Path(__file__).parent.joinpath(*module.split(".")).with_suffix(".py").read_text(encoding="utf-8")
    )
    nodes = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    functions = {node.name.rstrip("_").replace("_", "-"): node for node in nodes}
    return {name: ast.get_docstring(functions[name]) for name in HOME[module]}


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show tracebacks of errors that otherwise are one line.")
def main(debug):
    """Replication of five papers on projection-free and proximal optimisation.

    The workflow (`snakemake --cores 2`) calls these commands; each also works by hand, from the project's
    folder:

    \b
      projfree solvers                                   what solvers there are, with their parameters
      projfree run ncgs fig1-left ncgs-2                 one run of the quick size, to a trace
      projfree trace show results/quick/traces/…h5       what a trace holds
      projfree complete my-ratings.csv                   fit your own ratings, beside the replication
      projfree claims ncgs --run full                    the verdicts in the terminal
    """  # noqa: D301 - click's mark for a block that is not to be wrapped
