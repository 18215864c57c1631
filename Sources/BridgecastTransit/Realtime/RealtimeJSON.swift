// Realtime feeds in JSON: a tree of the text, which is then rewritten in protobuf's own JSON mapping and decoded by
// SwiftProtobuf. Feeds deviate from that mapping in names, in numbers as texts and the reverse, and in single values.
internal import BridgecastCore
internal import BridgecastRealtimeWire
internal import BridgecastSupport
internal import SwiftProtobuf

/// Reads feeds in JSON: protobuf's mapping, the specification's names, and variations such as 511's, which has capitals,
/// plural lists and a byte order mark.
struct RealtimeJSONReader {
    var context: ReadingContext

    /// Reads a feed.
    ///
    /// - Throws: `DocumentProblem` if it has more entities or parts than any feed.
    mutating func feed(_ root: JSONTree) throws(DocumentProblem) -> RealtimeFeed {
        var feed = RealtimeFeed()
        if let header = root["header"],
            let message: TransitRealtime_FeedHeader = message(header, named: "header")
        {
            context.read(message, into: &feed)
        }
        let entities = context.list(root["entity"] ?? root["entities"], "entity")
        try context.checkEntityCount(entities.count)
        feed.entities.reserveCapacity(entities.count)
        for (index, entity) in entities.enumerated() {
            context.subject = .entity(index + 1, entity["id"]?.scalarText ?? "")
            guard context.isObject(entity, "entity"),
                let message: TransitRealtime_FeedEntity = message(entity, named: "entity")
            else { continue }
            feed.entities.append(try context.entity(message, number: index + 1))
        }
        return feed
    }

    /// Decodes a message; nil, with a notice, if SwiftProtobuf refuses it.
    private mutating func message<Content: Message>(
        _ tree: JSONTree, named name: String
    ) -> Content? {
        var json = JSONWriter()
        rewritten(tree, in: name).write(to: &json)
        var options = JSONDecodingOptions()
        // A field may be known in another message alone.
        options.ignoreUnknownFields = true
        do {
            return try Content(jsonUTF8Bytes: json.bytes, options: options)
        } catch {
            context.note(.error, "invalid_message", field: name, "\(name) cannot be read; left out")
            return nil
        }
    }

    // MARK: Rewriting

    /// An object with the members that are read, named as the specification does, with values that SwiftProtobuf accepts.
    ///
    /// A value that cannot be read is left out with a notice, and costs nothing but itself.
    ///
    /// - Parameter name: The member that the object is the value of.
    private mutating func rewritten(_ object: JSONTree, in name: String) -> JSONTree {
        // The last of several members with the same name counts, as in most readers.
        var indices: [String: Int] = [:]
        for (index, member) in object.members.enumerated() {
            if let field = Self.fields[member.name] { indices[field.name] = index }
        }
        var members: [JSONTree.Member] = []
        for (index, member) in object.members.enumerated() {
            guard let field = Self.fields[member.name], indices[field.name] == index,
                let value = rewritten(member.value, as: field, in: name)
            else { continue }
            members.append(JSONTree.Member(name: field.name, value: value))
        }
        return .object(members)
    }

