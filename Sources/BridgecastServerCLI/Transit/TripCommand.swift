// `bridgecast trip`: a trip stop by stop, with its vehicle and the drawbridges on its way.
import ArgumentParser
import BridgecastAnswers
import BridgecastTransitAnswers
import BridgecastCLI
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
internal import BridgecastSupport
import BridgecastTransit
import Foundation

struct TripCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: NetworkCommand.trip.rawValue, abstract: NetworkCommand.trip.abstract)

    @Argument(
        help:
            "The trip: its identifier, or the name that riders have for it, such as a train's number."
    )
    var trip: String

    @OptionGroup var transit: TransitOptions

    @Option(
        name: .long,
        help:
            "The service day, such as 2026-02-20. Default: the current run, else the next one."
    )
    var date: String?

    @Option(name: .long, help: "Output: table, json, ndjson, or geojson for maps.")
    var format = TripFormat.table

    @OptionGroup var watching: WatchingOptions
    @OptionGroup var riding: RideOptions

    func validate() throws {
        guard format != .geojson || !riding.keep else {
            throw ValidationError("--format geojson and --keep contradict each other")
        }
        guard format != .geojson || !watching.watch else {
            throw ValidationError("--format geojson and --watch contradict each other")
        }
    }

    func run() async throws {
        try await reportingFailures {
            // After the ride it would be too late.
            if riding.keep { try await riding.journal.checkRecording() }
            try await TransitSession.with(transit, isMoving: watching.watch) { session in
                if format == .geojson {
                    let view = try await session.view()
                    let document = try document(view)
                    remark(view.notes)
                    return try Console.print(TripMap(document).jsonLine())
                }
                let ride = riding.ride
                try await watching.show(session, as: TransitFormat(format)) { view in
                    // The view that completed it has been shown.
                    if watching.watch, ride?.isComplete == true { throw CancellationError() }
                    let document = try document(view)
                    try ride?.update(document, at: view.now)
                    return TransitOutput(document) { _ in
                        TripText(document, at: view.now).lines
                    }
                }
                if let ride { try await keep(ride) }
            }
        }
    }

    private func keep(_ ride: Ride) async throws {
        let now = Timestamp.now
        let journey = try await ride.journey(now: now)
        let addition = try await riding.journal.with(.writing) { try $0.add(journey, now: now) }
        remark(addition.overlapping.prefix(1).map { "it overlaps \(printable($0.name))" })
        switch format {
        case .json, .ndjson, .geojson:
            note("kept in your journal: \(JourneyText.id(journey.id))")
        case .table: try Console.print("\nKept in your journal:\n" + JourneyText.table([journey]))
        }
    }

    private func document(_ view: TransitView) throws -> TripDocument {
        let snapshot = view.snapshot
        let now = view.now
        if snapshot.feed.trip(trip) == nil, let added = snapshot.addedRun(ofTrip: trip) {
            return TripDocument(added, snapshot, at: now, envelope: view.envelope)
        }
        return TripDocument(
            try run(in: snapshot, at: now), snapshot, at: now, envelope: view.envelope,
            bridges: view.bridges)
    }

    /// The run of the named day, or the current one, else the next.
    private func run(in snapshot: TransitSnapshot, at now: Timestamp) throws -> RunKey {
        let names = FeedNames(feed: snapshot.feed)
        guard let date else {
            let index = try names.trip(trip, in: snapshot, at: now)
            if let run = snapshot.run(ofTrip: index, at: now) { return run }
            throw CommandFailure(
                .usage,
                "trip '\(printable(trip))' runs on no day by this timetable, or stops nowhere")
        }
        guard let day = TimeText.parseDate(date) else {
            throw CommandFailure(
                .usage,
                "--date: '\(printable(date, maxLength: 40))' is not a date: write a service day such as 2026-02-20"
            )
        }
        // A train's number may be another trip on another day.
        let noon = snapshot.feed.zone.serviceDayStart(day).adding(seconds: 43_200)
        let index = try names.trip(trip, in: snapshot, at: noon)
        if let run = snapshot.run(ofTrip: index, on: day) { return run }
        throw CommandFailure(
            .usage, "trip '\(printable(trip))' does not run on \(day): name another day")
    }
}

/// `--format` of `trip`.
enum TripFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, ndjson, geojson
}

extension TransitFormat {
    init(_ format: TripFormat) {
        self = TransitFormat(rawValue: format.rawValue) ?? .json
    }
}

// MARK: - Text

/// A trip as lines: its stops from top to bottom, its vehicle and the drawbridges between them.
private struct TripText {
    private let document: TripDocument
    private let now: Timestamp
    private let zone: TransitZone

    init(_ document: TripDocument, at now: Timestamp) {
        self.document = document
        self.now = now
        zone = document.envelope.zone
    }

    var lines: [StyledLine] {
        let trip = document.trip
        let line = trip.route?.title ?? ""
        let name = [line, trip.shortName == line ? "" : trip.shortName]
            .filter { !$0.isEmpty }.joined(separator: " ")
        let headsign = trip.headsign.isEmpty ? "" : " to \(trip.headsign)"
        var title = StyledLine(printable(name + headsign, maxLength: 100), .bold)
        let day = trip.serviceDate.map { " of \($0)" } ?? ""
        title.append("   trip \(printable(trip.id, maxLength: 60))\(day)", .dim)
        if trip.relationship != .scheduled {
            title.append("   \(trip.relationship.name)", .red)
        }
        var lines = [title]
        if !trip.isInTimetable {
            lines.append(StyledLine("Runs today and is not in the timetable.", .yellow))
        } else if let day = trip.serviceDate, day > zone.civil(at: now).date {
            lines.append(
                StyledLine("Of another day: \("\(day.weekday)".capitalized), \(day).", .yellow))
        }
        lines += document.alerts.prefix(3).map {
            StyledLine("! \(printable($0.header, maxLength: 160))", .yellow)
        }
        lines += [vehicle, StyledLine()] + table.lines()
        let sources = document.envelope.sources.map { TransitText.source($0) }
        return lines + (sources.isEmpty ? [] : [StyledLine()] + sources)
    }

    private var vehicle: StyledLine {
        guard let entry = document.vehicle else {
            return StyledLine("No vehicle is known.", .dim)
        }
        var line = StyledLine("Vehicle \(printable(entry.vehicle.shownID, maxLength: 40))")
        if let age = entry.ageSeconds { line.append(", seen \(TransitText.age(Double(age))) ago") }
        if let position = entry.vehicle.place, position.isOffRoute {
            line.append(", off its route by \(TransitText.distance(position.offMetres))", .red)
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
                below: document.bridges.filter { $0.afterStop == order }.map {
                    TransitText.bridge($0, at: entry.now)
                })
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
            .init(entry.stop.name, isNext ? .bold : style, max: 48),
            .init(entry.stop.platform, style, max: 12),
            .init(
                TransitText.status(departure), isPast ? .dim : TransitText.style(departure.status)),
            .init(entry.outlook.map(TransitText.outlook), .yellow),
        ]
    }
}
