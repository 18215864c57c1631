// GTFS-realtime as Protocol Buffers: bytes to messages, an entity at a time, and messages to our values. The other forms
// (RealtimeJSON, OneBusAway) make messages too, so that all values come from here.
internal import BridgecastCore
internal import BridgecastRealtimeWire
internal import BridgecastSupport
internal import SwiftProtobuf

/// Reads a message of Protocol Buffers; each entity is converted before the next one is decoded.
struct ProtobufReader {
    /// The maximum number of bytes of an entity; the longest trips take a twentieth of it.
    static let maxEntityBytes = 1 << 20

    private let bytes: [UInt8]
    var context: ReadingContext

    init(_ bytes: [UInt8], _ context: ReadingContext) {
        self.bytes = bytes
        self.context = context
    }

    /// Reads the whole message.
    ///
    /// - Throws: `DocumentProblem` with the byte where the structure breaks. An entity with a text that is not UTF-8, or
    ///   larger than ``maxEntityBytes``, is left out with a notice.
    mutating func feed() throws(DocumentProblem) -> RealtimeFeed {
        let parts = try self.parts()
        guard !parts.headers.isEmpty else { throw ReadingContext.missingHeader }
        var feed = RealtimeFeed()
        // A message field that occurs twice is one message in two parts (protobuf.dev, Encoding).
        for part in parts.headers {
            guard let header: TransitRealtime_FeedHeader = try message(part) else { continue }
            context.read(header, into: &feed)
        }
        feed.entities.reserveCapacity(parts.entities.count)
        for (index, part) in parts.entities.enumerated() {
            context.subject = .entity(index + 1, "")
            guard let entity: TransitRealtime_FeedEntity = try message(part) else { continue }
            feed.entities.append(try context.entity(entity, number: index + 1))
        }
        return feed
    }

    /// Finds the bytes of headers and entities.
    private func parts() throws(DocumentProblem) -> (headers: [Range<Int>], entities: [Range<Int>])
    {
        var fields = WireFields(bytes)
        var headers: [Range<Int>] = []
        var entities: [Range<Int>] = []
        do throws(WireFields.Damage) {
            while let field = try fields.next() {
                switch field.number {
                case 1 where field.hasLength: headers.append(field.content)
                case 2 where field.hasLength: entities.append(field.content)
                case 1, 2:
                    throw WireFields.Damage(byte: field.start, problem: "a number, not a message")
                default: break
                }
                // Checked at once: an empty entity takes two bytes there and sixteen here.
                if let excess = Self.excess(headers: headers.count, entities: entities.count) {
                    throw WireFields.Damage(byte: field.start, problem: excess)
                }
            }
        } catch {
            throw DocumentProblem("byte \(error.byte)", error.problem)
        }
        return (headers, entities)
    }

    private static func excess(headers: Int, entities: Int) -> String? {
        if entities > ReadingContext.maxEntities {
            return "more than \(ReadingContext.maxEntities) entities: no feed has as many"
        }
        return headers > 16 ? "more than 16 headers" : nil
    }

    /// Decodes the message in a part of the bytes; nil if it is left out.
    private mutating func message<Content: Message>(
        _ part: Range<Int>
    ) throws(DocumentProblem) -> Content? {
        guard part.count <= Self.maxEntityBytes else {
            context.note(.error, "entity_too_large", field: "", "\(part.count) bytes; left out")
            return nil
        }
        var options = BinaryDecodingOptions()
        options.messageDepthLimit = 16
        options.discardUnknownFields = true
        do {
            return try Content(
                serializedBytes: Array(bytes[part]), partial: true, options: options)
        } catch BinaryDecodingError.invalidUTF8 {
            context.note(.error, "invalid_text", field: "", "a text in it is not UTF-8; left out")
            return nil
        } catch {
            throw DocumentProblem(
                "byte \(part.lowerBound)", "\(context.subject.description) is damaged")
        }
    }
}

/// Iterates over the fields of a message without decoding them (protobuf.dev, Encoding).
///
/// It tells where bytes are damaged, which SwiftProtobuf does not.
///
/// - Complexity: O(1) a field: its content is skipped.
struct WireFields {
    /// A field of a message.
    struct Field {
        /// The field number in the message's description.
        let number: Int
        /// The index of its tag.
        let start: Int
        /// The bytes after its length; empty for numbers.
        let content: Range<Int>
        /// The number of a varint field.
        let varint: UInt64?
        /// Whether it has a length, as texts and messages have.
        var hasLength: Bool { varint == nil && !isFixed }
        fileprivate let isFixed: Bool
    }

