"""Links and paths that lead somewhere, and articles that can be reached."""
import glob
import re
import urllib.parse

from texts import CATALOGUE, README, ROOT, blocks, counts, fail, spans, uncoded

# Clicks from README to any article.
CLICKS = 2
# Paths of this repository in code spans.
PATH = re.compile(r"(?<![\w./~$-])(?:tools|Sources|Tests|models|training-data)/[\w./*+{},-]*")


def slug(heading):
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def links(path):
    for block in blocks(path):
        if block.kind in ("prose", "row", "heading"):
            text = uncoded(block.text)
            for match in re.finditer(r"(!?)\[[^\]]*\]\(<?([^)>\s]*)>?[^)]*\)", text):
                yield block.line + text.count("\n", 0, match.start()), bool(match[1]), match[2]


def check_links(path):
    """Checks a file's links; returns the files that they lead to."""
    reached = set()
    for line, image, target in links(path):
        if re.match(r"[a-z][a-z+.-]*:", target):
            continue
        counts["links"] += 1
        name, _, anchor = target.partition("#")
        aim = (path.parent / urllib.parse.unquote(name)).resolve() if name else path
        if not aim.is_relative_to(ROOT):
            fail(path, line, f"the link {target} leads out of the repository")
        elif not aim.exists():
            fail(path, line, f"the link {target} leads to nothing")
        elif image and CATALOGUE in path.parents and "/" in name:
            fail(path, line, f"DocC finds the picture {target} by its name alone: put it next to the article")
        elif anchor and aim.suffix == ".md" and anchor not in {slug(b.text) for b in blocks(aim)
                                                               if b.kind == "heading"}:
            fail(path, line, f"{aim.name} has no section #{anchor}")
        reached.add(aim)
    return reached


def check_reach(articles, reached):
    """Every article is reached from README in two clicks, and has its place among the topics of the root page."""
    near = {README}
    for _ in range(CLICKS):
        near |= {aim for path in near for aim in reached.get(path, ())}
    topics = CATALOGUE / "Bridgecast.md"
    curated = set(re.findall(r"^- <doc:([^>]+)>", topics.read_text(encoding="utf-8"), re.MULTILINE))
    for article in articles:
        if article == topics:
            continue
        if article not in near:
            fail(article, 1, f"README does not lead here in {CLICKS} clicks")
        if article.stem.replace(" ", "-") not in curated:
            fail(article, 1, "Bridgecast.md has no topic for this article")
        kinds = [block.kind for block in blocks(article)[:2]]
        if kinds != ["heading", "prose"]:
            fail(article, 1, "an article begins with its title and a sentence about its purpose")


def alternatives(path):
    match = re.search(r"\{([^{}]*,[^{}]*)\}", path)
    if not match:
        return [path]
    return [one for part in match[1].split(",")
            for one in alternatives(path[:match.start()] + part + path[match.end():])]


def check_paths(path):
    for block in blocks(path):
        for line, text in spans(block):
            for match in PATH.findall(text):
                for one in alternatives(match.rstrip(".,")):
                    counts["paths"] += 1
                    if not glob.glob(str(ROOT / one)):
                        fail(path, line, f"there is no {one}")
