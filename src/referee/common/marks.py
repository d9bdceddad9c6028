"""The computed parts of a written document, each between two marks."""


def between(text: str, name: str, body: str) -> str:
    """The text with the part between the lines ``<!-- name -->`` and ``<!-- /name -->`` replaced.

    A name may go on after a colon, which its closing mark leaves out.

    Raises
    ------
    ValueError
        If the text lacks one of the marks.
    """
    begin, end = f"<!-- {name} -->", f"<!-- /{name.partition(':')[0]} -->"
    head, opening, rest = text.partition(begin)
    _, closed, tail = rest.partition(end)
    if not opening or not closed:
        raise ValueError(f"README.md lacks the lines {begin} and {end}")
    return f"{head}{begin}\n{body}\n{end}{tail}"
