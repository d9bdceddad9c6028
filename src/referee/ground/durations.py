"""A length of time in words."""


def duration_text(seconds: float) -> str:
    """``42 s``, ``351 s``, ``12 min``, ``1 h 46 min``: two or three digits say enough."""
    if seconds < 600:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