    /// Bytes that are no message.
    struct Damage: Error {
        /// The index of the byte.
        let byte: Int
        /// What is wrong there.
        let problem: String
    }

    private let bytes: [UInt8]
    private let end: Int
    private var position: Int

    /// The fields of a message that fills a part of the bytes, or all.
    init(_ bytes: [UInt8], in part: Range<Int>? = nil) {
        self.bytes = bytes
        position = part?.lowerBound ?? 0
        end = min(part?.upperBound ?? bytes.count, bytes.count)
    }

    /// The next field; nil at the end.
    mutating func next() throws(Damage) -> Field? {
        guard position < end else { return nil }
        let start = position
        let tag = try varint()
        let number = Int(truncatingIfNeeded: tag >> 3)
        guard number >= 1, tag >> 3 < 1 << 29 else {
            throw Damage(byte: start, problem: "no field has the number \(tag >> 3)")
        }
        var content = position..<position
        var value: UInt64?
        switch tag & 7 {
        case 0: value = try varint()
        case 1: content = try skip(8, fieldStart: start)
        case 2: content = try skip(varint(), fieldStart: start)
        case 5: content = try skip(4, fieldStart: start)
        default:
            throw Damage(byte: start, problem: "field \(number) has an unknown wire type")
        }
        return Field(
            number: number, start: start, content: content, varint: value,
            isFixed: tag & 7 == 1 || tag & 7 == 5)
    }

    /// The next message of a sequence in which each is preceded by its length; nil at the end.
    mutating func nextDelimited() throws(Damage) -> Range<Int>? {
        guard position < end else { return nil }
        let start = position
        return try skip(varint(), fieldStart: start)
    }

    private mutating func skip(
        _ length: UInt64, fieldStart: Int
    ) throws(Damage) -> Range<Int> {
        guard length <= UInt64(end - position) else {
            throw Damage(
                byte: fieldStart,
                problem: "\(length) bytes are announced and \(end - position) follow")
        }
        let start = position
        position += Int(length)
        return start..<position
    }

    private mutating func varint() throws(Damage) -> UInt64 {
        let start = position
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 70, by: 7) {
            guard position < end else {
                throw Damage(byte: start, problem: "a number is cut short")
            }
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return number }
        }
        throw Damage(byte: start, problem: "a number has more than 10 bytes")
    }
}

// MARK: - Messages to values

extension ReadingContext {
    static var missingHeader: DocumentProblem {
        DocumentProblem("", "Protocol Buffers without the header that each feed has")
    }

    /// Converts a whole message.
    ///
    /// - Throws: `DocumentProblem` if it has more entities or parts than any feed.
    mutating func feed(
        _ message: TransitRealtime_FeedMessage
    ) throws(DocumentProblem)
        -> RealtimeFeed
    {
        try checkEntityCount(message.entity.count)
        var feed = RealtimeFeed()
        read(message.header, into: &feed)
        feed.entities.reserveCapacity(message.entity.count)
        for (index, entity) in message.entity.enumerated() {
            feed.entities.append(try self.entity(entity, number: index + 1))
        }
        return feed
    }

    /// Reads what is set in a header.
    mutating func read(_ header: TransitRealtime_FeedHeader, into feed: inout RealtimeFeed) {
        if header.hasGtfsRealtimeVersion { feed.version = header.gtfsRealtimeVersion }
        if header.hasIncrementality {
            feed.isDifferential = header.incrementality == .differential
        }
        if header.hasTimestamp { feed.timestamp = time(header.timestamp, "timestamp") }
    }

    /// Converts an entity.
    ///
    /// - Parameter number: Its number in the feed, from 1, for notices.
    /// - Throws: `DocumentProblem` if the feed has more parts than any other.
    mutating func entity(
        _ message: TransitRealtime_FeedEntity, number: Int
    ) throws(DocumentProblem) -> RealtimeEntity {
        subject = .entity(number, message.id)
        try count(1)
        if message.hasShape || message.hasStop || message.hasTripModifications {
            note(
                .info, "unused_entity", field: "", "shapes, stops and changes of trips are not used"
            )
        }
        return RealtimeEntity(
            id: message.id, isDeleted: message.hasIsDeleted ? message.isDeleted : nil,
            tripUpdate: message.hasTripUpdate ? try tripUpdate(message.tripUpdate) : nil,
            vehicle: message.hasVehicle ? try vehicle(message.vehicle) : nil,
            alert: message.hasAlert ? try alert(message.alert) : nil)
    }

