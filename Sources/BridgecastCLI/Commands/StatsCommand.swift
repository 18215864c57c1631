// `bridgecast stats`: what the journal says, and how good the forecasts were for this person.
import ArgumentParser
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import BridgecastSupport
import Foundation

struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Shows your delays, habits and routes, and how good the forecasts were for you.")

    @Option(name: .long, help: "Which journeys: week, month, quarter, year or all.")
    var range = JourneyRange.month

    @Option(name: .long, help: "Late by no more than this is on time, minutes.")
    var onTime = JourneyStatistics.defaultThresholdMinutes

    @Flag(
        name: .long,
        help:
            "Instead, show what is learned from your journeys, and how good each forecast would have been with those before it."
    )
    var learned = false

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func validate() throws {
        guard onTime >= 0, onTime <= 1440 else {
            throw ValidationError("--on-time must be 0 to 1440")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let now = Timestamp.now
            let zone = try zone.timeZone()
            let first = range.start(now: now, zone: zone)
            let journeys = try await journal.with(.reading) { store in
                try learned
                    ? Self.learnable(in: store) : Self.counted(in: store, from: first)
            }
            guard !learned else {
                let routes = LearnedAccuracy.ofRoutes(journeys, from: first, now: now)
                switch format {
                case .json: try Console.print(LearnedDocument(routes: routes).jsonText())
                case .table: try Console.print(LearnedText.text(routes))
                }
                return
            }
            let statistics = JourneyStatistics(
                of: journeys, range: range, now: now, zone: zone, thresholdMinutes: onTime)
            switch format {
            case .json: try Console.print(statistics.jsonText())
            case .table: try Console.print(StatisticsText.text(statistics))
            }
        }
    }

    /// What is learned is learned from journeys before the range, too.
    private static func learnable(in store: JourneyStore) throws -> [Journey] {
        let learnable = try store.learnableJourneys()
        if let obstacle = learnable.obstacle {
            throw CommandFailure(.usage, "nothing is learned: \(obstacle.description)")
        }
        return learnable.journeys
    }

    private static func counted(
        in store: JourneyStore, from first: Timestamp?
    ) throws -> [Journey] {
        guard try store.isOn(.statistics) else {
            throw CommandFailure(.usage, "statistics are not switched on for you")
        }
        return try store.journeys(from: first)
    }
}

enum StatisticsText {
    static func text(_ statistics: JourneyStatistics) -> String {
        guard let from = statistics.from, statistics.journeys > 0 else {
            return "No journeys in this range."
        }
        let underWay = statistics.journeys - statistics.arrived - statistics.abandoned
        let counts = [
            "\(statistics.arrived) arrived",
            statistics.abandoned > 0 ? "\(statistics.abandoned) abandoned" : nil,
            underWay > 0 ? "\(underWay) under way" : nil,
        ].compactMap { $0 }.joined(separator: ", ")
        var parts = [
            "\(counted(statistics.journeys, "journey")) since \(PredictionText.day(from)): \(counts)\n"
                + habits(statistics), routes(statistics),
        ]
        if let forecasts = statistics.forecasts { parts.append(accuracy(forecasts)) }
        return parts.joined(separator: "\n\n")
    }

