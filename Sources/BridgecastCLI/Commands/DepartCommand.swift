// `bridgecast depart`: when to leave, and which way.
package import ArgumentParser
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastRoads
internal import BridgecastRouting
internal import BridgecastSupport

/// `depart`; with `--router` the other program does it.
package struct DepartCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "depart",
        abstract: "Shows when to leave, and which way, to be there in time.",
        discussion: """
            For every departure from now on, five minutes apart, the routes are searched and scored. \
            With --arrive-by: the latest departure by each route that arrives in time with the wanted \
            confidence. Without: the next two hours.
            """)

    @OptionGroup var trip: TripOptions

    @Option(
        name: .long,
        help:
            "When you want to be there: 09:00, 6:30 pm (the next one) or 'tomorrow 9:00'; Seattle time; or RFC 3339."
    )
    var arriveBy: String?

    @Option(
        name: .long,
        help: "Wanted probability of being in time, above 0 and below 1: 0.9 or 90%.")
    var confidence = WantedConfidence(0.9)

    @OptionGroup var forecast: ForecastOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    package init() {}

    package func validate() throws {
        guard trip.from != nil else { throw ValidationError("--from and --to are needed") }
        guard confidence.probability > 0, confidence.probability < 1 else {
            throw ValidationError(
                "--confidence \(confidence) must be above 0 and below 1 (100 %), such as 0.9 or 90%"
            )
        }
    }

    package func run() async throws { try await run(asking: nil) }

    /// - Parameter ask: Requests routes of the route server of `--router`; nil to leave it to the other program.
    package func run(asking ask: RouterOptions.Asking?) async throws {
        try await reportingFailures {
            if trip.isForServer(ask) { return try ServerProgram.start(Console.current.arguments) }
            let earliest = try forecast.departure()
            let deadline = try arriveBy.map {
                try ForecastOptions.deadline(
                    $0, after: earliest, maxHours: DeadlineText.maxPlanHours)
            }
            guard let found = try await trip.request(leaving: deadline ?? earliest, asking: ask)
            else { return }
            let window = try window(of: found.request, from: earliest, to: deadline)
            let context = try forecast.context(leaving: window.from)
            let advice = try await DepartureAdvice(
                found.request, of: found.source, window, in: context)
            remark(context.notes)
            switch format {
            case .table: try Console.print(DepartureText.text(advice))
            case .json: try Console.print(DepartureDocument(advice).jsonText())
            }
        }
    }

    private func window(
        of request: RouteRequest, from earliest: Timestamp, to deadline: Timestamp?
    ) throws -> DepartureWindow {
        let goal = try deadline.map {
            (deadline: $0, quickestMinutes: try request.quickestMinutes(leaving: $0))
        }
        do {
            return try DepartureWindow(
                from: earliest, arriveBy: goal, confidence: confidence.probability)
        } catch {
            throw CommandFailure(.usage, "--arrive-by \(error)")
        }
    }
}

/// A probability as `--confidence` takes it: `0.9` or `90%`.
struct WantedConfidence: ExpressibleByArgument, CustomStringConvertible {
    /// Of any value that was typed: 0.9 for both.
    let probability: Double
    /// As it was typed.
    let description: String

    var defaultValueDescription: String { description }

    init(_ probability: Double) {
        self.probability = probability
        description = plainNumber(probability)
    }

    init?(argument: String) {
        let number = argument.filter { !$0.isWhitespace }
        let isPercent = number.hasSuffix("%")
        guard let value = Double(isPercent ? number.dropLast() : number[...]), value.isFinite
        else { return nil }
        probability = isPercent ? value / 100 : value
        description = argument
    }
}

// MARK: - Text

enum DepartureText {
    static func text(_ advice: DepartureAdvice) -> String {
        let ends = advice.request.ends
        var parts = [
            printable("\(ends.origin) -> \(ends.destination)", maxLength: 200)
                + ", by \(ends.mode.rawValue)"
                + (advice.deadline.map {
                    "; there by \(PredictionText.day($0)), \(wantedPercent(advice.confidence)) sure"
                } ?? "; leaving from \(PredictionText.day(advice.context.departure)) on")
                + (advice.source.text.map { "\n\($0)" } ?? "")
        ]
        if advice.deadline != nil { parts.append(latest(advice)) }
        if let comparison = nowOrLater(advice) { parts.append(comparison) }
        parts.append(chart(advice))
        parts.append(table(advice))
        if let attribution = advice.request.attribution {
            parts.append(RoadsText.attribution(attribution))
        }
        return parts.joined(separator: "\n\n")
    }

