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
        return migrator
    }
}