    private static func habits(_ statistics: JourneyStatistics) -> String {
        var lines: [String] = []
        if let mean = statistics.meanDelayMinutes, let median = statistics.medianDelayMinutes {
            lines.append("  delay     mean \(minutes(mean)), median \(minutes(median))")
        }
        let hours = statistics.peakHours.map { "\(ClockText.hoursMinutes($0, 0))" }
        lines.append("  busiest   \(hours.joined(separator: ", "))")
        let days = zip(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"], statistics.weeklyPattern)
        lines.append("  weekdays  " + days.map { "\($0) \($1)" }.joined(separator: "  "))
        let months = statistics.monthlyTrend.suffix(maxMonths)
        lines.append(
            "  months    " + months.map { "\($0.month) \($0.journeys)" }.joined(separator: "  "))
        return lines.joined(separator: "\n")
    }

    private static let maxMonths = 6

    private static func minutes(_ value: Double) -> String {
        JourneyText.signed(Int64((value * 60).rounded()))
    }

    private static func routes(_ statistics: JourneyStatistics) -> String {
        var table = TextTable(
            ["route", "journeys", "use", "delay", "on time", "at least"],
            [.left, .right, .left, .right, .right, .right])
        for route in statistics.routes.prefix(maxRoutes) {
            table.add([
                printable(route.name, maxLength: TextTable.maxNameLength), "\(route.journeys)",
                route.frequency.rawValue, route.meanDelayMinutes.map(minutes) ?? "-",
                route.reliability.map(share) ?? "-",
                route.reliabilityLowerBound.map(share) ?? "-",
            ])
        }
        let rest = statistics.routes.count - maxRoutes
        return table.text(indent: "  ")
            + (rest > 0 ? "\n  \(rest) more; --format json has them" : "")
            + "\n  On time: late by at most \(plainNumber(statistics.thresholdMinutes)) min; "
            + "at least: its lower bound, 95 % sure"
    }

    private static let maxRoutes = 10

    /// A share of counted cases, unlike a forecast's chance it may be 0.
    private static func share(_ value: Double) -> String { "\(fixed(value * 100, 0)) %" }

    private static func accuracy(_ forecasts: ForecastAccuracy) -> String {
        let error = forecasts.meanErrorMinutes
        var lines = [
            "The forecasts of \(counted(forecasts.journeys, "journey"))",
            "  time      error \(minutes(error)) on average, "
                + "\(minutesAndSeconds(forecasts.meanAbsoluteErrorMinutes * 60)) in magnitude",
            "  P90       \(share(forecasts.p90Coverage)) took no longer; 90 % is right",
        ]
        if let score = forecasts.brierScore, let reference = forecasts.referenceBrierScore {
            let skill = forecasts.brierSkill.map {
                ", \(fixed(abs($0) * 100, 0)) % \($0 < 0 ? "more" : "less") than"
            }
            lines.append(
                "  stopped   \(forecasts.stopped) of \(forecasts.stopsKnown) known; Brier score "
                    + "\(fixed(score, 3))\(skill ?? ";") your own rate alone (\(fixed(reference, 3)))"
            )
        }
        return lines.joined(separator: "\n")
    }
}

// MARK: - Learned

private struct LearnedDocument: JSONObjectAnswer {
    let routes: [LearnedAccuracy]

    func writeFields(into json: inout JSONWriter) { json.list("routes", routes) }
}

enum LearnedText {
    static func text(_ routes: [LearnedAccuracy]) -> String {
        guard !routes.isEmpty else { return "No journeys with a forecast arrived in this range." }
        var table = TextTable(
            [
                "route", "journeys", "on the road", "error", "learned", "P90", "learned", "loss",
                "learned",
            ],
            [.left, .right, .right, .right, .right, .right, .right, .right, .right])
        for route in routes {
            let (plain, own) = (route.forecast, route.learned)
            table.add([
                printable(route.name, maxLength: TextTable.maxNameLength), "\(route.journeys)",
                change(route.change), time(plain.meanAbsoluteErrorMinutes),
                time(own.meanAbsoluteErrorMinutes), share(plain.p90Coverage),
                share(own.p90Coverage), time(plain.p90LossMinutes), time(own.p90LossMinutes),
            ])
        }
        var lines = [
            table.text(),
            "Error: magnitude, on average. P90: the share that took no longer, 90 % is right; loss: its pinball loss.",
            "Learned: the same with what the journeys before had taught.",
        ]
        let leftOut = routes.map(\.leftOut).reduce(0, +)
        if leftOut > 0 {
            lines.append(
                "Not scored: \(counted(leftOut, "journey")) of more than "
                    + "\(plainNumber(LearnedAccuracy.maxRatio)) times the forecast.")
        }
        return lines.joined(separator: "\n")
    }

    /// Such as `15 % longer`.
    static func change(_ change: Double) -> String {
        let percent = fixed(abs(change) * 100, 0)
        return percent == "0" ? "as forecast" : "\(percent) % \(change > 0 ? "longer" : "shorter")"
    }

    /// What is learned, in a sentence.
    static func sentence(_ pace: LearnedPace, minutes: Double) -> String {
        guard pace.journeys > 0 else {
            return "Nothing is learned yet from your journeys on it."
        }
        let outliers =
            pace.outliers > 0
            ? "; \(pace.outliers) left out, as ended far too late or too early" : ""
        return "Learned from \(counted(pace.journeys, "journey")): on the road "
            + "\(change(pace.change(ofMinutes: minutes)))\(outliers)."
    }

    private static func time(_ minutes: Double) -> String { minutesAndSeconds(minutes * 60) }

    private static func share(_ value: Double) -> String { "\(fixed(value * 100, 0)) %" }
}
