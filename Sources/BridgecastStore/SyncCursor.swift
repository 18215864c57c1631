// Where reading a feed's rows stands: HistorySync goes on there, and the store keeps it between runs.
import BridgecastData

/// How far a data set has been read.
package struct SyncCursor: Sendable, Equatable {
    /// The change of the last row read, as SODA writes it; nil before the first.
    package var updatedAt: String?
    /// Rows read that changed at that very moment.
    package var seen = 0
    /// The last row read.
    package var lastRow: String?
    /// ETag of the last answer to the request behind this cursor.
    package var etag: String?

    /// Creates a cursor, by default before the first row.
    package init(
        updatedAt: String? = nil, seen: Int = 0, lastRow: String? = nil, etag: String? = nil
    ) {
        (self.updatedAt, self.seen, self.lastRow, self.etag) = (updatedAt, seen, lastRow, etag)
    }

    /// The same place, whatever the feed answered last.
    package var withoutETag: SyncCursor {
        var copy = self
        copy.etag = nil
        return copy
    }
}
