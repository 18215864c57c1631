// Uses the library as a route service under heavy load does: thousands of tasks ask one inference that is reloaded all
// the time, are cancelled, and are refused. Every answer must be entirely of one model. Run by tools/checks/hammer.
import Bridgecast
import Foundation

/// The parts in order, and their failures.
@main struct Hammer {
    private let models: URL
    private let bad: URL
    private let seconds: Double
    private let tasks: Int
    private let hasLimits: Bool
    private var failures: [String] = []

    /// MODELS SECONDS TASKS FOLDER [--no-limits], which tools/checks/hammer gives.
    static func main() async throws {
        var hammer = Hammer(CommandLine.arguments)
        try await hammer.run()
        for failure in hammer.failures { print("FAILED: \(failure)") }
        if !hammer.failures.isEmpty { exit(1) }
        print("hammer: ok")
    }

    private init(_ arguments: [String]) {
        models = URL(fileURLWithPath: arguments[1])
        seconds = Double(arguments[2]) ?? 20
        tasks = Int(arguments[3]) ?? 2000
        bad = URL(fileURLWithPath: arguments[4])
        hasLimits = !arguments.contains("--no-limits")
    }

    private mutating func run() async throws {
        let fileOfA = models.appendingPathComponent("bridgecast.int8.bcm")
        let fileOfB = models.appendingPathComponent("validation/bridgecast.int8.bcm")
        let a = try TrafficInference(contentsOf: fileOfA),
            b = try TrafficInference(contentsOf: fileOfB)
        var maker = QuestionMaker(seed: 1)
        let questions = try await Question.answered(try maker.questions(200), a, b)
        expect(
            questions.count { $0.a != $0.b } > 190, "the models agree too often to be distinguished"
        )

        var options = InferenceOptions()
        options.maxRowsInFlight = (tasks + 10) * Question.maxRows
        options.maxComputationsInFlight = tasks + 10
        let shared = TrafficInference(a.model, options: options)
        let reloader = try Reloader(fileOfA, fileOfB, badIn: bad)
        let resident = try await fire(on: shared, questions, reloader)

        options.maxRowsInFlight = Overload.limit
        let small = TrafficInference(a.model, options: options)
        let fifties = try (0..<20).map { _ in try maker.forecasts(Overload.rows) }
        let overload = Overload(
            inference: small, questions: try await Question.answered(fifties, a, b))
        report(await overload.measure(seconds: seconds / 4))

        let end = residentMegabytes()
        print(String(format: "memory    %.0f MB in the fire, %.0f MB at the end", resident, end))
        expect(!hasLimits || end - resident <= max(8, resident / 10), "memory grew")
        for inference in [shared, small] { await expectNothingInFlight(in: inference) }
        try await listenToHost(a.model)
    }

    /// How late a host's task may wake beside any load, milliseconds.
    private static let maxLateMilliseconds = 20.0
    /// The minimum throughput of the executor, as a share of that of the host's own threads: 0.95, less the noise.
    private static let minThroughputShare = 0.9

    private mutating func listenToHost(_ model: LoadedModel) async throws {
        let roads = models.appendingPathComponent("roads/seattle.roads")
        var options = InferenceOptions()
        // Tables of 48 days are as large as the default limit, and several are computed at a time.
        options.maxRowsInFlight *= 4
        let heartbeat = try Heartbeat(TrafficInference(model, options: options), roads: roads)
        for beat in try await heartbeat.measure() {
            print(
                String(
                    format:
                        "host      beside %@: a task that sleeps 2 ms wakes %.1f ms late at most, %.1f s",
                    beat.name, beat.maxLateMilliseconds, beat.seconds))
            expect(
                !hasLimits || beat.maxLateMilliseconds <= Self.maxLateMilliseconds,
                "the host's task waits beside \(beat.name)")
        }
        let share = try await heartbeat.throughput()
        print(String(format: "          trips a second: %.2f of the host's threads' own", share))
        expect(!hasLimits || share >= Self.minThroughputShare, "the executor is slow")
    }

