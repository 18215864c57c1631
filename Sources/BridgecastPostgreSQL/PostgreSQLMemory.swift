// Memory that libpq is given or hands out, freed with the object that has it.
#if PostgreSQL
    internal import BridgecastStore
    internal import CPostgreSQL
    private import Glibc

    /// Texts as C has them, freed at its end: one pointer for each, nil for nil, and a nil after the last.
    @safe final class TextList {
        let pointers: [UnsafePointer<CChar>?]

        init(_ texts: [String?]) {
            unsafe pointers =
                texts.map { text in
                    guard let text, let copy = unsafe strdup(text) else { return nil }
                    return unsafe UnsafePointer(copy)
                } + [nil]
        }

        deinit {
            unsafe pointers.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) }
        }
    }

    /// A result of libpq, freed at its end.
    @safe final class CommandResult {
        let handle: OpaquePointer

        init(_ handle: OpaquePointer) { unsafe self.handle = handle }

        deinit { unsafe PQclear(handle) }

        /// What the server refused; nil if it did not.
        var error: PostgreSQLError? {
            let status = unsafe PQresultStatus(handle)
            guard status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE else { return nil }
            // The letters of the protocol's fields of errors: code and message.
            let state = unsafe PQresultErrorField(handle, Int32(UInt8(ascii: "C")))
            let text =
                unsafe PQresultErrorField(handle, Int32(UInt8(ascii: "M")))
                ?? UnsafeMutablePointer(mutating: PQresultErrorMessage(handle))
            return PostgreSQLError(
                unsafe state == nil ? .connection : .command,
                state: unsafe state.map { unsafe String(cString: $0) },
                unsafe text.map { unsafe String(cString: $0) } ?? "no message")
        }

        var rows: PostgreSQLConnection.Rows {
            let columns = unsafe 0..<PQnfields(handle)
            let isInteger = columns.map { column in
                unsafe Self.integerTypes.contains(PQftype(handle, column))
            }
            let values = unsafe (0..<PQntuples(handle)).map { row in
                columns.map { column in
                    value(row, column, isInteger: isInteger[Int(column)])
                }
            }
            let changed = unsafe Int(String(cString: PQcmdTuples(handle))) ?? 0
            return PostgreSQLConnection.Rows(
                columns: columns.map { unsafe String(cString: PQfname(handle, $0)) },
                values: values, count: changed)
        }

        /// int8, int2 and int4 (pg_type.dat).
        private static let integerTypes: Set<Oid> = [20, 21, 23]

        private func value(_ row: Int32, _ column: Int32, isInteger: Bool) -> StoreValue {
            guard unsafe PQgetisnull(handle, row, column) == 0 else { return .null }
            // Safe: row and column are in range, and the text lives as long as the result and has no zero in it.
            let text = unsafe String(cString: PQgetvalue(handle, row, column))
            return isInteger ? Int64(text).map { .integer($0) } ?? .text(text) : .text(text)
        }
    }
#endif
