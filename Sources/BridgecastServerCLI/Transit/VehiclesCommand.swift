// `bridgecast vehicles`: where the vehicles of a route are and what they do next.
import ArgumentParser
import BridgecastAnswers
import BridgecastTransitAnswers
import BridgecastCLI
import BridgecastCore
internal import BridgecastSupport
import BridgecastTransit

struct VehiclesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: NetworkCommand.vehicles.rawValue,
        abstract: NetworkCommand.vehicles.abstract,
        discussion: """
            Between two fixes a vehicle is moved along its line, no faster than its kind can go and no further than \
            predicted; `seen` is the age of its last fix.
            """)

    @Argument(help: "The route: identifier or name, such as 542; none for all.")
    var route: String?

    @OptionGroup var transit: TransitOptions

    @Option(name: .long, help: "Output: table, json or ndjson.")
    var format = TransitFormat.table

    @OptionGroup var watching: WatchingOptions

    func run() async throws {
        try await reportingFailures {
            try await TransitSession.with(
                transit, isMoving: watching.watch, needsVehicles: true
            ) { session in
                let route = try route.map { try FeedNames(feed: session.feed).route($0) }
                try await watching.show(session, as: format) { view in
                    let document = VehiclesDocument(
                        route, view.snapshot, at: view.now, envelope: view.envelope,
                        bridges: view.bridges)
                    return TransitOutput(document) { _ in
                        VehiclesText(document, view.snapshot.feed, at: view.now).lines
                    }
                }
            }
        }
    }
}

// MARK: - Text

/// Vehicles as lines: where each is, what it does next, and the drawbridges on its way.
private struct VehiclesText {
    private let document: VehiclesDocument
    private let feed: TransitFeed
    private let now: Timestamp

    init(_ document: VehiclesDocument, _ feed: TransitFeed, at now: Timestamp) {
        self.document = document
        self.feed = feed
        self.now = now
    }

    var lines: [StyledLine] {
        var title = StyledLine(
            printable(document.route.map(Self.name) ?? feed.agencies[0].name, maxLength: 80), .bold)
        title.append("   \(TransitText.day(now, in: feed.zone))", .dim)
        let sources = document.envelope.sources.map { TransitText.source($0) }
        return [title, StyledLine()]
            + (document.vehicles.isEmpty
                ? [StyledLine("No vehicles currently tracked.")] : table.lines())
            + remainder + [StyledLine()] + sources
    }

    private var remainder: [StyledLine] {
        let left = document.total - document.vehicles.count
        return left > 0 ? [StyledLine("and \(left) more", .dim)] : []
    }

    private static func name(_ route: TransitRoute) -> String {
        [route.shortName, route.longName].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private var table: StyledTable {
        var table = StyledTable([
            .init(title: "vehicle"), .init(title: "line"), .init(title: "to"),
            .init(title: "next stop"), .init(title: "at"), .init(title: "in", isRight: true),
            .init(title: "status"), .init(title: "seen", isRight: true),
            .init(title: "crowding"), .init(title: "place"),
        ])
        for entry in document.vehicles {
            table.add(
                cells(entry), below: entry.bridges.map { TransitText.bridge($0, at: entry.now) })
        }
        return table
    }

    private func cells(_ entry: VehicleEntry) -> [StyledTable.Cell] {
        let vehicle = entry.vehicle
        let next = entry.next.first
        let report = vehicle.report
        return [
            .init(vehicle.shownName, max: 16),
            .init(line(vehicle), max: 24),
            .init(vehicle.run.map { feed[$0.trip].headsign } ?? "no known trip", max: 30),
            .init(next?.stop.name, max: 36),
            .init(next?.departure.expected.map { feed.zone.clockText($0) }),
            .init(next.flatMap(TransitText.countdown), .bold),
            .init(
                next.map { TransitText.status($0.departure) },
                next.map { TransitText.style($0.departure.status) } ?? .plain),
            .init(
                entry.ageSeconds.map { TransitText.age(Double($0)) },
                entry.ageSeconds.map { Double($0) > TransitEnvelope.staleAfterSeconds } ?? false
                    ? .yellow : .dim),
            .init(
                TransitText.crowding(report.occupancy, report.occupancyPercentage), max: 24),
            .init(position(entry), .dim),
        ]
    }

    /// Its line, unless the title has it, and the trip's name for riders.
    private func line(_ vehicle: LiveVehicle) -> String {
        let title = document.route == nil ? vehicle.route.map { feed[$0].title } : nil
        let trip = vehicle.run.map { feed[$0.trip].shortName }
        return [title, trip].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func position(_ entry: VehicleEntry) -> String? {
        if let position = entry.vehicle.place, position.isOffRoute {
            return "off its route by \(TransitText.distance(position.offMetres))"
        }
        guard let point = entry.point else { return nil }
        return "\(Self.degrees(point.latitude)),\(Self.degrees(point.longitude))"
    }

    /// Five decimals: a metre.
    private static func degrees(_ value: Double) -> String {
        let scaled = Int((value * 1e5).rounded())
        let digits = String(abs(scaled) % 100_000)
        return "\(scaled < 0 ? "-" : "")\(abs(scaled) / 100_000)."
            + String(repeating: "0", count: 5 - digits.count) + digits
    }
}
