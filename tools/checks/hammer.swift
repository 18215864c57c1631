// Hammers the library as a route service under fire does: thousands of tasks ask one inference that is reloaded all
// the time, are cancelled, and are refused. Every answer must be one model's, whole. Run by tools/checks/hammer.
import Bridgecast
import Foundation

// MARK: Questions

/// What a model says to a question, all of it.
enum Answer: Equatable, Sendable {
    case delays([DelayDistribution])
    case table(leads: [Double], history: [BridgeHistory], delays: [DelayDistribution])
    case ranking(RouteRanking)

    /// Everything that a table says on its grid.
    static func all(of table: ForecastTable) throws -> Answer {
        var delays: [DelayDistribution] = []
        for mode in Route.Mode.allCases where table.modes.contains(mode) {
            for bridge in BridgeIndex.all {
                for lead in table.leadsMinutes {
                    delays.append(try table.delay(at: bridge, leadMinutes: lead, mode: mode))
                }
            }
        }
        let history = BridgeIndex.all.map { table.history(of: $0) }
        return .table(leads: table.leadsMinutes, history: history, delays: delays)
    }
}

/// What a service is asked, and what each of two models says to it.
struct Question: Sendable {
    typealias Asking = @Sendable (TrafficInference) async throws -> Answer
    /// More rows than any takes: a table of four hours for all modes takes 364.
    static let mostRows = 400
    let summary: String
    private let asking: Asking
    private(set) var (a, b): (Answer?, Answer?) = (nil, nil)

    init(_ summary: String, _ asking: @escaping Asking) {
        (self.summary, self.asking) = (summary, asking)
    }

    func ask(_ inference: TrafficInference) async -> Result<Answer, any Error> {
        do { return .success(try await asking(inference)) } catch { return .failure(error) }
    }

    /// The questions with their answers, asked one by one.
    static func answered(
        _ questions: [Question], _ a: TrafficInference, _ b: TrafficInference
    ) async throws -> [Question] {
        var answered = questions
        for index in answered.indices {
            answered[index].a = try await answered[index].asking(a)
            answered[index].b = try await answered[index].asking(b)
        }
        return answered
    }
}

/// Makes questions up, the same ones in every run.
struct QuestionMaker: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func whole(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
    private mutating func number(_ range: Range<Double>) -> Double {
        .random(in: range, using: &self)
    }
    private mutating func bridge() -> BridgeIndex {
        BridgeIndex.all[whole(0...BridgeCatalogue.count - 1)]
    }

    /// Six in ten are forecasts of 1 to 30 requests, or of 300 that run alone; one is a table, three are rankings
    /// of 3 to 20 routes.
    mutating func questions(_ count: Int) throws -> [Question] {
        try (0..<count).map { number in
            switch number % 10 {
            case 0: try forecasts(number % 50 == 40 ? 300 : 1)
            case 1...5: try forecasts(whole(1...30))
            case 6: try table()
            default: try ranking()
            }
        }
    }

    mutating func forecasts(_ count: Int) throws -> Question {
        let situation = try situation()
        let requests = (0..<count).map { _ in
            ForecastRequest(
                bridge: bridge(), leadMinutes: number(0..<180), density: Float(number(0..<0.95)))
        }
        return Question("forecasts: \(count)") {
            .delays(try await $0.forecast(requests, in: situation))
        }
    }

    private mutating func table() throws -> Question {
        let (situation, reach) = (try situation(), number(20..<240))
        let modes: Set<Route.Mode> = [[.car], [.bike, .walk], Set(Route.Mode.allCases)][
            whole(0...2)]
        return Question("a table that reaches \(reach) minutes") {
            try .all(of: try await $0.table(in: situation, reaching: reach, modes: modes))
        }
    }

    private mutating func ranking() throws -> Question {
        let situation = try situation()
        let departure = situation.issueTime.adding(minutes: number(0..<50))
        let deadline = whole(0...1) == 0 ? nil : departure.adding(minutes: 35)
        let routes = (0..<whole(3...20)).map { route($0) }
        return Question("a ranking of \(routes.count) routes") {
            .ranking(
                try await $0.rank(routes, leaving: departure, arriveBy: deadline, in: situation))
        }
    }

    private mutating func route(_ number: Int) -> Route {
        var steps: [Route.Step] = [.travel(Route.Travel(minutes: self.number(1..<15)))]
        for _ in 0..<whole(0...3) {
            steps += [.crossing(bridge()), .travel(Route.Travel(minutes: self.number(1..<15)))]
        }
        return Route(
            id: "\(number)", name: "route \(number)", origin: "here", destination: "there",
            mode: number % 5 == 4 ? .bike : .car, steps: steps)
    }

    /// In a rush, at night or in summer: nothing known, or up to four bridges seen up, up since when nobody knows,
    /// down, or in a state that is not said.
    private mutating func situation() throws -> Situation {
        // Hours after 09:00 in Seattle on 20 February 2026.
        let hours = [0, 8.2, 18, 75, 2405][whole(0...4)]
        let now = Timestamp(secondsSinceEpoch: 1_771_606_800).adding(minutes: 60 * hours)
        var live = LiveSnapshot(asOf: now)
        for _ in 0..<whole(0...4) {
            let up = SpanState.raised(since: now.adding(minutes: -number(0..<20)))
            let state = [up, .raised(since: nil), .lowered, .unknown, nil][whole(0...4)]
            let end = now.adding(minutes: -number(25..<200))
            let opening = KnownOpening(start: end.adding(minutes: -number(1..<12)), end: end)
            try live.set(
                bridge(), state: state, openings: [opening],
                observedSince: now.adding(minutes: -number(30..<600)))
        }
        return Situation.unknown(at: now).applying(live)
    }
}

