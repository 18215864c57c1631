"""How long files and functions are, in Swift, C, Python and the page's JavaScript, and how functions take their parameters.

A function's length is its body: the lines between its opening and its closing line. Swift, C and JavaScript are read by their
indentation, which the formatter keeps; Python by its own parser.
"""
import ast
import pathlib
import re
import subprocess

MAX_FUNCTION, MAX_P90, LONG_FILE, MAX_FILE, MAX_UNLABELLED = 60, 20, 400, 800, 3

SWIFT = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z]+(?:\([a-z]+\))?\s+)*(?:func\b|init[?(<]|deinit\b|subscript\b)")
C = re.compile(r"^(?!typedef|struct|enum|union|extern|#)[A-Za-z_][\w *]*\b\w+\(")
JAVASCRIPT = re.compile(r"^\s*(?:export )?(?:default )?(?:async )?function\b|^\s*(?:export )?(?:const|let) \w+ = (?:async )?\([^()]*\) => \{$")
UNLIKE = re.compile(r"^\s*\((?P<left>(?:self\.)?\w[\w.\[\]]*(?:, (?:self\.)?\w[\w.\[\]]*)+)\) = (?:unsafe )?\((?P<right>.+)\)$")


def language(path):
    ending = path.suffix
    if ending in (".swift", ".c", ".h", ".py", ".js", ".mjs"):
        return {".swift": "Swift", ".c": "C", ".h": "C", ".py": "Python"}.get(ending, "JavaScript")
    if not ending:
        with open(path, "rb") as file:
            return "Python" if re.match(rb"#!.*python", file.readline()) else None
    return None


def sources(root):
    """Files that people write: what git tracks or would, without generated code and what the page fetches."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "Sources", "Tests", "tools"],
                            capture_output=True, text=True).stdout
    paths = [root / name for name in listed.split("\0") if name] or [path for folder in ("Sources", "Tests", "tools")
                                                                      for path in (root / folder).rglob("*")]
    return sorted({path for path in paths if path.is_file() and not path.is_symlink() and not path.name.endswith((".pb.swift", ".min.js"))
                   and not {"vendor", ".build"} & set(path.parts) and language(path)})


def indented(lines, start):
    """Functions that begin with a line that `start` finds: line number, length, signature."""
    for number, line in enumerate(lines):
        if not start.match(line):
            continue
        indent = len(line) - len(line.lstrip())
        opening = next((at for at in range(number, min(number + 30, len(lines))) if lines[at].rstrip().endswith(("{", "}", ";"))), None)
        if opening is None or not lines[opening].rstrip().endswith("{"):
            continue
        closing = next((at for at in range(opening + 1, len(lines)) if lines[at].startswith(" " * indent + "}")), len(lines))
        yield number + 1, closing - opening - 1, " ".join(part.strip() for part in lines[number:opening + 1])


def functions(path, lines):
    kind = language(path)
    if kind == "Python":
        for node in ast.walk(ast.parse("\n".join(lines))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node.lineno, node.end_lineno - node.body[0].lineno + 1, node.name
    else:
        yield from indented(lines, {"Swift": SWIFT, "C": C, "JavaScript": JAVASCRIPT}[kind])


def unlabelled(signature):
    """Parameters of a Swift function without a label."""
    head = re.match(r".*?(?:func [^(]*|init\??(?:<[^>]*>)?|subscript(?:<[^>]*>)?)\((.*)", signature)
    if not head or re.search(r"\bfunc [^\w\s]", signature):
        return 0
    return len(re.findall(r"(?:^|[,(])\s*_ \w+:", "(" + head.group(1)))


def is_golf(line):
    """Whether unlike things are assigned as one tuple; exchanging two values is not."""
    found = UNLIKE.match(line)
    return bool(found) and sorted(found["left"].split(", ")) != sorted(found["right"].split(", "))


def check_functions(root, fail, warn):
    lengths = {}
    for path in sources(root):
        name, lines = path.relative_to(root), path.read_text(encoding="utf-8").splitlines()
        if len(lines) > MAX_FILE:
            fail(f"{name}: {len(lines)} lines; more than {MAX_FILE} are several ideas: give each a file")
        elif len(lines) > LONG_FILE:
            warn(f"{name}: {len(lines)} lines; is it one idea?")
        for number, length, signature in functions(path, lines):
            lengths.setdefault(language(path), []).append(length)
            if length > MAX_FUNCTION:
                fail(f"{name}:{number}: a function of {length} lines; at most {MAX_FUNCTION}")
            # A function of the C interface takes its parameters in C's order.
            exported = "@_cdecl" in lines[number - 1]
            if path.suffix == ".swift" and not exported and unlabelled(signature) > MAX_UNLABELLED:
                fail(f"{name}:{number}: more than {MAX_UNLABELLED} parameters without a label")
        for number, line in enumerate(lines, 1):
            if path.suffix == ".swift" and is_golf(line):
                fail(f"{name}:{number}: a tuple assigns unlike things; one assignment a line")
    for kind, found in sorted(lengths.items()):
        found.sort()
        median, p90 = found[len(found) // 2], found[len(found) * 9 // 10]
        print(f"{kind}: {len(found)} functions, lines: median {median}, p90 {p90}, longest {found[-1]}")
        if p90 > MAX_P90:
            fail(f"{kind}: one function in ten has more than {p90} lines; at most {MAX_P90}")