    private mutating func tripUpdate(
        _ message: TransitRealtime_TripUpdate
    ) throws(DocumentProblem) -> TripUpdate {
        try count(message.stopTimeUpdate.count)
        var update = TripUpdate()
        update.trip = TripSelector(message.trip)
        if message.hasVehicle { update.vehicle = VehicleLabel(message.vehicle) }
        if message.hasTimestamp {
            update.timestamp = time(message.timestamp, "trip_update.timestamp")
        }
        if message.hasDelay { update.delaySeconds = Int(message.delay) }
        if message.hasTripProperties { update.properties = TripProperties(message.tripProperties) }
        update.stops.reserveCapacity(message.stopTimeUpdate.count)
        for stop in message.stopTimeUpdate { update.stops.append(self.stop(stop)) }
        return update
    }

    private mutating func stop(
        _ message: TransitRealtime_TripUpdate.StopTimeUpdate
    ) -> StopTimeUpdate {
        var stop = StopTimeUpdate()
        if message.hasStopSequence { stop.sequence = Int(message.stopSequence) }
        if message.hasStopID { stop.stopID = message.stopID }
        if message.hasArrival { stop.arrival = event(message.arrival, "arrival.time") }
        if message.hasDeparture { stop.departure = event(message.departure, "departure.time") }
        if message.hasDepartureOccupancyStatus {
            stop.departureOccupancy = Occupancy(rawValue: message.departureOccupancyStatus.rawValue)
        }
        if message.hasScheduleRelationship {
            stop.relationship = .init(rawValue: message.scheduleRelationship.rawValue)
        }
        guard message.hasStopTimeProperties else { return stop }
        let properties = message.stopTimeProperties
        if properties.hasAssignedStopID { stop.assignedStopID = properties.assignedStopID }
        if properties.hasStopHeadsign { stop.headsign = properties.stopHeadsign }
        return stop
    }

    private mutating func event(
        _ message: TransitRealtime_TripUpdate.StopTimeEvent, _ field: String
    ) -> StopTimeEvent {
        StopTimeEvent(
            delaySeconds: message.hasDelay ? Int(message.delay) : nil,
            time: message.hasTime ? time(message.time, field) : nil,
            scheduledTime: message.hasScheduledTime ? time(message.scheduledTime, field) : nil,
            uncertaintySeconds: message.hasUncertainty ? Int(message.uncertainty) : nil)
    }

    private mutating func vehicle(
        _ message: TransitRealtime_VehiclePosition
    ) throws(DocumentProblem) -> VehicleReport {
        try count(message.multiCarriageDetails.count)
        var report = VehicleReport()
        if message.hasTrip { report.trip = TripSelector(message.trip) }
        if message.hasVehicle { report.vehicle = VehicleLabel(message.vehicle) }
        if message.hasPosition { report.read(message.position) }
        if message.hasCurrentStopSequence { report.stopSequence = Int(message.currentStopSequence) }
        if message.hasStopID { report.stopID = message.stopID }
        if message.hasCurrentStatus {
            report.stopStatus = .init(rawValue: message.currentStatus.rawValue)
        }
        if message.hasTimestamp {
            report.timestamp = time(message.timestamp, "vehicle.timestamp")
        }
        if message.hasCongestionLevel { report.congestionLevel = message.congestionLevel.rawValue }
        if message.hasOccupancyStatus {
            report.occupancy = Occupancy(rawValue: message.occupancyStatus.rawValue)
        }
        if message.hasOccupancyPercentage {
            report.occupancyPercentage = Int(message.occupancyPercentage)
        }
        report.carriages = message.multiCarriageDetails.map(VehicleReport.Carriage.init)
        return report
    }

