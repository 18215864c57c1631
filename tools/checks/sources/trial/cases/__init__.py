"""All topics together: their rows, and what their rows' files hold. A new topic is a module here, named below."""
import databases
from cases import (files, live, models, network, output, records, replays, roads, routers, routes, serving, sharing,
                   stores, usage)

# In the order in which they are run.
TOPICS = [usage, stores, sharing, output, records, routes, roads, live, models, network, routers, replays, serving]
# What waits comes first, so that the rest goes on beside it.
ROWS = sorted([row for topic in TOPICS for row in topic.ROWS], key=lambda row: not row.waits)


def together(kind):
    """What topics have of a kind, by name; a name means one thing."""
    found = {}
    for topic in [files, databases, *TOPICS]:
        for name, value in getattr(topic, kind, {}).items():
            assert name not in found, "%s stands twice in the %s of cases" % (name, kind)
            found[name] = value
    return found


# A file's name to its content; what is neither text nor bytes is written as JSON.
CONTENT = together("CONTENT")
# A file's name to the function of a place and a path that makes it.
MAKERS = together("MAKERS")
# Names that stand for a text, not for a file.
VALUES = together("VALUES")
# Names that stand for the address of a server, to the function of a place that starts it.
SERVERS = together("SERVERS")
