"""The page over HTTP, without a browser: everything that its document names is there, and nothing beside it; check.py asks."""
import re

HIDDEN = ("/../../../../README.md", "/core/../../page/main.js", "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/README.md", "/..%2f..%2f..%2f..%2fREADME.md",
          "/vendor/.installed", "//main.js", "/core/", "/core/types.d.ts", "/etc/passwd")


def look_at(probes):
    """Asks for the document and all it names; what is wrong is kept by the probes."""
    status, head, body = probes.ask("GET", "/")
    text = body.decode()
    policy = head["Content-Security-Policy"] or ""
    probes.expect(status == 200 and head["Content-Type"].startswith("text/html"), "the page is there", (status, body[:200]))
    probes.expect("default-src 'none'" in policy and "unsafe" not in policy, "it may run nothing but itself", policy)
    probes.expect(head["Access-Control-Allow-Origin"] is None, "other sites cannot read it", head.items())
    probes.expect(text.count('<th scope="row">') == 7, "seven bridges stand in it", text[-2000:])
    probes.expect("<!-- bridges -->" not in text and " style=" not in text and " onclick=" not in text, "it is filled in, nothing inline")
    named = re.findall(r'(?:href|src)="([^"#]+)"', text)
    probes.expect(len(named) > 20, "it names its modules", named)
    for path in named:
        probes.expect(not re.match(r"(\w+:)?//|/", path), "its paths are relative", path)
        status, head, body = probes.ask("GET", "/" + path)
        probes.expect(status == 200 and body, "%s is there" % path, status)
        again = probes.ask("GET", "/" + path, If_None_Match=str(head["ETag"]))[0]
        probes.expect(head["Cache-Control"] == "no-cache" and again == 304, "%s is not sent twice" % path, again)
    for path in HIDDEN:
        probes.problem(404, "GET", path, code="not_found")
    status, head, _ = probes.ask("GET", "/", Accept_Language="es")
    probes.expect("Accept-Language" in head["Vary"], "the document depends on the language", head["Vary"])
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        probes.problem(405, method, "/main.js", code="method_not_allowed")
