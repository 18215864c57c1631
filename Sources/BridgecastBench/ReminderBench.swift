// How long it takes to find anew when to leave for the reminders of many people, after a bridge has changed.
public import BridgecastCore
public import BridgecastEngine
internal import BridgecastJourneys
public import BridgecastRoads
internal import BridgecastRouting

/// Measures a board of reminders.
///
/// People have trips by car between places all over the city that a drawbridge is on the way of, with their own pace,
/// confidence and deadline.
/// All deadlines are within the next two hours, so that every one of them depends on the bridges: the worst case.
public struct ReminderBench: Sendable {
    private let inference: TrafficInference
    private let network: RoadNetwork
    private let issueTime: Timestamp

    /// How many people there are.
    public static let people = 1_000
    /// How many reminders each of them has.
    public static let remindersOfPerson = 20
    /// How many trips there are, each with a way over a drawbridge; people share these, but not their paces.
    public static let trips = 400
    /// So many are searched for these.
    private static let searchedTrips = 1_600
    private static let windowMinutes = 120.0
    private static let rounds = 40

    /// What was measured.
    public struct Result: Sendable, Encodable {
        /// Reminders on the board.
        public let reminders: Int
        /// Ways of all of them.
        public let routes: Int
        /// How many of these cross a drawbridge.
        public let routesOverBridges: Int
        /// Making the candidates of a reminder from its routes, and finding all times anew, by one thread.
        public let parts: [PartResult]
        /// By how many reminders the time to leave changed, on average over the rounds.
        public let changed: Double
    }

    /// - Parameter issueTime: The time of day decides the speed of the roads.
    public init(_ model: LoadedModel, network: RoadNetwork, at issueTime: Timestamp) {
        inference = TrafficInference(model)
        self.network = network
        self.issueTime = issueTime
    }

    /// Searches the trips, fills a board, and finds all times anew as one bridge after another goes up.
    public func run() async throws -> Result {
        let trips = try await trips()
        let board = ReminderBoard()
        var making: [UInt64] = []
        var routes = 0
        var overBridges = 0
        for number in 0..<Self.people * Self.remindersOfPerson {
            let candidates = trips[number % trips.count]
            let start = Stopwatch.now()
            let packed = try self.candidates(number, candidates)
            making.append(Stopwatch.now() - start)
            routes += candidates.count
            overBridges += candidates.count { !$0.crossings.isEmpty }
            await board.set(packed)
        }
        let tables = try await tables()
        var finding: [UInt64] = []
        var before: [LeaveBy] = []
        var changed = 0
        for round in 0..<Self.rounds {
            let table = tables[round % tables.count]
            let start = Stopwatch.now()
            let found = await board.leaveBys(with: table)
            finding.append(Stopwatch.now() - start)
            if !before.isEmpty {
                changed += zip(before, found).count { $0.departure != $1.departure }
            }
            before = found
        }
        return Result(
            reminders: before.count, routes: routes, routesOverBridges: overBridges,
            parts: [
                PartResult("candidates of a reminder", count: 1, making),
                PartResult("times of all reminders", count: before.count, finding),
            ], changed: Double(changed) / Double(Self.rounds - 1))
    }

    /// The routes of trips all over the city, for a departure at the issue time.
    private func trips() async throws -> [[Route]] {
        let anchors = network.places.filter { $0.kind != .stop }.compactMap {
            try? network.anchor($0, for: .car)
        }
        var trips: [Trip] = []
        var pair = 0
        while trips.count < Self.searchedTrips {
            // A prime step visits all pairs, with successive ones far apart.
            pair = (pair + 1_000_003) % (anchors.count * anchors.count)
            let trip = Trip(
                from: anchors[pair / anchors.count], to: anchors[pair % anchors.count], mode: .car)
            if trip.origin != trip.destination { trips.append(trip) }
        }
        let found = await inference.rank(
            trips, by: RoutePlanner(network), leaving: issueTime, in: .unknown(at: issueTime)
        ).compactMap { try? $0.get().ranking.map(\.route) }
        return Array(
            found.filter { $0.contains { !$0.crossings.isEmpty } }.prefix(Self.trips))
    }

    private func candidates(_ number: Int, _ routes: [Route]) throws -> ReminderCandidates {
        let pace = LearnedPace(
            logRatios: Array(repeating: Double(number % 41 - 20) / 100, count: number % 30))
        let reminder = Reminder(
            id: "r\(number)", favourite: "f", minuteOfDay: 0, zone: "America/Los_Angeles",
            confidence: [0.8, 0.9, 0.95][number % 3])
        let deadline = issueTime.adding(
            minutes: (Self.windowMinutes * Double(number * 7_919 % 1_000) / 1_000).rounded(.up))
        return try ReminderCandidates(
            routes.map(pace.adjusting), for: reminder, deadline: deadline)
    }

    private func tables() async throws -> [ForecastTable] {
        var tables: [ForecastTable] = []
        for raised in BridgeIndex.all {
            var live = LiveSnapshot(asOf: issueTime)
            for bridge in BridgeIndex.all where bridge != raised {
                try live.set(bridge, state: .lowered)
            }
            try live.set(
                raised, openings: [KnownOpening(start: issueTime.adding(minutes: -2), end: nil)])
            tables.append(
                try await inference.table(
                    in: Situation.unknown(at: issueTime).applying(live),
                    reaching: Self.windowMinutes, modes: [.car]))
        }
        return tables
    }
}