    private mutating func rewritten(
        _ value: JSONTree, as field: Field, in parent: String
    ) -> JSONTree? {
        let name = field.name
        switch field.kind {
        case .text: return context.text(value, name).map { .text($0) }
        case .unsigned: return context.integer(value, name, in: 0...Int64(Int32.max))
        case .signed: return context.integer(value, name, in: Int64(Int32.min)...Int64(Int32.max))
        case .percentage:
            // In the specification -1 means that there is none.
            if case .integer(-1) = value { return nil }
            return context.integer(value, name, in: 0...Int64(Int32.max))
        case .seconds:
            // The messages have no times before 1970.
            return context.integer(value, name, in: 0...Int64.max)
        case .real: return context.real(value, name).map { .real($0) }
        case .flag: return context.flag(value, name).map { .flag($0) }
        case .choice(let numbers):
            return context.choice(value, name, among: numbers).map { .integer(Int64($0)) }
        case .relationship:
            let numbers =
                parent == "stop_time_update"
                ? EnumNumbers.stopRelationship : EnumNumbers.tripRelationship
            return context.choice(value, name, among: numbers).map { .integer(Int64($0)) }
        case .translations:
            // Some feeds write the text alone.
            if case .text(let text) = value { return JSONTree.translations(text) }
            return self.object(value, name)
        case .object: return self.object(value, name)
        case .list:
            let elements = context.list(value, name).compactMap {
                context.isObject($0, name) ? rewritten($0, in: name) : nil
            }
            // A translation without a text says nothing.
            return .list(name == "translation" ? elements.filter { $0["text"] != nil } : elements)
        }
    }

    private mutating func object(_ value: JSONTree, _ name: String) -> JSONTree? {
        switch value {
        case .object: rewritten(value, in: name)
        case .null: nil
        default: context.odd(value, name)
        }
    }

    // MARK: Fields

    private struct Field {
        /// As the specification has it.
        let name: String
        let kind: Kind
    }

    private enum Kind {
        case text, unsigned, signed, percentage, seconds, real, flag
        case choice([String: Int])
        /// `schedule_relationship`, which is one enum for trips and another one for stops.
        case relationship
        case translations, object, list
    }

    /// The fields that are read, by folded name; a name has the same kind in all messages.
    private static let fields: [String: Field] = {
        var fields: [String: Field] = [:]
        func add(_ kind: Kind, _ names: String...) {
            for name in names { fields[JSONTree.folded(name)] = Field(name: name, kind: kind) }
        }
        add(
            .text, "id", "label", "license_plate", "trip_id", "route_id", "start_time",
            "start_date", "shape_id", "trip_headsign", "trip_short_name", "stop_id",
            "assigned_stop_id", "stop_headsign", "agency_id", "text", "language",
            "gtfs_realtime_version")
        add(
            .unsigned, "direction_id", "stop_sequence", "current_stop_sequence",
            "carriage_sequence")
        add(.signed, "delay", "uncertainty", "route_type")
        add(.percentage, "occupancy_percentage")
        add(.seconds, "timestamp", "time", "scheduled_time", "start", "end")
        add(.real, "latitude", "longitude", "bearing", "odometer", "speed")
        add(.flag, "is_deleted")
        add(.choice(EnumNumbers.incrementality), "incrementality")
        add(.choice(EnumNumbers.stopStatus), "current_status")
        add(.choice(EnumNumbers.congestionLevel), "congestion_level")
        add(.choice(EnumNumbers.occupancy), "occupancy_status", "departure_occupancy_status")
        add(.choice(EnumNumbers.wheelchair), "wheelchair_accessible")
        add(.choice(EnumNumbers.cause), "cause")
        add(.choice(EnumNumbers.effect), "effect")
        add(.choice(EnumNumbers.severity), "severity_level")
        add(.relationship, "schedule_relationship")
        add(.translations, "header_text", "description_text", "url")
        add(
            .object, "trip_update", "vehicle", "alert", "trip", "trip_properties", "arrival",
            "departure", "stop_time_properties", "position")
        add(
            .list, "stop_time_update", "multi_carriage_details", "active_period",
            "informed_entity", "translation")
        let plurals = [
            "stoptimeupdates": "stoptimeupdate", "activeperiods": "activeperiod",
            "informedentities": "informedentity", "translations": "translation",
        ]
        for (plural, singular) in plurals { fields[plural] = fields[singular] }
        return fields
    }()
}

