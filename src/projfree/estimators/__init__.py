"""The methods as scikit-learn's estimators; scikit-learn comes with the extra ``estimators``."""

from ..ground import registry


def __getattr__(name):
    module = registry.named(__name__, name)
    return getattr(registry.load(__name__, module), name)


def __dir__():
    return registry.contents(__name__)
