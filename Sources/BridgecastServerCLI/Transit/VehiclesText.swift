// Vehicles as lines for people: where each is, what it does next, and the drawbridges before it.
import BridgecastCLI
import BridgecastCore
import BridgecastTransit
import BridgecastTransitAnswers

/// Puts vehicles into lines.
struct VehiclesText {
    private let document: RealtimeDocument
    private let feed: TransitFeed
    private let now: Timestamp

    init(_ document: RealtimeDocument, _ feed: TransitFeed, at now: Timestamp) {
        (self.document, self.feed, self.now) = (document, feed, now)
    }

    /// All lines.
    var lines: [StyledLine] {
        var title = StyledLine(
            printable(document.route.map(Self.name) ?? feed.agencies[0].name, most: 80), .bold)
        title.append("   \(TransitText.day(now, in: feed.zone))", .dim)
        let sources = document.envelope.sources.map { TransitText.source($0) }
        return [title, StyledLine()]
            + (document.vehicles.isEmpty
                ? [StyledLine("No vehicles currently tracked.")] : table.lines())
            + left + [StyledLine()] + sources
    }

    private var left: [StyledLine] {
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
            table.add(cells(entry), below: entry.bridges.map(TransitText.bridge))
        }
        return table
    }

    private func cells(_ entry: VehicleEntry) -> [StyledTable.Cell] {
        let (vehicle, next) = (entry.vehicle, entry.next.first)
        let report = vehicle.report
        return [
            .init(vehicle.shownName, most: 16),
            .init(line(vehicle), most: 24),
            .init(vehicle.run.map { feed[$0.trip].headsign } ?? "no known trip", most: 30),
            .init(next?.stop.name, most: 36),
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
                TransitText.crowding(report.occupancy, report.occupancyPercentage), most: 24),
            .init(place(entry), .dim),
        ]
    }

    /// Its line, where that is not said above, and what riders call its trip.
    private func line(_ vehicle: LiveVehicle) -> String {
        let title = document.route == nil ? vehicle.route.map { feed[$0].title } : nil
        let trip = vehicle.run.map { feed[$0.trip].shortName }
        return [title, trip].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func place(_ entry: VehicleEntry) -> String? {
        if let place = entry.vehicle.place, place.isOffRoute {
            return "off its route by \(StopBoardText.distance(place.offMetres))"
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
