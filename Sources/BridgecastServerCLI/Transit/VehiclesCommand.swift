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
                let model = await LineModel(
                    of: route, in: session.timetable, at: session.clock.now)
                try await watching.show(session, model, as: format) { view in
                    let document = VehiclesDocument(
                        route.map { [$0] } ?? [], view.snapshot, at: view.now,
                        envelope: view.envelope,
                        bridges: view.bridges)
                    let text = VehiclesText(model, view)
                    return TransitOutput(document) { _ in text.lines }
                }
            }
        }
    }
}

// MARK: - Text

/// Vehicles as lines: where each is, what it does next, and the drawbridges on its way.
private struct VehiclesText {
    private let route: TransitRoute?
    private let rows: [VehicleRow]
    /// Vehicles that are not shown.
    private let remaining: Int
    private let feed: TransitFeed
    private let now: Timestamp
    private let sources: [SourceStatus]

    /// More than anybody reads; JSON has as many.
    private static let maxRows = 1000

    @MainActor
    init(_ model: LineModel, _ view: TransitView) {
        route = model.route
        feed = model.snapshot.feed
        now = model.now
        rows = model.vehicles.prefix(Self.maxRows).map { VehicleRow($0, view) }
        remaining = model.vehicles.count - rows.count
        sources = view.envelope.sources
    }

    var lines: [StyledLine] {
        var title = StyledLine(
            printable(route.map(Self.name) ?? feed.agencies[0].name, maxLength: 80), .bold)
        title.append("   \(TransitText.day(now, in: feed.zone))", .dim)
        return [title, StyledLine()]
            + (rows.isEmpty ? [StyledLine("No vehicles currently tracked.")] : table.lines())
            + remainder + [StyledLine()] + sources.map { TransitText.source($0) }
    }

    private var remainder: [StyledLine] {
        remaining > 0 ? [StyledLine("and \(remaining) more", .dim)] : []
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
        for row in rows {
            table.add(cells(row), below: row.bridges.map { TransitText.bridge($0, at: now) })
        }
        return table
    }

    private func cells(_ row: VehicleRow) -> [StyledTable.Cell] {
        let vehicle = row.vehicle
        let next = row.next
        let report = vehicle.report
        let age = vehicle.ageSeconds(at: now)
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
                age.map { TransitText.age(Double($0)) },
                age.map { $0 > TransitPhase.staleAfterSeconds } ?? false ? .yellow : .dim),
            .init(
                TransitText.crowding(report.occupancy, report.occupancyPercentage), max: 24),
            .init(row.position, .dim),
        ]
    }

    /// Its line, unless the title has it, and the trip's name for riders.
    private func line(_ vehicle: LiveVehicle) -> String {
        let title = route == nil ? vehicle.route.map { feed[$0].title } : nil
        let trip = vehicle.run.map { feed[$0.trip].shortName }
        return [title, trip].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// What a line of the table shows of a vehicle.
private struct VehicleRow {
    let vehicle: LiveVehicle
    /// Its next stop; nil if unknown.
    let next: DepartureEntry?
    /// The drawbridges that it still has to cross.
    let bridges: [BridgeAhead]
    private let point: GeoPoint?

    @MainActor
    init(_ model: VehicleModel, _ view: TransitView) {
        vehicle = model.vehicle
        point = model.point
        next = model.nextStops.first.map { DepartureEntry($0, view.snapshot, at: view.now) }
        bridges = view.bridges?.ahead(of: vehicle.run, in: view.snapshot, at: view.now) ?? []
    }

    /// Coordinates, or how far it is off its route; nil if it reports no position.
    var position: String? {
        if let place = vehicle.place, place.isOffRoute {
            return "off its route by \(TransitText.distance(place.offMetres))"
        }
        guard let point else { return nil }
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