// MARK: Counting

/// How requests and reloads ended.
struct Tally: Sendable {
    /// Right answers, A's where the models agree; answers of neither; reloads done and refused.
    var (ofA, ofB, wrong, cancelled, refused, reloads, badReloads) = (0, 0, 0, 0, 0, 0, 0)
    /// What single forecasts took, and what the first refusals of each client did, microseconds.
    var (latencies, refusals): ([Double], [Double]) = ([], [])
    /// What must not happen, the first few.
    private(set) var problems: [String] = []

    mutating func count(
        _ result: Result<Answer, any Error>, to question: Question, isCancelled: Bool = false
    ) {
        switch result {
        case .success(let answer) where answer == question.a: ofA += 1
        case .success(let answer) where answer == question.b: ofB += 1
        case .success:
            wrong += 1
            note("the answer of no model to \(question.summary)")
        case .failure(InferenceError.cancelled) where isCancelled,
            .failure(RankingError.forecast(.cancelled)) where isCancelled:
            cancelled += 1
        case .failure(let error): note("\(question.summary) ended with: \(error)")
        }
    }

    mutating func note(_ problem: String) { if problems.count < 5 { problems.append(problem) } }

    static func += (sum: inout Tally, other: Tally) {
        for count in [\Tally.ofA, \.ofB, \.wrong, \.cancelled, \.refused, \.reloads, \.badReloads] {
            sum[keyPath: count] += other[keyPath: count]
        }
        sum.latencies += other.latencies
        sum.refusals += other.refusals
        other.problems.forEach { sum.note($0) }
    }

    /// Runs so many tasks and adds up how their requests ended.
    static func of(_ tasks: Int, _ body: @escaping @Sendable (Int) async -> Tally) async -> Tally {
        await withTaskGroup(of: Tally.self) { group in
            for task in 0..<tasks { group.addTask { await body(task) } }
            var sum = Tally()
            for await one in group { sum += one }
            return sum
        }
    }
}

extension [Double] {
    /// The number that such a part of all does not exceed.
    func quantile(_ part: Double) -> Double {
        isEmpty ? .nan : sorted()[Int(Double(count - 1) * part)]
    }

    var latencyText: String {
        let (p50, p99) = (quantile(0.5), quantile(0.99))
        return String(
            format: "p50 %.0f us, p99 %.0f us, p99/p50 %.1f, of %d", p50, p99, p99 / p50, count)
    }
}