    /// Little load, then all of it; returns the memory held after 5 s.
    private mutating func fire(
        on inference: TrafficInference, _ questions: [Question], _ reloader: Reloader
    ) async throws -> Double {
        let quietEnd = ContinuousClock.now + .seconds(seconds * 0.1)
        let quiet = await Tally.of(
            4, Fire(inference: inference, questions: questions, end: quietEnd).probe)
        let start = ContinuousClock.now, span = seconds * 0.65
        let fire = Fire(inference: inference, questions: questions, end: start + .seconds(span))
        async let asked = Tally.of(tasks, fire.ask)
        async let probed = Tally.of(4, fire.probe)
        async let reloaded = reloader.run(inference, until: fire.end)
        try await Task.sleep(until: start + .seconds(min(5, span / 2)), clock: .continuous)
        let resident = residentMegabytes()
        report(
            quiet: quiet, probes: await probed, reloads: await reloaded, full: await asked,
            took: start.microsecondsAgo / 1e6)
        return resident
    }

    private mutating func report(
        quiet: Tally, probes: Tally, reloads: Tally, full: Tally, took seconds: Double
    ) {
        let answers = full.ofA + full.ofB
        let wrong = quiet.wrong + probes.wrong + full.wrong
        let rate = Int(Double(answers) / seconds)
        print(
            "answers   \(answers) to \(tasks) tasks, \(rate) a second; of A \(full.ofA), of B \(full.ofB)"
        )
        print("          wrong \(wrong), cancelled \(full.cancelled)")
        print("reloads   \(reloads.reloads), refused \(reloads.badReloads) of bad files")
        print("latency   little load: \(quiet.latencies.latencyText)")
        print("          full load:   \(probes.latencies.latencyText)")
        for tally in [quiet, probes, reloads, full] { failures += tally.problems }
        expect(wrong == 0, "\(wrong) wrong answers")
        expect(full.ofA > 0 && full.ofB > 0, "one of the models never answered")
        expect(full.cancelled > 0, "no request was cancelled in time")
        expect(reloads.badReloads > 0, "no bad file was tried")
    }

    private mutating func report(_ levels: [Overload.Level]) {
        let span = seconds / 4 / Double(levels.count)
        let served = levels.map { Int(Double($0.tally.ofA + $0.tally.ofB) / span) }
        for (level, served) in zip(levels, served) {
            let refusals = level.tally.refused
            let cost = level.tally.refusals.quantile(0.5)
            let what = String(format: "%d refusals, each %.2f us", refusals, cost)
            print(
                "overload  \(level.times)x: \(served) served a second, "
                    + (level.restOnlyPauses
                        ? "the rest only pauses" : refusals == 0 ? "none refused" : what))
            failures += level.tally.problems
        }
        let found = Double(served[3])
        let possible = Double(served[4])
        print(
            String(
                format:
                    "          at 20x %.2f of the maximum, %.2f of the rate where the rest only pauses",
                found / Double(served.max() ?? 0), found / possible))
        expect(!hasLimits || found >= 0.7 * possible, "less is served at 20 times the load")
    }

    /// As many rows as the limit are admitted, and refused for their content, only if nothing is in flight.
    private mutating func expectNothingInFlight(in inference: TrafficInference) async {
        let request = ForecastRequest(bridge: BridgeIndex.all[0], leadMinutes: -1, density: 0)
        let requests = Array(repeating: request, count: inference.options.maxRowsInFlight)
        do throws(InferenceError) {
            _ = try await inference.forecast(requests, in: .unknown(at: .earliest))
            expect(false, "a lead of -1 was answered")
        } catch {
            expect(error == .lead(minutes: -1, request: 0), "when all is over: \(error)")
        }
    }

    private mutating func expect(_ isSo: Bool, _ failure: String) {
        if !isSo { failures.append(failure) }
    }

    private func residentMegabytes() -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (Double(line.filter(\.isNumber)) ?? .nan) / 1024
    }
}
