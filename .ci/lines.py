"""Print the lines of Python of each room against its target; it fails nothing."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Room → lines that it should have at most. Tests of papers count as tests.
TARGETS = {
    "src/projfree": 19_000,
    "src/ratings": 2_400,
    "src/referee/common": 500,
    "src/referee/study": 2_000,
    "src/referee/data": 2_500,
    "src/referee/jobs": 800,
    "src/referee/evidence, src/referee/judge": 2_800,
    "src/referee/report": 2_000,
    "src/referee/publish": 700,
    "src/referee/cli": 1_000,
    "papers": 6_200,
    "tests": 27_000,
}


def main():
    """A row a room, then all together."""
    counts = dict.fromkeys(TARGETS, 0)
    for path in [file for top in ("src", "papers", "tests") for file in (ROOT / top).rglob("*.py")]:
        place = path.relative_to(ROOT).as_posix()
        place = "tests/" if "/tests/" in place else place
        room = next((room for room in TARGETS if place.startswith(tuple(room.split(", ")))), None)
        if room:
            counts[room] += len(path.read_text(encoding="utf-8").splitlines())
    rows = [(room, counts[room], target) for room, target in TARGETS.items()]
    for room, lines, target in [*rows, ("all", sum(counts.values()), sum(TARGETS.values()))]:
        print(f"{room:40} {lines:7,} of {target:7,}  {lines - target:+7,}")


if __name__ == "__main__":
    main()
