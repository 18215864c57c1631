"""All topics together: their rows, and the content of their rows' files. A new topic is a module here, named below."""
import databases
import rows
from cases import live, network, output, records, roads, routes, serving, stores, usage

# In the order in which they are run.
TOPICS = [usage, stores, output, records, routes, roads, live, network, serving]
# Rows that wait come first, so that the others run at the same time.
ROWS = sorted([row for topic in TOPICS for row in topic.ROWS], key=lambda row: not row.waits)


def together(kind):
    """What topics have of a kind, by name; names are unique."""
    found = {}
    for topic in [rows, databases, *TOPICS]:
        for name, value in getattr(topic, kind, {}).items():
            assert name not in found, "%s is twice in the %s of cases" % (name, kind)
            found[name] = value
    return found


# A file's name to its content; what is neither text nor bytes is written as JSON.
CONTENT = together("CONTENT")
# A file's name to the function of a place and a path that makes it.
MAKERS = together("MAKERS")
# Names of texts, not of files.
VALUES = together("VALUES")
# Names of addresses of servers, to the function of a place that starts one.
SERVERS = together("SERVERS")