    /// A probability that was asked for, in percent with all its digits: 0.999 is 99.9 %, not 100 %.
    static func wantedPercent(_ probability: Double) -> String {
        // More digits would be those of the computer's representation.
        plainNumber((probability * 1e12).rounded() / 1e10) + " %"
    }

    private static func latest(_ advice: DepartureAdvice) -> String {
        guard !advice.curve.latest.isEmpty else {
            let best = advice.curve.points.first?.compactMap(\.probabilityOnTime).max() ?? 0
            return
                "No route is that likely to be in time; leaving now by the best one: \(percent(best))."
        }
        var table = TextTable(
            ["leave by", "route", "expected", "P90", "on time", "stopped"],
            [.left, .left, .right, .right, .right, .right])
        for latest in advice.curve.latest.prefix(RoutePlanner.defaultMaxRoutes) {
            let score = latest.score
            table.add([
                TimeText.clock(latest.departure),
                printable(score.route.name, maxLength: TextTable.maxNameLength),
                minutesAndSeconds(score.expectedMinutes * 60),
                minutesAndSeconds(score.p90Minutes * 60), percent(score.probabilityOnTime ?? 0),
                score.crossings.isEmpty ? "-" : percent(score.probabilityStopped),
            ])
        }
        return table.text(indent: "  ")
    }

    private static func nowOrLater(_ advice: DepartureAdvice) -> String? {
        guard let (now, later) = advice.nowOrLater, let first = now.first, let second = later.first
        else { return nil }
        func sentence(_ point: RouteRanking, _ score: RouteScore) -> String {
            let arrival = point.expectedArrival(by: score)
            let late = point.departure.adding(minutes: score.p90Minutes)
            return
                "Leave \(TimeText.clock(point.departure)): there at \(TimeText.clock(arrival)) on average, "
                + "by \(TimeText.clock(late)) nine times in ten"
                + (score.probabilityOnTime.map { ", \(percent($0)) in time" } ?? "")
                + " (\(printable(score.route.name, maxLength: TextTable.maxNameLength)))."
        }
        let cost =
            later.expectedArrival(by: second).minutes(since: now.expectedArrival(by: first))
        return [
            sentence(now, first), sentence(later, second),
            "Waiting \(Int(DepartureAdvice.laterMinutes)) minutes makes you \(fixed(cost, 0)) minutes later.",
        ].joined(separator: "\n")
    }

    /// One bar for each departure: the best route's expected time, and its chance of being in time.
    private static func chart(_ advice: DepartureAdvice) -> String {
        let best = advice.curve.points.compactMap(\.first)
        let minutes = best.map { $0.expectedMinutes * 60 }
        guard let low = minutes.min(), let high = minutes.max(),
            let first = advice.curve.points.first,
            let last = advice.curve.points.last
        else { return "" }
        // At least a fifth of the shortest from bottom to top, so that small differences look small.
        let times = minutes.map { bar(($0 - low) / max(high - low, low / 5)) }.joined()
        var lines = [
            "  travel   \(times)  \(minutesAndSeconds(low)) to \(minutesAndSeconds(high))"
        ]
        if advice.deadline != nil {
            let chances = advice.curve.points.map { point in
                point.compactMap(\.probabilityOnTime).max() ?? 0
            }
            lines.append(
                "  on time  \(chances.map(bar).joined())  \(percent(chances.min() ?? 0)) to "
                    + percent(chances.max() ?? 0))
        }
        let start = TimeText.clock(first.departure)
        let end = TimeText.clock(last.departure)
        let gap = String(repeating: " ", count: max(1, best.count - start.count - end.count))
        return (lines + ["           \(start)\(gap)\(end)"]).joined(separator: "\n")
    }

    private static func bar(_ share: Double) -> String {
        let bars = Array("▁▂▃▄▅▆▇█")
        return String(bars[min(bars.count - 1, max(0, Int(share * Double(bars.count))))])
    }

    private static func table(_ advice: DepartureAdvice) -> String {
        let hasDeadline = advice.deadline != nil
        var table = TextTable(
            ["leave", "best route", "expected", "P90"] + (hasDeadline ? ["on time"] : [])
                + ["stopped"],
            [.left, .left, .right, .right] + (hasDeadline ? [.right] : []) + [.right])
        for point in advice.curve.points {
            guard let score = point.first else { continue }
            table.add(
                [
                    TimeText.clock(point.departure),
                    printable(score.route.name, maxLength: TextTable.maxNameLength),
                    minutesAndSeconds(score.expectedMinutes * 60),
                    minutesAndSeconds(score.p90Minutes * 60),
                ] + (score.probabilityOnTime.map { [percent($0)] } ?? []) + [
                    score.crossings.isEmpty ? "-" : percent(score.probabilityStopped)
                ])
        }
        return table.text(indent: "  ")
    }
}