    private mutating func alert(
        _ message: TransitRealtime_Alert
    ) throws(DocumentProblem) -> ServiceAlert {
        let texts = [message.headerText, message.descriptionText, message.url]
        try count(
            message.activePeriod.count + message.informedEntity.count
                + texts.reduce(0) { $0 + $1.translation.count })
        var alert = ServiceAlert()
        for period in message.activePeriod { alert.activePeriods.append(self.period(period)) }
        alert.informed = message.informedEntity.map(ServiceAlert.Selector.init)
        if message.hasCause { alert.cause = message.cause.rawValue }
        if message.hasEffect { alert.effect = message.effect.rawValue }
        if message.hasSeverityLevel { alert.severity = message.severityLevel.rawValue }
        alert.header = message.headerText.translation.map(ServiceAlert.Translation.init)
        alert.description = message.descriptionText.translation.map(ServiceAlert.Translation.init)
        alert.url = message.url.translation.map(ServiceAlert.Translation.init)
        return alert
    }

    private mutating func period(_ message: TransitRealtime_TimeRange) -> ServiceAlert.Period {
        // Many feeds write 0 for an open end, which needs no notice.
        ServiceAlert.Period(
            start: message.start == 0 ? nil : time(message.start, "alert.active_period.start"),
            end: message.end == 0 ? nil : time(message.end, "alert.active_period.end"))
    }
}

extension TripSelector {
    init(_ message: TransitRealtime_TripDescriptor) {
        self.init()
        if message.hasTripID { tripID = message.tripID }
        if message.hasRouteID { routeID = message.routeID }
        if message.hasDirectionID { direction = Int(message.directionID) }
        if message.hasStartTime { startTime = message.startTime }
        if message.hasStartDate { startDate = message.startDate }
        if message.hasScheduleRelationship {
            relationship = TripRelationship(rawValue: message.scheduleRelationship.rawValue)
        }
    }
}

extension VehicleLabel {
    fileprivate init(_ message: TransitRealtime_VehicleDescriptor) {
        self.init()
        if message.hasID { id = message.id }
        if message.hasLabel { label = message.label }
        if message.hasLicensePlate { licencePlate = message.licensePlate }
        if message.hasWheelchairAccessible { wheelchair = message.wheelchairAccessible.rawValue }
    }
}

extension TripProperties {
    fileprivate init(_ message: TransitRealtime_TripUpdate.TripProperties) {
        self.init()
        if message.hasTripID { tripID = message.tripID }
        if message.hasStartDate { startDate = message.startDate }
        if message.hasStartTime { startTime = message.startTime }
        if message.hasShapeID { shapeID = message.shapeID }
        if message.hasTripHeadsign { headsign = message.tripHeadsign }
        if message.hasTripShortName { shortName = message.tripShortName }
    }
}

extension VehicleReport {
    fileprivate mutating func read(_ position: TransitRealtime_Position) {
        if position.hasLatitude { latitude = position.latitude }
        if position.hasLongitude { longitude = position.longitude }
        if position.hasBearing { bearing = position.bearing }
        if position.hasOdometer { odometer = position.odometer }
        if position.hasSpeed { speed = position.speed }
    }
}

extension VehicleReport.Carriage {
    fileprivate init(_ message: TransitRealtime_VehiclePosition.CarriageDetails) {
        self.init()
        if message.hasID { id = message.id }
        if message.hasLabel { label = message.label }
        if message.hasOccupancyStatus {
            occupancy = Occupancy(rawValue: message.occupancyStatus.rawValue)
        }
        // In the specification -1 means that there is none.
        if message.hasOccupancyPercentage, message.occupancyPercentage >= 0 {
            occupancyPercentage = Int(message.occupancyPercentage)
        }
        if message.hasCarriageSequence { sequence = Int(message.carriageSequence) }
    }
}

extension ServiceAlert.Selector {
    fileprivate init(_ message: TransitRealtime_EntitySelector) {
        self.init()
        if message.hasAgencyID { agencyID = message.agencyID }
        if message.hasRouteID { routeID = message.routeID }
        if message.hasStopID { stopID = message.stopID }
        if message.hasRouteType { routeType = Int(message.routeType) }
        if message.hasDirectionID { direction = Int(message.directionID) }
        if message.hasTrip { trip = TripSelector(message.trip) }
    }
}

extension ServiceAlert.Translation {
    fileprivate init(_ message: TransitRealtime_TranslatedString.Translation) {
        self.init(message.text, language: message.language)
    }
}
