// A row of the feed of records; read by SODAPage, stored by HistoryStore.
package import BridgecastCore

/// A row of the feed, understood.
package struct SyncedRow: Sendable {
    package let id: String
    package let opening: Opening
}
