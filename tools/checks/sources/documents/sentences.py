"""How long sentences are, which is printed, and a limit for README."""
import re
import statistics

from blocks import blocks
from findings import README, ROOT, fail

MOST_LINES, MEDIAN_WORDS, LONG_WORDS, MOST_LONG = 165, 16, 28, 0.1


def sentences(path):
    for block in blocks(path):
        if block.kind == "prose" and not block.text.startswith(("<doc:", "``", "@", "![")):
            text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", block.text.replace("\n", " ")).replace("**", "")
            for sentence in re.split(r"(?<=[^\s.][.!?])[\"')*]*\s+(?=[\"'`(*]*[A-Z0-9`])", text):
                words = [word for word in sentence.split() if re.search(r"\w", word)]
                if words:
                    yield block.line, len(words), sentence


def check_sentences(path):
    lengths = sorted(length for _, length, _ in sentences(path))
    if not lengths:
        return
    median, long = statistics.median(lengths), sum(length >= LONG_WORDS for length in lengths)
    lines = len(path.read_text(encoding="utf-8").splitlines())
    print(f"{str(path.relative_to(ROOT)):62} {lines:4} lines, {len(lengths):3} sentences, words: median {median:4.1f}, "
          f"nine in ten up to {lengths[-(-9 * len(lengths) // 10) - 1]:2}, longest {lengths[-1]}")
    if path != README:
        return
    if lines > MOST_LINES:
        fail(path, lines, f"{lines} lines; at most {MOST_LINES}: the rest belongs in an article")
    if median >= MEDIAN_WORDS:
        fail(path, 1, f"the median sentence has {median} words; under {MEDIAN_WORDS} is wanted")
    if long > MOST_LONG * len(lengths):
        for line, length, sentence in sentences(path):
            if length >= LONG_WORDS:
                fail(path, line, f"{long} of {len(lengths)} sentences are too long, this one with {length} words: {sentence[:60]}")