/// The numbers of enums by folded name.
enum EnumNumbers {
    static let incrementality = numbers(TransitRealtime_FeedHeader.Incrementality.self)
    static let tripRelationship = numbers(TransitRealtime_TripDescriptor.ScheduleRelationship.self)
    static let stopRelationship = numbers(
        TransitRealtime_TripUpdate.StopTimeUpdate.ScheduleRelationship.self)
    static let stopStatus = numbers(TransitRealtime_VehiclePosition.VehicleStopStatus.self)
    static let congestionLevel = numbers(TransitRealtime_VehiclePosition.CongestionLevel.self)
    static let occupancy = numbers(TransitRealtime_VehiclePosition.OccupancyStatus.self)
    static let wheelchair = numbers(TransitRealtime_VehicleDescriptor.WheelchairAccessible.self)
    static let cause = numbers(TransitRealtime_Alert.Cause.self)
    static let effect = numbers(TransitRealtime_Alert.Effect.self)
    static let severity = numbers(TransitRealtime_Alert.SeverityLevel.self)

    /// Swift's name of a case, such as `manySeatsAvailable`, is that of the specification, folded.
    private static func numbers<Value: CaseIterable & RawRepresentable<Int>>(
        _ type: Value.Type
    ) -> [String: Int] {
        var numbers: [String: Int] = [:]
        for value in type.allCases { numbers[JSONTree.folded("\(value)")] = value.rawValue }
        return numbers
    }
}

// MARK: - Values

/// Values as feeds have them: numbers as texts and texts as numbers, enums by either. Null is nil; what is neither is noted
/// and left out.
extension ReadingContext {
    /// A text; a whole number is one too.
    mutating func text(_ value: JSONTree?, _ name: String) -> String? {
        guard let value, !value.isNull else { return nil }
        return value.scalarText ?? odd(value, name)
    }

    /// A whole number.
    mutating func integer(_ value: JSONTree?, _ name: String) -> Int64? {
        switch value {
        case nil, .null: return nil
        case .integer(let number): return number
        case .real(let number) where number == number.rounded() && abs(number) < 1e15:
            return Int64(number)
        case .text(let text) where Int64(text) != nil: return Int64(text)
        // Numbers beyond a signed one stand for an open end.
        case .text(let text) where UInt64(text) != nil: return .max
        case .real(let number) where number >= 1e15: return .max
        case let other?: return odd(other, name)
        }
    }

    /// A whole number of a range.
    fileprivate mutating func integer(
        _ value: JSONTree, _ name: String, in range: ClosedRange<Int64>
    ) -> JSONTree? {
        guard let number = integer(value, name) else { return nil }
        return range.contains(number) ? .integer(number) : odd(.integer(number), name)
    }

    /// A number that 32 bits can hold.
    mutating func real(_ value: JSONTree?, _ name: String) -> Double? {
        let number: Double?
        switch value {
        case nil, .null: return nil
        case .integer(let integer): number = Double(integer)
        case .real(let real): number = real
        case .text(let text): number = Double(text)
        default: number = nil
        }
        if let number, Float(number).isFinite { return number }
        return value.flatMap { odd($0, name) }
    }

    /// True or false.
    mutating func flag(_ value: JSONTree?, _ name: String) -> Bool? {
        switch value {
        case nil, .null: nil
        case .flag(let flag): flag
        case .integer(0), .text("false"): false
        case .integer(1), .text("true"): true
        case let other?: odd(other, name)
        }
    }

    /// The number of a value of an enum, by number or by name; nil if it is unknown or empty.
    mutating func choice(_ value: JSONTree?, _ name: String, among numbers: [String: Int]) -> Int? {
        switch value {
        case nil, .null, .text(""): return nil
        case .integer(let number):
            if let known = numbers.values.first(where: { Int64($0) == number }) { return known }
            return unknown(String(number), name)
        case .text(let text):
            if let number = numbers[JSONTree.folded(text)] { return number }
            if let number = Int(text), numbers.values.contains(number) { return number }
            return unknown(text, name)
        case let other?: return odd(other, name)
        }
    }

    /// A list; an object alone is a list of one.
    mutating func list(_ value: JSONTree?, _ name: String) -> [JSONTree] {
        switch value {
        case nil, .null: return []
        case .list(let elements): return elements
        case .object(let members): return [.object(members)]
        case let other?:
            let nothing: [JSONTree]? = odd(other, name)
            return nothing ?? []
        }
    }

