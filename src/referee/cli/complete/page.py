"""One page about a fit: what was chosen, the path as a figure and as a table."""

from io import StringIO
from pathlib import Path as FilePath

import jinja2
import numpy as np

from projfree.completion.choice import Path
from projfree.completion.fitting import Setting
from projfree.completion.ratings import Ratings
from projfree.ground.sealed import atomic_write

from ...report.style import MPLSTYLE

SO_FAR = "the best of the λ that were tried so far, roughly fitted and on a part of the ratings only"


def write_page(path, ratings: Ratings, fitted: Path, setting: Setting, name: str) -> None:
    """HTML in one file: no scripts, nothing loaded."""
    folder = jinja2.FileSystemLoader(FilePath(__file__).parent)
    template = jinja2.Environment(loader=folder, autoescape=True).get_template("page.html.j2")
    fit, mean = fitted.fit, fitted.errors.mean(axis=1)
    shown = template.render(
        name=name,
        ratings=ratings,
        setting=setting,
        fit=fit,
        baseline=fitted.baseline,
        rmse=mean[fitted.best],
        sd=fitted.errors[fitted.best].std(),
        interrupted=fitted.interrupted and SO_FAR,
        at_end=fitted.best == len(fitted.weights) - 1,
        figure=path_figure(fitted),
        rows=list(
            zip(fitted.weights, mean, fitted.errors.std(axis=1), fitted.ranks.mean(axis=1), strict=True)
        ),
        best=fitted.best,
        folds=fitted.errors.shape[1],
    )
    atomic_write(path, shown)


def path_figure(fitted: Path) -> str:
    """Error and rank against λ, as SVG."""
    import matplotlib.pyplot as plt  # takes a second to load

    weights, best = np.array(fitted.weights), fitted.weights[fitted.best]
    with plt.style.context([MPLSTYLE, {"svg.fonttype": "none"}]):
        figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
        mean, sd = fitted.errors.mean(axis=1), fitted.errors.std(axis=1)
        axes[0].errorbar(weights, mean, sd, marker="o", capsize=3, color="#0072B2")
        axes[0].axhline(fitted.baseline, color="black", linestyle="dashed", label="offsets alone")
        axes[0].legend()
        axes[1].plot(weights, fitted.ranks.mean(axis=1), marker="o", color="#009E73")
        labels = "cross-validated RMSE, ± 1 sd of the folds", "rank of the factors, mean of the folds"
        for axis, label in zip(axes, labels, strict=True):
            axis.set(xscale="log", xlabel="penalty weight λ", title=label)
            axis.invert_xaxis()
            axis.axvline(best, color="#7A7A7A", linestyle="dotted")
        text = StringIO()
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
        plt.close(figure)
    return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]
