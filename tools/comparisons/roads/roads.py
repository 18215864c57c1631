"""Bridgecast's ways and minutes against published times and other programs; tools/comparisons/roads/compare runs it."""
import argparse
import pathlib

import commutes
import peers

ROOT = pathlib.Path(__file__).resolve().parents[3]


def print_commutes(options, parser):
    if len(options.places) not in (0, 2):
        parser.error("give both ends of a trip, or none")
    trips = [(*options.places, None)] if options.places else commutes.COMMUTES
    show = commutes.print_directions if options.directions else commutes.print_table
    show(options.program, options.date, trips)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=str(ROOT / ".build/release/bridgecast"))
    parser.add_argument("--date", default="2026-02-24")
    commands = parser.add_subparsers(dest="command", required=True)
    table = commands.add_parser("commutes", help="the table of the article Twenty commutes")
    table.add_argument("places", nargs="*", metavar="PLACE", help="the two ends of one trip, instead of all twenty")
    table.add_argument("--directions", action="store_true", help="the steps of every way instead of the table")
    commands.add_parser("published", help="published times and ours, of the article Road comparisons")
    others = commands.add_parser("peers", help="random trips by the reference, routino, predict and a service")
    others.add_argument("extract", help="the OpenStreetMap extract that the roads were made of")
    others.add_argument("--trips", type=int, default=100)
    others.add_argument("--at", default="03:00", help="time of day; traffic is constant at the default, 03:00")
    others.add_argument("--folder", default="/tmp/roads-routino", help="where routino's database is kept")
    others.add_argument("--service", help="address of a running `bridgecast serve --replay` of that time")
    options = parser.parse_args()
    if options.command == "commutes":
        print_commutes(options, table)
    elif options.command == "published":
        commutes.print_published(options.program, options.date)
    else:
        peers.compare(options)


if __name__ == "__main__":
    main()
