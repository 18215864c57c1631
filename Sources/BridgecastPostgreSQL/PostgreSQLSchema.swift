// The tables of a store in a schema of a database, version by version, and whose a schema is.
#if PostgreSQL
    internal import BridgecastStore

    /// The tables, and the row that says whose they are.
    enum PostgreSQLSchema {
        /// What the row of the table `store` says about the program.
        static let application = "bridgecast history"

        /// The version that this program reads and writes.
        static var currentVersion: Int64 { Int64(steps.count) }

        static let tables =
            ["store"] + StoreTable.allCases.map(\.rawValue)
            + ["replicaHead", "replicaEntry", "replicaDocument"]

        /// Of locks (see ``PostgreSQLConnection/tryLock(_:_:)``): the one that writes to a schema.
        static let writerLock: Int32 = 0x4243_5354

        /// The version of the store in a schema, 0 where there is no table yet; nothing is written.
        ///
        /// - Throws: ``StoreProblem`` for a schema of another program or cluster, or ``PostgreSQLError``.
        static func version(
            of address: DatabaseAddress, by connection: PostgreSQLConnection
        ) throws
            -> Int64
        {
            let schema = address.schema
            let columns = try connection.execute(
                """
                SELECT count(*), count(*) FILTER (WHERE relname = 'store') FROM pg_class
                JOIN pg_namespace ON pg_namespace.oid = relnamespace
                WHERE nspname = $1 AND relkind IN ('r', 'v', 'm', 'p', 'f')
                """, [.text(schema)])
            guard let row = columns.values.first, row != [0, 0] else { return 0 }
            let foreign = StoreProblem.otherSchema(
                "the schema \(schema) has tables of another program, and is not changed; name another one with ?schema=NAME"
            )
            guard row[1] == 1 else { throw foreign }
            let stored: PostgreSQLConnection.Rows
            do throws(PostgreSQLError) {
                stored = try connection.execute(
                    "SELECT application, version, cluster FROM \(PostgreSQLConnection.quoted(schema)).store"
                )
            } catch {
                // It has no such column.
                guard error.state == "42703" else { throw error }
                throw foreign
            }
            guard stored.values.count == 1, stored.values[0][0] == .text(application),
                case .integer(let version) = stored.values[0][1],
                case .text(let cluster) = stored.values[0][2]
            else { throw foreign }
            guard cluster == address.cluster else {
                throw StoreProblem.otherSchema(
                    "the store belongs to the cluster '\(cluster)', not to '\(address.cluster)'; name another schema, or "
                        + "the cluster with ?cluster=\(cluster)")
            }
            guard version <= currentVersion else { throw StoreProblem.newer }
            return version
        }

        /// Creates the tables, or migrates an older store; call it in a transaction that has the writer's lock.
        static func migrate(
            _ address: DatabaseAddress, by connection: PostgreSQLConnection
        ) throws {
            let version = try version(of: address, by: connection)
            let schema = PostgreSQLConnection.quoted(address.schema)
            let known = try connection.execute(
                "SELECT 1 FROM pg_namespace WHERE nspname = $1", [.text(address.schema)])
            // IF NOT EXISTS would need the right to create schemas, also where there is one.
            if known.values.isEmpty { try connection.executeAll("CREATE SCHEMA \(schema)") }
            try connection.executeAll("SET LOCAL search_path TO \(schema)")
            for step in steps.dropFirst(Int(version)) { try connection.executeAll(step) }
            try connection.execute(
                """
                INSERT INTO store (application, version, cluster) VALUES ($1, $2, $3)
                ON CONFLICT (number) DO UPDATE SET version = excluded.version
                """,
                [.text(application), .integer(currentVersion), .text(address.cluster)])
        }

        /// The SQL of a log's id that none has had.
        static let newLogID = "md5(random()::text || clock_timestamp()::text)"

        /// The first is as in the store of SQLite, whose two steps are one here.
        private static let steps = [
            """
            CREATE TABLE store (
                number INTEGER PRIMARY KEY DEFAULT 1 CHECK (number = 1),
                application TEXT NOT NULL, version BIGINT NOT NULL, cluster TEXT NOT NULL
            );
            CREATE TABLE file (
                sha256 TEXT PRIMARY KEY, name TEXT NOT NULL, form TEXT NOT NULL,
                rows BIGINT NOT NULL, ingestedAt BIGINT NOT NULL
            );
            CREATE TABLE opening (
                bridge BIGINT NOT NULL, start BIGINT NOT NULL, "end" BIGINT,
                file TEXT NOT NULL REFERENCES file(sha256), number BIGINT NOT NULL,
                CHECK ("end" IS NULL OR "end" >= start)
            );
            CREATE UNIQUE INDEX openingIdentity ON opening (bridge, start, coalesce("end", -1));
            CREATE TABLE coverage (
                bridge BIGINT NOT NULL, start BIGINT NOT NULL, "end" BIGINT NOT NULL,
                file TEXT NOT NULL REFERENCES file(sha256),
                PRIMARY KEY (bridge, start, "end", file), CHECK ("end" > start)
            );
            CREATE TABLE feed (
                name TEXT PRIMARY KEY, updatedAt TEXT, seen BIGINT NOT NULL, lastRow TEXT,
                etag TEXT, completedAt BIGINT
            );
            CREATE TABLE syncedRow (
                feed TEXT NOT NULL REFERENCES feed(name), "row" TEXT NOT NULL,
                bridge BIGINT NOT NULL, start BIGINT NOT NULL, "end" BIGINT,
                PRIMARY KEY (feed, "row"), CHECK ("end" IS NULL OR "end" >= start)
            );
            CREATE TABLE syncedCoverage (
                feed TEXT NOT NULL REFERENCES feed(name), bridge BIGINT NOT NULL,
                start BIGINT NOT NULL, "end" BIGINT NOT NULL,
                PRIMARY KEY (feed, bridge, start), CHECK ("end" > start)
            );
            CREATE TABLE observedOpening (
                bridge BIGINT NOT NULL, start BIGINT NOT NULL,
                startIsKnown BIGINT NOT NULL, "end" BIGINT,
                PRIMARY KEY (bridge, start), CHECK ("end" IS NULL OR "end" >= start)
            );
            CREATE TABLE observedPeriod (
                bridge BIGINT NOT NULL, start BIGINT NOT NULL, "end" BIGINT NOT NULL,
                PRIMARY KEY (bridge, start), CHECK ("end" >= start)
            );
            """,
            // The log of the replicas; see ``PostgreSQLReplicaLog``.
            """
            CREATE TABLE replicaHead (
                number INTEGER PRIMARY KEY DEFAULT 1 CHECK (number = 1),
                logID TEXT NOT NULL, term BIGINT NOT NULL, sequence BIGINT NOT NULL,
                event BIGINT NOT NULL
            );
            INSERT INTO replicaHead (logID, term, sequence, event)
            VALUES (\(newLogID), 0, 0, 0);
            CREATE TABLE replicaEntry (
                sequence BIGINT PRIMARY KEY, term BIGINT NOT NULL, firstEvent BIGINT NOT NULL,
                events BIGINT NOT NULL, isPublication BOOLEAN NOT NULL, record TEXT NOT NULL
            );
            CREATE TABLE replicaDocument (
                feed TEXT PRIMARY KEY, number BIGINT NOT NULL, bytes BYTEA,
                requestedAt BIGINT NOT NULL, problem TEXT
            );
            """,
        ]
    }
#endif
