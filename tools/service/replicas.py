#!/usr/bin/env python3
"""Runs replicas of the route service until Ctrl-C; tools/service/replicas starts it once everything is there."""
import pathlib
import signal
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "shared"))

from checks import parser
from replica_cluster import cluster


def main():
    options = parser(__doc__)
    options.add_argument("--replicas", type=int, default=3)
    options.add_argument("--port", type=int, default=8080)
    options, rest = options.parse_known_args()
    # Everything ends with this program, whatever ends it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="bridgecast-replicas-") as folder:
        # Others may look into it: the server has another user.
        pathlib.Path(folder).chmod(0o755)
        with cluster(folder, options.replicas, rest, port=options.port) as (_, replicas, proxy):
            for replica in replicas:
                print("replica %d: %s%s" % (replica.number, replica.address, ", polls" if replica.polls() else ""))
            print("the service: %s" % proxy.address, flush=True)
            try:
                signal.pause()
            except KeyboardInterrupt:
                print()


if __name__ == "__main__":
    main()
