// `bridgecast journey`: begins, ends, adds, lists and removes journeys. Files are in JournalFileCommands.swift.
import ArgumentParser
import BridgecastAnswers
import BridgecastCore
import BridgecastJourneys
import BridgecastRoads
import BridgecastRouting
import BridgecastStore
import BridgecastSupport
import Foundation

struct JourneyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journey",
        abstract: "Keeps a private journal of your journeys, with what was forecast for each.",
        subcommands: [
            JourneyStart.self, JourneyStop.self, JourneyAdd.self, JourneyList.self,
            JourneyRemove.self, JournalExport.self, JournalImport.self, JournalClear.self,
            JournalLimit.self, JournalKey.self, JournalEncrypt.self, JournalDecrypt.self,
            JournalRekey.self,
        ])
}

// MARK: - Start

/// `bridgecast journey start`.
struct JourneyStart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Begins a journey and keeps the forecast of the best route.")

    @Argument(
        help: "Origin, as predict takes it, such as home; or, alone, the name of a favourite.")
    var from: String

    @Argument(help: "Destination.")
    var to: String?

    @Option(name: .customLong("mode"), help: "How you travel. Default: car.")
    var statedMode: JourneyMode?

    @Option(
        name: .long,
        help: "How long it should take, minutes; no forecast is made then. Needed for transit.")
    var minutes: Double?

    @OptionGroup var forecast: ForecastOptions
    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let now = Timestamp.now
            let departure = try forecast.departure()
            try await journal.with(.writing) { store in
                try store.checkRecording(by: .ownCommand)
                let target = try target(in: store)
                var journey = try await journey(to: target, leaving: departure, now: now)
                let pace = try store.learnableJourneys().pace(
                    on: journey.route, endedBy: min(now, departure))
                journey.plan(by: pace)
                let addition = try store.begin(journey, now: now)
                try show(journey, addition, pace)
            }
        }
    }

    private func target(in store: JourneyStore) throws -> Favourite.Target {
        if let to { return .trip(from: from, to: to, mode: statedMode ?? .car) }
        let favourite = try store.favourite(from)
        guard statedMode == nil else {
            throw CommandFailure(.usage, "--mode: the favourite has a mode of its own")
        }
        return favourite.target
    }

    private func journey(
        to target: Favourite.Target, leaving departure: Timestamp, now: Timestamp
    ) async throws -> Journey {
        var journey = try PlannedJourney.journey(
            target, leaving: departure, minutes: minutes ?? 0, now: now)
        journey.actualDeparture = departure
        guard minutes == nil else { return journey }
        guard case .trip(let from, let to, let mode) = target, let mode = mode.roadMode else {
            throw CommandFailure(
                .usage, "--minutes is needed: the time of a bus or train is not forecast here")
        }
        // Before the roads are read.
        try journey.validate(now: now)
        let score = try await best(from, to, by: mode)
        journey.forecast = JourneyForecast(score)
        return journey
    }

    /// The route that `predict` ranks first.
    private func best(
        _ from: String, _ to: String, by mode: BridgecastCore.Route.Mode
    ) async throws -> RouteScore {
        let found = try TripOptions.trip(
            from: from, to: to, by: mode, on: try ShippedFiles.roads())
        let request = RouteRequest.trip(found.trip, found.planner)
        remark(request.notes)
        let context = try forecast.context()
        let prediction = try await Prediction(
            request, of: RouteSource(.roads), in: context, weights: .standard, deadline: nil,
            explains: false)
        remark(context.notes)
        guard let best = prediction.groups.first?.ranking.first else {
            throw CommandFailure(.data, "there is no way from \(from) to \(to)")
        }
        return best
    }

    private func show(
        _ journey: Journey, _ addition: JourneyStore.Addition, _ pace: LearnedPace
    ) throws {
        PlannedJourney.remark(on: addition)
        switch format {
        case .json: try Console.print(journey.jsonText())
        case .table:
            try Console.print(
                """
                Journey \(JourneyText.id(journey.id)) began \(PredictionText.day(journey.start)): \
                \(JourneyText.name(journey)); there at \(TimeText.clock(journey.plannedArrival))
                """)
            if let forecast = JourneyText.forecast(journey) { try Console.print("  " + forecast) }
            if pace.journeys > 0, let forecast = journey.forecast {
                let minutes = forecast.roadSeconds / 60
                try Console.print("  " + LearnedText.sentence(pace, minutes: minutes))
            }
        }
    }
}

/// What `start` and `add` have in common.
private enum PlannedJourney {
    /// A journey with its plan alone.
    static func journey(
        _ target: Favourite.Target, leaving departure: Timestamp, minutes: Double, now: Timestamp
    ) throws -> Journey {
        guard minutes >= 0, minutes <= Double(Journey.maxSeconds) / 60 else {
            throw CommandFailure(.usage, "--minutes must be 0 to \(Journey.maxSeconds / 60)")
        }
        return Journey(planned: target, leaving: departure, minutes: minutes, now: now)
    }

