// What a sync did, and what became of each row.
public import BridgecastData

/// What a sync did.
public struct SyncReport: Sendable, Codable, Equatable {
    /// The data set.
    public var source: String
    /// Replies that brought rows.
    public var pages = 0
    /// Rows read.
    public var rows = 0
    /// Rows that are new in the store.
    public var added = 0
    /// Rows that replaced what the store had under their id.
    public var changed = 0
    /// Rows that say what the store had.
    public var unchanged = 0
    /// Rows that hold no usable opening, by reason.
    public var rejections: [RecordRejection: Int] = [:]
    /// Kept rows by flag.
    public var flags: [RecordFlag: Int] = [:]
    /// Times a stretch was read again because rows had moved meanwhile.
    public var rereads = 0
    /// Whether the source said that nothing has changed.
    public var isNotModified = false
}