extension ContinuousClock.Instant {
    var microsecondsAgo: Double { (.now - self) / .microseconds(1) }
}

// MARK: Fire

/// One inference that all share, until a moment.
struct Fire: Sendable {
    let inference: TrafficInference
    let questions: [Question]
    let end: ContinuousClock.Instant

    /// Asks as fast as it is answered; every twentieth request is cancelled in flight.
    func ask(_ task: Int) async -> Tally {
        var (tally, random, number) = (Tally(), QuestionMaker(seed: task), task)
        while ContinuousClock.now < end {
            let question = questions[random.whole(0...questions.count - 1)]
            number += 1
            if number % 20 == 0 {
                let asked = Task { await question.ask(inference) }
                await pause(random.whole(0...2))
                asked.cancel()
                tally.count(await asked.value, to: question, isCancelled: true)
            } else {
                tally.count(await question.ask(inference), to: question)
            }
        }
        return tally
    }

    /// Lets a request come more or less far before it is cancelled.
    private func pause(_ length: Int) async {
        if length == 1 { await Task.yield() }
        if length == 2 { try? await Task.sleep(for: .milliseconds(1)) }
    }

    /// Asks for single forecasts, with a pause after each, and says what they took.
    func probe(_ task: Int) async -> Tally {
        var (tally, number) = (Tally(), task)
        while ContinuousClock.now < end {
            let question = questions[number % 4 * 10]
            number += 1
            let start = ContinuousClock.now
            let answer = await question.ask(inference)
            tally.latencies.append(start.microsecondsAgo)
            tally.count(answer, to: question)
            try? await Task.sleep(for: .milliseconds(1))
        }
        return tally
    }
}

/// Exchanges the model every 3 ms, on a thread of its own: a task would come too late under fire.
struct Reloader: Sendable {
    private let good, bad: [URL]

    /// Writes the bad files to a folder.
    init(_ a: URL, _ b: URL, badIn folder: URL) throws {
        good = [a, b]
        bad = ["cut.bcm", "text.bcm", "missing.bcm"].map { folder.appendingPathComponent($0) }
        try Data(contentsOf: a).dropLast(1000).write(to: bad[0])
        try Data("not a model\n".utf8).write(to: bad[1])
    }

    func run(_ inference: TrafficInference, until end: ContinuousClock.Instant) async -> Tally {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: reload(inference, until: end)) }.start()
        }
    }

    private func reload(_ inference: TrafficInference, until end: ContinuousClock.Instant) -> Tally
    {
        var (tally, number) = (Tally(), 0)
        while ContinuousClock.now < end {
            let next = ContinuousClock.now + .milliseconds(3)
            number += 1
            let isBad = number % 10 == 0
            let file = isBad ? bad[number / 10 % bad.count] : good[number % good.count]
            do throws(ModelFileError) {
                try inference.reload(contentsOf: file)
                tally.reloads += 1
                if isBad { tally.note("\(file.lastPathComponent) was loaded") }
            } catch {
                tally.badReloads += 1
                if !isBad { tally.note("\(file.path) was refused: \(error)") }
            }
            Thread.sleep(forTimeInterval: max((next - .now) / .seconds(1), 0))
        }
        return tally
    }
}

// MARK: Overload

/// Requests of 50 rows by more clients than the limit admits.
struct Overload: Sendable {
    static let (rows, limit) = (50, 500)
    static let admitted = limit / rows

    /// So many times the clients that are admitted.
    ///
    /// Where the rest only pauses it costs what the pauses of those refused cost, but asks for nothing: what
    /// is served then is what this machine can.
    struct Level {
        let times: Int
        var restOnlyPauses = false
        var tally = Tally()
    }

    let inference: TrafficInference
    let questions: [Question]

    /// Takes the levels in turn, three times, so that what else the machine does falls on all.
    func measure(seconds: Double) async -> [Level] {
        var levels =
            [1, 2, 5, 20].map { Level(times: $0) } + [Level(times: 20, restOnlyPauses: true)]
        let span = Duration.seconds(seconds / Double(3 * levels.count))
        for turn in 0..<3 * levels.count {
            let level = levels[turn % levels.count], end = ContinuousClock.now + span
            levels[turn % levels.count].tally += await .of(level.times * Self.admitted) { client in
                let onlyPauses = level.restOnlyPauses && client >= Self.admitted
                return await ask(client, onlyPauses, until: end)
            }
        }
        return levels
    }

