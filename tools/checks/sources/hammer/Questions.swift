// What the hammer asks, and what each of two models says to it.
import Bridgecast
import Foundation

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

/// What a service is asked, and the answers of two models.
struct Question: Sendable {
    typealias Asking = @Sendable (TrafficInference) async throws -> Answer
    /// More rows than any question has: a table of four hours for all modes takes 364.
    static let maxRows = 400
    let summary: String
    private let asking: Asking
    private(set) var a: Answer?
    private(set) var b: Answer?

    init(_ summary: String, _ asking: @escaping Asking) {
        self.summary = summary
        self.asking = asking
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

/// Random questions, the same in every run.
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

    /// In a rush, at night or in summer: nothing known, or up to four bridges seen up, up since an unknown time,
    /// down, or in a state that is not given.
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
