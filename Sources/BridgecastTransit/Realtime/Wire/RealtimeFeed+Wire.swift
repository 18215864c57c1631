// Protocol Buffers into a realtime feed, an entity at a time: what one takes is gone before the next one is read.
internal import BridgecastCore
internal import BridgecastRealtimeWire
internal import SwiftProtobuf

extension RealtimeFeed {
    /// Reads a message.
    ///
    /// - Throws: `DocumentProblem` with the byte where the structure breaks. An entity with a text that is no UTF-8, or
    ///   larger than ``RealtimeWireReader/mostEntityBytes``, is left out with a notice.
    static func wire(
        _ bytes: [UInt8], _ intake: inout RealtimeIntake
    ) throws(DocumentProblem) -> RealtimeFeed {
        var reader = RealtimeWireReader(bytes, intake)
        let feed = try reader.feed()
        intake = reader.intake
        return feed
    }
}

/// Reads a message.
struct RealtimeWireReader {
    /// Bytes of one entity; the longest trips take a twentieth of it.
    static let mostEntityBytes = 1 << 20

    private let bytes: [UInt8]
    var intake: RealtimeIntake

    init(_ bytes: [UInt8], _ intake: RealtimeIntake) {
        (self.bytes, self.intake) = (bytes, intake)
    }

    /// The whole message.
    mutating func feed() throws(DocumentProblem) -> RealtimeFeed {
        let parts = try self.parts()
        guard !parts.header.isEmpty else {
            throw DocumentProblem(
                "", "Protocol Buffers without the header that each feed has")
        }
        var feed = RealtimeFeed()
        try readHeader(parts.header, into: &feed)
        feed.entities.reserveCapacity(parts.entities.count)
        for (number, part) in parts.entities.enumerated() {
            intake.subject = .entity(number + 1, "")
            guard let wire: TransitRealtime_FeedEntity = try message(part) else { continue }
            intake.subject = .entity(number + 1, wire.id)
            feed.entities.append(try entity(wire))
        }
        return feed
    }

    /// Where header and entities lie.
    private func parts() throws(DocumentProblem) -> (header: [Range<Int>], entities: [Range<Int>]) {
        var fields = WireFields(bytes)
        var (header, entities): ([Range<Int>], [Range<Int>]) = ([], [])
        do throws(WireFields.Damage) {
            while let field = try fields.next() {
                switch field.number {
                case 1 where field.hasLength: header.append(field.content)
                case 2 where field.hasLength: entities.append(field.content)
                case 1, 2:
                    throw WireFields.Damage(byte: field.start, problem: "a number, not a message")
                default: break
                }
                // At once: two bytes of an empty one would take sixteen here.
                if let excess = Self.excess(headers: header.count, entities: entities.count) {
                    throw WireFields.Damage(byte: field.start, problem: excess)
                }
            }
        } catch {
            throw DocumentProblem("byte \(error.byte)", error.problem)
        }
        return (header, entities)
    }

    /// What there is too much of; nil if nothing.
    private static func excess(headers: Int, entities: Int) -> String? {
        if entities > RealtimeIntake.mostEntities {
            return "more than \(RealtimeIntake.mostEntities) entities: no feed has as many"
        }
        return headers > 16 ? "more than 16 headers" : nil
    }

    private mutating func readHeader(
        _ parts: [Range<Int>], into feed: inout RealtimeFeed
    ) throws(DocumentProblem) {
        // A field that stands twice is one message in two parts, says the encoding.
        for part in parts {
            guard let header: TransitRealtime_FeedHeader = try message(part) else { continue }
            if header.hasGtfsRealtimeVersion { feed.version = header.gtfsRealtimeVersion }
            if header.hasIncrementality {
                feed.isDifferential = header.incrementality == .differential
            }
            if header.hasTimestamp {
                feed.timestamp = intake.moment(header.timestamp, "timestamp")
            }
        }
    }

    /// A message that fills a part of the bytes; nil if it is left out.
    private mutating func message<Wire: Message>(
        _ part: Range<Int>
    ) throws(DocumentProblem) -> Wire? {
        guard part.count <= Self.mostEntityBytes else {
            intake.note(.error, "entity_too_large", "", "\(part.count) bytes; left out")
            return nil
        }
        var options = BinaryDecodingOptions()
        options.messageDepthLimit = 16
        options.discardUnknownFields = true
        do {
            return try Wire(
                serializedBytes: Array(bytes[part]), partial: true, options: options)
        } catch BinaryDecodingError.invalidUTF8 {
            intake.note(.error, "invalid_text", "", "a text in it is not UTF-8; left out")
            return nil
        } catch {
            throw DocumentProblem("byte \(part.lowerBound)", "\(intake.subject.words) is damaged")
        }
    }
}
