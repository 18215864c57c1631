"""Makes a large static feed of a real one: its rows again and again, each time with other identifiers.

    make_feed.py FEED.zip STOP_TIMES TARGET.zip

Stops, routes, trips, services and shapes of each copy are its own; places and times are those of the first. The same
feed and number give the same bytes.
"""
import csv
import io
import sys
import zipfile

IDENTIFIERS = {"stop_id", "parent_station", "route_id", "trip_id", "service_id", "shape_id", "from_stop_id",
               "to_stop_id"}
REPEATED = {"stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt", "calendar_dates.txt",
            "shapes.txt", "frequencies.txt", "transfers.txt"}
MARK = "\x01"  # after each identifier, where the number of the copy goes


def marked(text):
    """Rows without the header, as CSV with a mark after each identifier; and the header."""
    rows = csv.reader(io.StringIO(text.lstrip("\ufeff")))
    header = next(rows)
    places = [place for place, name in enumerate(header) if name.strip() in IDENTIFIERS]
    body = io.StringIO()
    writer = csv.writer(body, lineterminator="\n")
    count = 0
    for row in rows:
        for place in places:
            if place < len(row) and row[place]:
                row[place] += MARK
        writer.writerow(row)
        count += 1
    return ",".join(header) + "\n", body.getvalue(), count


def main():
    source, wanted, target = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with zipfile.ZipFile(source) as feed:
        texts = {name: feed.read(name).decode("utf-8-sig") for name in sorted(feed.namelist())}
    rows = marked(texts["stop_times.txt"])[2]
    copies = -(-wanted // rows)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as feed:
        for name, text in texts.items():
            # A time of its own choosing, so that the bytes are the same in every run.
            entry = zipfile.ZipInfo(name, (2017, 11, 18, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            with feed.open(entry, "w") as file:
                if name not in REPEATED:
                    file.write(text.encode())
                    continue
                header, body, _ = marked(text)
                file.write(header.encode())
                for copy in range(copies):
                    file.write(body.replace(MARK, "_%d" % copy if copy else "").encode())
    print("%s: %d copies, %d stop times" % (target, copies, copies * rows), file=sys.stderr)


main()