    /// Whether an element of a list is an object; any other is noted.
    fileprivate mutating func isObject(_ value: JSONTree, _ name: String) -> Bool {
        if case .object = value { return true }
        return odd(value, name) ?? false
    }

    /// Notes a value that cannot be read; nil.
    fileprivate mutating func odd<Value>(_ value: JSONTree, _ name: String) -> Value? {
        note(.warning, "invalid_field", field: name, "\(name) is \(value.description); left out")
        return nil
    }

    private mutating func unknown(_ value: String, _ name: String) -> Int? {
        note(
            .info, "unknown_enum_value", field: name,
            "\(name) is '\(printable(value, maxLength: 40))', which is not known; left out")
        return nil
    }
}

// MARK: - Text to values

/// A value of JSON, whose objects have folded names: trip_update, tripUpdate and TripUpdate are one.
enum JSONTree {
    case null
    case flag(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case list([JSONTree])
    case object([Member])

    /// A member of an object.
    struct Member {
        /// In small letters without underscores.
        let name: String
        let value: JSONTree
    }

    /// Reads a text.
    ///
    /// - Throws: `DocumentProblem` with the line.
    static func parse(_ bytes: [UInt8]) throws(DocumentProblem) -> JSONTree {
        var parser = JSONTreeParser(bytes)
        return try parser.document()
    }

    /// The members of an object; empty for anything else.
    var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The member of a folded name, the last one of several; nil if there is none, or it is null.
    subscript(_ name: String) -> JSONTree? {
        guard let found = members.last(where: { $0.name == name })?.value, !found.isNull else {
            return nil
        }
        return found
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// A text, or a whole number as one; nil for anything else.
    var scalarText: String? {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        default: nil
        }
    }

    /// A text as a `TranslatedString`; nil if it is empty.
    fileprivate static func translations(_ text: String) -> JSONTree? {
        guard !text.isEmpty else { return nil }
        let translation = JSONTree.object([Member(name: "text", value: .text(text))])
        return .object([Member(name: "translation", value: .list([translation]))])
    }

    /// Writes it as JSON.
    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .null:
            json.separateValue()
            json.append("null")
        case .flag(let flag):
            json.separateValue()
            json.append(flag ? "true" : "false")
        case .integer(let number): json.value(Int(number))
        // Numbers as texts are part of protobuf's mapping.
        case .real(let number): json.value("\(number)")
        case .text(let text): json.value(text)
        case .list(let elements): json.value(listing: elements) { $1.write(to: &$0) }
        case .object(let members):
            json.object { json in
                for member in members {
                    json.key(named: member.name)
                    json.isAfterName = true
                    member.value.write(to: &json)
                }
            }
        }
    }

    /// Small letters without underscores, of a name of any spelling.
    static func folded(_ name: String) -> String {
        let needsFolding = name.utf8.contains {
            $0 == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
        }
        guard needsFolding else { return name }
        return String(
            decoding: name.utf8.lazy.filter { $0 != UInt8(ascii: "_") }.map {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0
            }, as: UTF8.self)
    }
}

