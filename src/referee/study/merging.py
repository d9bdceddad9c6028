"""How one part of the configuration changes another."""

import copy


def merge(base, change):
    """Deep merge of dictionaries; anything else is replaced, and None removes a key."""
    if not (isinstance(base, dict) and isinstance(change, dict)):
        return change
    merged = dict(base)
    for key, value in change.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(base.get(key), dict):
            merged[key] = merge(base[key], value)
        else:
            merged[key] = copy.deepcopy(value)
    return merged


def without_null(value):
    """The value without the keys of mappings that hold None."""
    if isinstance(value, dict):
        return {key: without_null(part) for key, part in value.items() if part is not None}
    return [without_null(part) for part in value] if isinstance(value, list) else value
