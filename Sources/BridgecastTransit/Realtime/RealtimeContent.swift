// The entities of one realtime feed that are in use; held by RealtimeState.
internal import BridgecastCore

/// What a feed says, each entity once.
struct RealtimeContent: Sendable {
    /// In the order in which they were first heard of.
    private(set) var entities: [RealtimeEntity]

    /// How many are in use.
    var count: Int { entities.count }

    /// A whole message.
    init(_ message: RealtimeFeed) { entities = Self.distinct(Self.inUse(message)) }

    /// A message of changes: entities by their identifiers.
    mutating func change(by message: RealtimeFeed) {
        let named = Set(message.entities.map(\.id))
        let kept = entities.filter { !named.contains($0.id) }
        entities = Self.distinct(kept + Self.inUse(message))
    }

    private static func inUse(_ message: RealtimeFeed) -> [RealtimeEntity] {
        guard message.entities.contains(where: { $0.isDeleted == true }) else {
            return message.entities
        }
        return message.entities.filter { $0.isDeleted != true }
    }

    // MARK: Duplicates

    /// What an entity is about: identifiers are unique in a feed by rule, and some feeds break it.
    private enum Subject: Hashable {
        case trip(id: String, date: String?, time: String?, copy: TripProperties?)
        case vehicle(id: String, trip: String?)
        case alert(id: String, [ServiceAlert.Translation])
    }

    /// The entities without those that are about the same: of two the one that was seen later stays.
    ///
    /// - Complexity: O(n); nothing is copied where there are none.
    private static func distinct(_ entities: [RealtimeEntity]) -> [RealtimeEntity] {
        var places: [Subject: Int] = [:]
        places.reserveCapacity(entities.count)
        var (replacements, dropped): ([(Int, by: Int)], Set<Int>) = ([], [])
        for number in entities.indices {
            guard let subject = subject(of: entities[number]) else { continue }
            guard let place = places[subject] else {
                places[subject] = number
                continue
            }
            dropped.insert(number)
            replacements.append((place, by: number))
        }
        guard !replacements.isEmpty else { return entities }
        var result = entities
        for (place, number) in replacements
        where time(of: entities[number]) >= time(of: result[place]) {
            result[place] = entities[number]
        }
        return result.indices.filter { !dropped.contains($0) }.map { result[$0] }
    }

    /// Nil for what has several contents or none that can be told apart.
    private static func subject(of entity: RealtimeEntity) -> Subject? {
        switch (entity.tripUpdate != nil, entity.vehicle != nil, entity.alert != nil) {
        case (true, false, false):
            guard let trip = entity.tripUpdate?.trip, let id = trip.tripID, id != "" else {
                return nil
            }
            // Copies name the trip that they copy, which has an update of its own.
            let isCopy = trip.relationship == .duplicated
            return .trip(
                id: id, date: trip.startDate, time: trip.startTime,
                copy: isCopy ? entity.tripUpdate?.properties ?? TripProperties() : nil)
        case (false, true, false):
            guard let id = entity.vehicle?.vehicle?.id, id != "" else { return nil }
            return .vehicle(id: id, trip: entity.vehicle?.trip?.tripID)
        case (false, false, true): return .alert(id: entity.id, entity.alert?.header ?? [])
        default: return nil
        }
    }

    private static func time(of entity: RealtimeEntity) -> Timestamp {
        entity.tripUpdate?.timestamp ?? entity.vehicle?.timestamp ?? .earliest
    }
}
