"""One page about a fit: what was chosen, the path as a figure and as a table."""

from io import StringIO
from pathlib import Path as FilePath

import jinja2
import numpy as np

from ..completion.fitting import Path, Setting
from ..completion.ratings import Ratings
from ..ground.sealed import atomic_write
from ..report.style import MPLSTYLE


def write_page(path, ratings: Ratings, fitted: Path, setting: Setting, name: str) -> None:
    """HTML in one file: no scripts, nothing loaded."""
    folder = jinja2.FileSystemLoader(FilePath(__file__).parent)
    template = jinja2.Environment(loader=folder, autoescape=True).get_template("page.html.j2")
    fit, mean = fitted.fits[-1], fitted.errors.mean(axis=1)
    shown = template.render(
        name=name,
        ratings=ratings,
        setting=setting,
        fit=fit,
        baseline=fitted.baseline,
        rmse=mean[fitted.best],
        sd=fitted.errors[fitted.best].std(),
        at_end=fitted.best == len(fitted.weights) - 1,
        figure=path_figure(fitted),
        rows=_rows(fitted, mean),
    )
    atomic_write(path, shown)


def _rows(fitted, mean):
    fits = fitted.fits + [None] * (len(fitted.weights) - len(fitted.fits))
    return list(zip(fitted.weights, mean, fitted.errors.std(axis=1), fits, strict=True))


def path_figure(fitted: Path) -> str:
    """Error, rank and objective against λ, as SVG."""
    import matplotlib.pyplot as plt  # takes a second to load

    weights = np.array(fitted.weights)
    done, best = weights[: len(fitted.fits)], fitted.weights[fitted.best]
    with plt.style.context([MPLSTYLE, {"svg.fonttype": "none"}]):
        figure, axes = plt.subplots(1, 3, figsize=(10, 3.2), layout="constrained")
        mean, sd = fitted.errors.mean(axis=1), fitted.errors.std(axis=1)
        axes[0].errorbar(weights, mean, sd, marker="o", capsize=3, color="#0072B2")
        axes[0].axhline(fitted.baseline, color="black", linestyle="dashed", label="offsets alone")
        axes[0].legend()
        axes[1].plot(done, [fit.rank for fit in fitted.fits], marker="o", color="#009E73")
        axes[2].plot(done, [fit.objective for fit in fitted.fits], marker="o", color="#D55E00")
        labels = "cross-validated RMSE, ± 1 sd of the folds", "rank of the factors", "objective F"
        for axis, label in zip(axes, labels, strict=True):
            axis.set(xscale="log", xlabel="penalty weight λ", title=label)
            axis.invert_xaxis()
            axis.axvline(best, color="#7A7A7A", linestyle="dotted")
        text = StringIO()
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
        plt.close(figure)
    return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]
