// The board of a stop as it hangs in a station: a line a departure, and beneath it what a drawbridge may do to it.
import BridgecastCLI
import BridgecastCore
import BridgecastTransit
import BridgecastTransitAnswers

/// Puts boards into lines.
struct StopBoardText {
    let document: StopBoardDocument
    let zone: TransitZone

    init(_ document: StopBoardDocument) {
        (self.document, zone) = (document, document.envelope.zone)
    }

    /// All lines of the board.
    ///
    /// - Parameters:
    ///   - isSplit: Whether each direction has a board of its own.
    ///   - width: Columns of the terminal; two directions stand side by side where they fit.
    func lines(isSplit: Bool, width: Int) -> [StyledLine] {
        var lines = [title]
        lines += document.alerts.prefix(Self.mostAlerts).map {
            StyledLine("! \(printable($0.header, most: 160))", .yellow)
        }
        lines.append(StyledLine())
        if let why = document.board.noService {
            lines.append(StyledLine(printable(why, most: 300)))
        } else if document.departures.isEmpty {
            lines.append(StyledLine("No departures in the next \(horizon)."))
        } else {
            lines += isSplit ? directions(width: width) : table(document.departures).lines()
            lines += unlikely
        }
        let sources = sourceLines
        return lines + (sources.isEmpty ? [] : [StyledLine()] + sources)
    }

    /// Alerts that are shown above a board.
    private static let mostAlerts = 3

    /// A line for each bridge about the departures beneath which nothing stands.
    private var unlikely: [StyledLine] {
        let hidden = document.departures.flatMap(\.bridges).filter { !$0.bridge.isWorthALine }
        let isForecast = Dictionary(grouping: hidden) { entry in
            [
                BridgeCatalogue[entry.bridge.bridge].name,
                entry.bridge.delay == nil ? "" : "forecast",
            ]
        }
        let lines = isForecast.sorted { $0.key[0] < $1.key[0] }.map { key, entries in
            let who = entries.count == 1 ? "one of these" : "\(entries.count) of these"
            let chance = "under \(BridgeAhead.smallPerHundred) in 100"
            let what =
                key[1].isEmpty
                ? "no forecast so far ahead"
                : "\(chance)\(entries.count == 1 ? "" : " each") to be stopped"
            return StyledLine("\(key[0]) Bridge lies before \(who): \(what)", .dim)
        }
        return lines.isEmpty ? [] : [StyledLine()] + lines
    }

    private var title: StyledLine {
        let stop = document.stop.stop
        var line = StyledLine(printable(stop.name, most: 80), .bold)
        if !stop.platform.isEmpty {
            line.append(", platform \(printable(stop.platform, most: 12))")
        }
        if let metres = document.stop.metres {
            line.append("  \(Self.distance(metres)) away", .dim)
        }
        line.append("   \(TransitText.day(document.board.asOf, in: zone))", .dim)
        return line
    }

    private var horizon: String {
        let minutes = document.board.query.horizonSeconds / 60
        return minutes % 60 == 0
            ? minutes == 60 ? "hour" : "\(minutes / 60) hours" : "\(minutes) minutes"
    }

    /// A board for each direction, side by side where two fit.
    private func directions(width: Int) -> [StyledLine] {
        var groups: [(name: String, entries: [DepartureEntry])] = []
        for entry in document.departures {
            let name = name(of: entry)
            if let place = groups.firstIndex(where: { $0.name == name }) {
                groups[place].entries.append(entry)
            } else {
                groups.append((name, [entry]))
            }
        }
        groups.sort { $0.name < $1.name }
        let boards = groups.map { group in
            [StyledLine(printable(group.name, most: 60), .bold)] + table(group.entries).lines()
        }
        let widest = boards.map { $0.reduce(0) { max($0, $1.width) } }
        if boards.count == 2, widest[0] + widest[1] + 4 <= width {
            return .beside(boards[0], boards[1])
        }
        return Array(boards.joined(separator: [StyledLine()]))
    }

    private func name(of entry: DepartureEntry) -> String {
        guard let direction = entry.departure.direction else { return "Departures" }
        return document.directionNames[direction] ?? "Direction \(direction)"
    }

    private func table(_ entries: [DepartureEntry]) -> StyledTable {
        var table = StyledTable([
            .init(title: "time"), .init(title: "now"), .init(title: "in", isRight: true),
            .init(title: "line"), .init(title: "to"), .init(title: "platform"),
            .init(title: "status"), .init(title: "trust"), .init(title: "crowding"),
            .init(title: "wheelchair"),
        ])
        for entry in entries {
            table.add(
                cells(entry),
                below: entry.bridges.filter(\.bridge.isWorthALine).map(TransitText.bridge))
        }
        return table
    }

    private func cells(_ entry: DepartureEntry) -> [StyledTable.Cell] {
        let departure = entry.departure
        let scheduled = departure.scheduledDeparture ?? departure.scheduledArrival
        let predicted = departure.predictedDeparture ?? departure.predictedArrival
        let isGone = !departure.isServed
        let style = TransitText.style(departure.status)
        return [
            .init(scheduled.map(clock), isGone ? .dim : .plain),
            .init(isGone ? nil : predicted.map(clock), style),
            .init(TransitText.countdown(entry), .bold),
            .init(TransitText.line(entry), most: 24),
            .init(TransitText.destination(entry), isGone ? .dim : .plain, most: 36),
            .init(platform(entry), departure.plannedStop == nil ? .plain : .yellow, most: 16),
            .init(TransitText.status(departure), style),
            .init(departure.confidence == .none ? nil : departure.confidence.rawValue.lowercased()),
            .init(
                TransitText.crowding(departure.occupancy, departure.occupancyPercentage), most: 24),
            .init(
                departure.wheelchair == .accessible
                    ? "yes" : departure.wheelchair == .inaccessible ? "no" : nil),
        ]
    }

    private func clock(_ moment: Timestamp) -> String { zone.clockText(moment) }

    private func platform(_ entry: DepartureEntry) -> String? {
        let platform = entry.stop.platform
        guard entry.departure.plannedStop != nil else { return platform.isEmpty ? nil : platform }
        return "now \(platform.isEmpty ? entry.stop.id : platform)"
    }

    private var sourceLines: [StyledLine] {
        document.envelope.sources.map { TransitText.source($0) }
    }

    /// Such as `350 m` or `2.1 km`.
    static func distance(_ metres: Double) -> String {
        guard metres >= 995 else { return "\(Int(metres.rounded())) m" }
        let tenths = Int((metres / 100).rounded())
        return "\(tenths / 10).\(tenths % 10) km"
    }
}
