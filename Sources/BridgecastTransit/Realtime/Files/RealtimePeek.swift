// When a recorded message was made and what it is about, without reading all of it.
internal import BridgecastCore

/// What realtime feeds are about.
public enum RealtimeKind: String, Sendable, CaseIterable {
    case tripUpdates = "trip_updates"
    case vehicles = "vehicle_positions"
    case alerts
}

/// The least that a recording needs to know of a message.
struct RealtimePeek: Equatable {
    /// When it was made; nil if it does not say.
    var timestamp: Timestamp?
    /// What its entities are about; empty for a message without entities.
    var kinds: Set<RealtimeKind> = []

    /// Looks at a message.
    ///
    /// - Throws: `DocumentProblem` if it is none.
    /// - Complexity: O(entities) for Protocol Buffers, O(bytes) for others.
    init(_ bytes: [UInt8]) throws(DocumentProblem) {
        if let peek = try? Self(wire: bytes), peek.timestamp != nil {
            self = peek
            return
        }
        let feed = try RealtimeFeed.read(bytes).feed
        timestamp = feed.timestamp
        for entity in feed.entities {
            if entity.tripUpdate != nil { kinds.insert(.tripUpdates) }
            if entity.vehicle != nil { kinds.insert(.vehicles) }
            if entity.alert != nil { kinds.insert(.alerts) }
        }
    }

    private init(wire bytes: [UInt8]) throws(WireFields.Damage) {
        var fields = WireFields(bytes)
        while let field = try fields.next() {
            guard field.hasLength else { continue }
            var parts = WireFields(bytes, in: field.content)
            while let part = try parts.next() {
                switch (field.number, part.number) {
                case (1, 3): timestamp = part.varint.flatMap(Self.moment)
                case (2, 3): kinds.insert(.tripUpdates)
                case (2, 4): kinds.insert(.vehicles)
                case (2, 5): kinds.insert(.alerts)
                default: break
                }
            }
        }
    }

    private static func moment(_ number: UInt64) -> Timestamp? {
        var intake = RealtimeIntake()
        return intake.moment(number, "timestamp")
    }
}
