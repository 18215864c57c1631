"""Settings of the service, from options, environment and files, that cannot be meant; nothing is listened on."""
import json

from rows import Row, each

CHECK = "serve --check --replay 2026-02-20 --no-network"
CONTENT = {
    "serve.json": {"http": {"port": 9001, "request_burst": 7.5}, "serve": {"no_store": True}},
    "serve-name.json": {"http": {"prot": 9001}},
    "serve-part.json": {"https": {"port": 9001}},
    "serve-port.json": {"http": {"port": "\x1b[2J"}},
    "serve-nested.json": {"http": {"port": {"number": 1}}},
    "serve-list.json": [1, 2],
    "token-short": "\x1b[2J",
}

ROWS = [
    Row("settings of the service", CHECK + " --config {serve.json}", 0, shown=(
        "everything is in order", "http.port", "default")),
    Row("a port of another world", CHECK + " --port 70000", 64, "--port: '70000' is not a whole number from 0"),
    Row("a port that is no number", CHECK, 64, "BRIDGECAST_HTTP_PORT: '\ufffd[2J' is not a whole number",
        env={"BRIDGECAST_HTTP_PORT": "\x1b[2J"}),
    Row("a variable that is mistyped", CHECK, 64, "is it BRIDGECAST_HTTP_PORT?", env={"BRIDGECAST_HTTP_PROT": "1"}),
    Row("a file's setting that is mistyped", CHECK + " --config {serve-name.json}", 65, "is it http.port?"),
    Row("a file's part that is mistyped", CHECK + " --config {serve-part.json}", 65, "unknown part 'https'"),
    Row("a file's port that is no number", CHECK + " --config {serve-port.json}", 65, "http.port: '\ufffd[2J' is not"),
    Row("a file's port with parts", CHECK + " --config {serve-nested.json}", 65, "http.port: it is not a whole number"),
    Row("a file of settings that is a list", CHECK + " --config {serve-list.json}", 65, "must be a JSON object"),
    Row("a file of settings that is not there", CHECK + " --config /nowhere/x", 66, "there is no such file"),
    Row("a replay of no day", "serve --check --replay soon", 64, "'soon' is not a time"),
    Row("a replay backwards", "serve --check --replay 2026-02-21/2026-02-20", 64, "ends before it begins"),
    Row("a replay of three ends", "serve --check --replay 2026-02-20/2026-02-21/2026-02-22", 64,
        "is neither a day nor FROM/TO"),
    Row("a replay of an unrecorded day", "serve --check --replay 1999-01-01 --no-network", 65, "no covered records"),
    Row("a replay of feeds", CHECK + " --bridges-url http://x", 64, "contradict each other"),
    Row("a speed of nothing", "serve --check --speed 2", 64, "--speed needs --replay"),
    Row("a service of a model that is not there", CHECK + " --model /nowhere/x", 66, "there is no such file"),
    Row("a service of roads that are not there", "serve --check --replay 2026-02-20 --network /nowhere/x", 66,
        "/nowhere/x"),
    Row("an administration without a token", CHECK + " --admin-port 9100", 64, "needs --admin-token-file"),
    Row("a token that could be guessed", CHECK + " --admin-port 9100 --admin-token-file {token-short}", 65,
        "at least 16 characters"),
    Row("a proxy that is no address", CHECK + " --trusted-header X-Real-IP --trusted-proxies someone", 64, "someone"),
]
