// A trip as lines for people: its stops from top to bottom, its vehicle and the drawbridges between them.
import BridgecastCLI
import BridgecastCore
import BridgecastTransit
import BridgecastTransitAnswers
import Foundation

/// Puts a trip into lines.
struct TripText {
    private let document: TripDocument
    private let now: Timestamp
    private let zone: TransitZone

    init(_ document: TripDocument, at now: Timestamp) {
        (self.document, self.now, zone) = (document, now, document.envelope.zone)
    }

    /// All lines.
    var lines: [StyledLine] {
        let trip = document.trip
        let line = trip.route?.title ?? ""
        let name = [line, trip.shortName == line ? "" : trip.shortName]
            .filter { !$0.isEmpty }.joined(separator: " ")
        let headsign = trip.headsign.isEmpty ? "" : " to \(trip.headsign)"
        var title = StyledLine(printable(name + headsign, most: 100), .bold)
        let day = trip.serviceDate.map { " of \($0)" } ?? ""
        title.append("   trip \(printable(trip.id, most: 60))\(day)", .dim)
        if trip.relationship != .scheduled {
            title.append("   \(trip.relationship.word)", .red)
        }
        var lines = [title]
        if !trip.isInTimetable {
            lines.append(StyledLine("Runs today and is not in the timetable.", .yellow))
        } else if let day = trip.serviceDate, day > zone.civil(at: now).date {
            lines.append(
                StyledLine("Of another day: \("\(day.weekday)".capitalized), \(day).", .yellow))
        }
        lines += document.alerts.prefix(3).map {
            StyledLine("! \(printable($0.header, most: 160))", .yellow)
        }
        lines += [vehicle, StyledLine()] + table.lines()
        let sources = document.envelope.sources.map { TransitText.source($0) }
        return lines + (sources.isEmpty ? [] : [StyledLine()] + sources)
    }

    private var vehicle: StyledLine {
        guard let entry = document.vehicle else {
            return StyledLine("No vehicle is known.", .dim)
        }
        var line = StyledLine("Vehicle \(printable(entry.vehicle.shownID, most: 40))")
        if let age = entry.ageSeconds { line.append(", seen \(TransitText.age(Double(age))) ago") }
        if let place = entry.vehicle.place, place.isOffRoute {
            line.append(", off its route by \(StopBoardText.distance(place.offMetres))", .red)
        }
        if let crowding = TransitText.crowding(
            entry.vehicle.report.occupancy, entry.vehicle.report.occupancyPercentage)
        {
            line.append(", crowding: \(crowding)")
        }
        return line
    }

    private var table: StyledTable {
        var table = StyledTable([
            .init(title: ""), .init(title: "time"), .init(title: "now"),
            .init(title: "in", isRight: true), .init(title: "stop"), .init(title: "platform"),
            .init(title: "status"), .init(title: "bridges add (mean, P90)", isRight: true),
        ])
        let next = document.stops.first { ($0.countdownSeconds ?? -1) >= 0 }?.departure.stopOrder
        for entry in document.stops {
            let order = entry.departure.stopOrder
            table.add(
                cells(entry, isNext: order == next),
                below: document.bridges.filter { $0.bridge.afterStop == order }
                    .map(TransitText.bridge))
        }
        return table
    }

    private func cells(_ entry: DepartureEntry, isNext: Bool) -> [StyledTable.Cell] {
        let departure = entry.departure
        let isPast = departure.expected.map { $0 < now } ?? false
        let scheduled = departure.scheduledDeparture ?? departure.scheduledArrival
        let predicted = departure.predictedDeparture ?? departure.predictedArrival
        let style: StyledLine.Style = isPast ? .dim : .plain
        return [
            .init(isNext ? ">" : nil, .green),
            .init(scheduled.map { zone.clockText($0) }, style),
            .init(
                predicted.map { zone.clockText($0) },
                isPast ? .dim : TransitText.style(departure.status)),
            .init(isPast ? nil : TransitText.countdown(entry)),
            .init(entry.stop.name, isNext ? .bold : style, most: 48),
            .init(entry.stop.platform, style, most: 12),
            .init(
                TransitText.status(departure), isPast ? .dim : TransitText.style(departure.status)),
            .init(entry.outlook.map(TransitText.outlook), .yellow),
        ]
    }
}