    /// Asks as fast as it is answered; what is refused is asked again after 1 ms.
    private func ask(
        _ client: Int, _ onlyPauses: Bool, until end: ContinuousClock.Instant
    ) async -> Tally {
        var (tally, number) = (Tally(), client)
        while ContinuousClock.now < end {
            let question = questions[number % questions.count]
            let start = ContinuousClock.now
            let answer = onlyPauses ? nil : await question.ask(inference)
            switch answer {
            case nil: try? await Task.sleep(for: .milliseconds(1))
            case .failure(InferenceError.overloaded):
                if tally.refusals.count < 100 { tally.refusals.append(start.microsecondsAgo) }
                tally.refused += 1
                try? await Task.sleep(for: .milliseconds(1))
            case let answer?:
                tally.count(answer, to: question)
                number += 1
            }
        }
        return tally
    }
}

// MARK: The program

/// The parts in order, what they found, and what of that must not be.
@main struct Hammer {
    private let (models, bad): (URL, URL)
    private let (seconds, tasks, hasLimits): (Double, Int, Bool)
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
        (models, bad) = (URL(fileURLWithPath: arguments[1]), URL(fileURLWithPath: arguments[4]))
        (seconds, tasks) = (Double(arguments[2]) ?? 20, Int(arguments[3]) ?? 2000)
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
            questions.count { $0.a != $0.b } > 190, "the models agree too often to be told apart")

        var options = ServiceOptions()
        options.mostRowsInFlight = (tasks + 10) * Question.mostRows
        let shared = TrafficInference(a.model, options: options)
        let reloader = try Reloader(fileOfA, fileOfB, badIn: bad)
        let resident = try await fire(on: shared, questions, reloader)

        options.mostRowsInFlight = Overload.limit
        let small = TrafficInference(a.model, options: options)
        let fifties = try (0..<20).map { _ in try maker.forecasts(Overload.rows) }
        let overload = Overload(
            inference: small, questions: try await Question.answered(fifties, a, b))
        report(await overload.measure(seconds: seconds / 4))

        let end = residentMegabytes()
        print(String(format: "memory    %.0f MB in the fire, %.0f MB at the end", resident, end))
        expect(!hasLimits || end - resident <= max(8, resident / 10), "memory grew")
        for inference in [shared, small] { await expectNothingInFlight(in: inference) }
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
        report(quiet, await probed, await reloaded, await asked, took: start.microsecondsAgo / 1e6)
        return resident
    }

    private mutating func report(
        _ quiet: Tally, _ probes: Tally, _ reloads: Tally, _ full: Tally, took seconds: Double
    ) {
        let (answers, wrong) = (full.ofA + full.ofB, quiet.wrong + probes.wrong + full.wrong)
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
            let (refusals, cost) = (level.tally.refused, level.tally.refusals.quantile(0.5))
            let what = String(format: "%d refusals, each %.2f us", refusals, cost)
            print(
                "overload  \(level.times)x: \(served) served a second, "
                    + (level.restOnlyPauses
                        ? "the rest only pauses" : refusals == 0 ? "none refused" : what))
            failures += level.tally.problems
        }
        let (found, possible) = (Double(served[3]), Double(served[4]))
        print(
            String(
                format:
                    "          at 20x %.2f of the most, %.2f of what it is where the rest only pauses",
                found / Double(served.max() ?? 0), found / possible))
        expect(!hasLimits || found >= 0.7 * possible, "less is served at 20 times the load")
    }

    /// As many rows as the limit are admitted, and refused for what they are, only if nothing is in flight.
    private mutating func expectNothingInFlight(in inference: TrafficInference) async {
        let request = ForecastRequest(bridge: BridgeIndex.all[0], leadMinutes: -1, density: 0)
        let requests = Array(repeating: request, count: inference.options.mostRowsInFlight)
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