    static func remark(on addition: JourneyStore.Addition) {
        var notes = addition.overlapping.prefix(3).map {
            "it overlaps \(JourneyText.id($0.id)), \(JourneyText.name($0)), of "
                + PredictionText.day($0.start)
        }
        if addition.overlapping.count > 3 {
            notes.append("it overlaps \(addition.overlapping.count) journeys in all")
        }
        if addition.dropped > 0 {
            notes.append("the journal is full: \(addition.dropped) of the oldest were dropped")
        }
        BridgecastCLI.remark(notes)
    }
}

// MARK: - Stop

/// `bridgecast journey stop`.
struct JourneyStop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Ends the journey that is under way and shows how it went.")

    @Option(name: .long, help: "When it ended: 18:25, or RFC 3339. Default: now.")
    var at: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether you lost time at a drawbridge; without either it stays unknown.")
    var stopped: Bool?

    @Flag(name: .long, help: "It was given up: it has no arrival.")
    var abandon = false

    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func validate() throws {
        guard !abandon || at == nil && stopped == nil else {
            throw ValidationError("--abandon goes without --at and --stopped")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let now = Timestamp.now
            let time = try at.map { try TimeText.parse($0, now: now) } ?? now
            let journey = try await journal.with(.writing) { store in
                try store.end(
                    abandon ? .abandoned : .arrived(wasStopped: stopped), at: time, now: now)
            }
            switch format {
            case .json: try Console.print(journey.jsonText())
            case .table: try Console.print(Self.text(journey))
            }
        }
    }

    private static func text(_ journey: Journey) -> String {
        guard let seconds = journey.travelSeconds, let delay = journey.delaySeconds else {
            return "\(JourneyText.name(journey)): abandoned"
        }
        let lateness =
            delay == 0
            ? "as planned"
            : delay > 0
                ? "\(minutesAndSeconds(Double(delay))) later than planned"
                : "\(minutesAndSeconds(Double(-delay))) earlier than planned"
        var lines = [
            "\(JourneyText.name(journey)): \(minutesAndSeconds(Double(seconds))), \(lateness)"
        ]
        if let forecast = JourneyText.forecast(journey) {
            lines.append("  Forecast: \(forecast)")
            let isWithin = Double(seconds) <= (journey.forecast?.p90Seconds ?? 0)
            lines.append("  " + (isWithin ? "Within its P90" : "Longer than its P90"))
        }
        return lines.joined(separator: "\n")
    }
}

// MARK: - Add

/// `bridgecast journey add`.
struct JourneyAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a journey that has ended.")

    @Argument(help: "Origin, in your words.")
    var from: String

    @Argument(help: "Destination.")
    var to: String

    @Option(name: .long, help: "How you travelled.")
    var mode = JourneyMode.car

    @Option(name: .long, help: "When it began: 18:02 of today, or RFC 3339.")
    var departed: String

    @Option(name: .long, help: "When it ended, as --departed.")
    var arrived: String

    @Option(name: .long, help: "How long it should have taken, minutes.")
    var minutes: Double

    @Option(name: .long, help: "When it should have begun, as --departed. Default: when it did.")
    var planned: String?

    @Flag(inversion: .prefixedNo, help: "Whether you lost time at a drawbridge.")
    var stopped: Bool?

    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let now = Timestamp.now
            let departure = try TimeText.parse(departed, now: now)
            var journey = try PlannedJourney.journey(
                .trip(from: from, to: to, mode: mode),
                leaving: try planned.map { try TimeText.parse($0, now: now) } ?? departure,
                minutes: minutes, now: now)
            journey.actualDeparture = departure
            journey.actualArrival = try TimeText.parse(arrived, now: now)
            journey.wasStopped = stopped
            try await journal.with(.writing) { store in
                PlannedJourney.remark(on: try store.add(journey, now: now))
            }
            switch format {
            case .json: try Console.print(journey.jsonText())
            case .table: try Console.print(JourneyText.table([journey]))
            }
        }
    }
}

// MARK: - List and remove

/// `bridgecast journey list`.
struct JourneyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows your journeys, the latest first.")

    @Option(name: .long, help: "Which: week, month, quarter, year or all.")
    var range = JourneyRange.all

    @Option(name: .long, help: "How many at most.")
    var limit = 20

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be 1 or more") }
    }

    func run() async throws {
        try await reportingFailures {
            let first = range.start(now: .now, zone: try zone.timeZone())
            let journeys = try await journal.with(.reading) { try $0.journeys(from: first) }
            let shown = Array(journeys.reversed().prefix(limit))
            switch format {
            case .json: try Console.print(JournalContents(journeys: shown).jsonText())
            case .table:
                try Console.print(
                    shown.isEmpty ? "No journeys." : JourneyText.table(shown))
                if shown.count < journeys.count {
                    try Console.print("\(journeys.count - shown.count) more; --limit shows them")
                }
            }
        }
    }
}

/// `bridgecast journey remove`.
struct JourneyRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a journey.")

    @Argument(help: "Its id, or the beginning of it.")
    var id: String

    @OptionGroup var journal: JournalOptions

    func run() async throws {
        try await reportingFailures {
            let removed = try await journal.with(.writing) { try $0.removeJourney(id) }
            try Console.print(
                "Removed \(JourneyText.name(removed)), of \(PredictionText.day(removed.start))")
        }
    }
}
