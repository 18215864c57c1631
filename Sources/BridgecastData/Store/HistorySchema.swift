// The tables of the history store and how they came to be, one migration after another.
internal import GRDB

enum HistorySchema {
    static var migrations: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: files, openings, coverage") { database in
            try database.execute(
                sql: """
                    CREATE TABLE file (
                        sha256 TEXT PRIMARY KEY, name TEXT NOT NULL, form TEXT NOT NULL,
                        rows INTEGER NOT NULL, ingestedAt INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE opening (
                        bridge INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER,
                        file TEXT NOT NULL REFERENCES file(sha256), number INTEGER NOT NULL,
                        CHECK (end IS NULL OR end >= start)
                    ) STRICT;
                    CREATE UNIQUE INDEX openingIdentity
                        ON opening(bridge, start, ifnull(end, -1));
                    CREATE TABLE coverage (
                        bridge INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
                        file TEXT NOT NULL REFERENCES file(sha256),
                        PRIMARY KEY (bridge, start, end, file), CHECK (end > start)
                    ) STRICT;
                    """)
        }
        // A feed's rows are known by its own ids, so that a corrected row replaces the old one; the
        // cursor stands in the same database, so that page and cursor are committed together.
        migrator.registerMigration("2: synced feeds and live observations") { database in
            try database.execute(
                sql: """
                    CREATE TABLE feed (
                        name TEXT PRIMARY KEY, updatedAt TEXT, seen INTEGER NOT NULL, lastRow TEXT,
                        etag TEXT, completedAt INTEGER
                    ) STRICT;
                    CREATE TABLE syncedRow (
                        feed TEXT NOT NULL REFERENCES feed(name), row TEXT NOT NULL,
                        bridge INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER,
                        PRIMARY KEY (feed, row), CHECK (end IS NULL OR end >= start)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE syncedCoverage (
                        feed TEXT NOT NULL REFERENCES feed(name), bridge INTEGER NOT NULL,
                        start INTEGER NOT NULL, end INTEGER NOT NULL,
                        PRIMARY KEY (feed, bridge, start), CHECK (end > start)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE observedOpening (
                        bridge INTEGER NOT NULL, start INTEGER NOT NULL,
                        startIsKnown INTEGER NOT NULL, end INTEGER,
                        PRIMARY KEY (bridge, start), CHECK (end IS NULL OR end >= start)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE observedPeriod (
                        bridge INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
                        PRIMARY KEY (bridge, start), CHECK (end >= start)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        return migrator
    }
}