extension JSONTree: CustomStringConvertible {
    /// What it is, for messages.
    var description: String {
        switch self {
        case .null: "null"
        case .flag(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): "'\(printable(text, maxLength: 40))'"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

/// Parses JSON (RFC 8259), with limits on depth and on the number of values; whole numbers stay exact.
private struct JSONTreeParser {
    /// The maximum depth of objects and lists; feeds need 10.
    static let maxDepth = 32
    /// The maximum number of values, each of which takes memory.
    static let maxValues = 4_000_000

    private let bytes: [UInt8]
    private var position: Int
    private var values = 0

    /// Starts after a byte order mark.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = ByteOrderMark.utf8Length(bytes)
    }

    /// The whole text as one value.
    mutating func document() throws(DocumentProblem) -> JSONTree {
        let value = try value(0)
        guard peek() == nil else { throw problem("text after the end of the JSON") }
        return value
    }

    private mutating func value(_ depth: Int) throws(DocumentProblem) -> JSONTree {
        values += 1
        guard values <= Self.maxValues else {
            throw problem("more than \(Self.maxValues) values")
        }
        guard depth <= Self.maxDepth else {
            throw problem("objects and lists nest more than \(Self.maxDepth) deep")
        }
        switch peek() {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try list(depth)
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try literal("true", .flag(true))
        case UInt8(ascii: "f"): return try literal("false", .flag(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case nil: throw problem("the JSON ends early")
        default: return try number()
        }
    }

    private mutating func object(_ depth: Int) throws(DocumentProblem) -> JSONTree {
        var members: [Member] = []
        position += 1
        if consume(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            guard peek() == UInt8(ascii: "\"") else { throw problem("a quoted name is missing") }
            let name = JSONTree.folded(try text())
            guard consume(UInt8(ascii: ":")) else { throw problem("':' is missing") }
            members.append(Member(name: name, value: try value(depth + 1)))
        } while consume(UInt8(ascii: ","))
        guard consume(UInt8(ascii: "}")) else { throw problem("',' or '}' is missing") }
        return .object(members)
    }

    private typealias Member = JSONTree.Member

    private mutating func list(_ depth: Int) throws(DocumentProblem) -> JSONTree {
        var elements: [JSONTree] = []
        position += 1
        if consume(UInt8(ascii: "]")) { return .list(elements) }
        repeat { elements.append(try value(depth + 1)) } while consume(UInt8(ascii: ","))
        guard consume(UInt8(ascii: "]")) else { throw problem("',' or ']' is missing") }
        return .list(elements)
    }

    private mutating func literal(
        _ literal: StaticString, _ value: JSONTree
    ) throws(DocumentProblem) -> JSONTree {
        let letters = Array(literal.description.utf8)
        guard bytes[position...].starts(with: letters) else { throw problem("not a value of JSON") }
        position += letters.count
        return value
    }

    /// A string; bytes that are not UTF-8 become replacement characters.
    private mutating func text() throws(DocumentProblem) -> String {
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] != UInt8(ascii: "\\") else { return try escapedText(start) }
            position += 1
        }
        guard position < bytes.count else { throw problem("a string without an end") }
        position += 1
        return String(decoding: bytes[start..<position - 1], as: UTF8.self)
    }

    private mutating func escapedText(_ start: Int) throws(DocumentProblem) -> String {
        var text = Array(bytes[start..<position])
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] == UInt8(ascii: "\\") else {
                text.append(bytes[position])
                position += 1
                continue
            }
            position += 1
            do throws(JSONEscape.Problem) {
                let character = try JSONEscape.character(of: bytes[...], at: &position)
                text.append(contentsOf: Character(character).utf8)
            } catch {
                throw problem("a backslash without an escape of JSON")
            }
        }
        guard position < bytes.count else { throw problem("a string without an end") }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func number() throws(DocumentProblem) -> JSONTree {
        let start = position
        while position < bytes.count, Self.isOfNumber(bytes[position]) { position += 1 }
        guard position > start, position - start <= 64 else { throw problem("not a value of JSON") }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if let integer = Int64(text) { return .integer(integer) }
        guard let real = Double(text), real.isFinite else {
            throw problem("'\(printable(text))' is not a number")
        }
        return .real(real)
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// The next byte after white space, which is not consumed.
    private mutating func peek() -> UInt8? {
        while position < bytes.count, Self.isSpace(bytes[position]) {
            position += 1
        }
        return position < bytes.count ? bytes[position] : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private func problem(_ message: String) -> DocumentProblem {
        let line = bytes[..<min(position, bytes.count)].count { $0 == 0x0A } + 1
        return DocumentProblem("line \(line)", message)
    }
}
