// Random values for the public calls: finite answers, or typed failures of the kinds documented for the call; the
// process ends only where the documentation names a precondition.
import Bridgecast
import BridgecastRouting
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct PublicSurfaceFuzzTests {
    private static let model: LoadedModel = {
        do {
            return try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    @Test(arguments: 0..<8) func randomForecastsAndRankings(
        _ seed: UInt64
    ) async throws {
        var values = NastyValues(seed: seed)
        let inference = TrafficInference(Self.model, options: values.options())
        var answers = 0
        for _ in 0..<500 {
            let situation = values.situation()
            do throws(InferenceError) {
                let requests = values.requests()
                let delays = try await inference.forecast(requests, in: situation)
                #expect(delays.allSatisfy { $0.expectedSeconds.isFinite })
                answers += delays.count
            } catch {
                expectFailure(error, of: [.usage, .data])
            }
            do {
                let routes = values.routes()
                let ranking = try await inference.rank(
                    routes, leaving: values.time(near: situation),
                    arriveBy: values.maybe { $0.time(near: situation) }, in: situation,
                    traffic: values.traffic(), weights: values.weights())
                expectFinite(ranking)
                answers += ranking.count
                let copy = try JSONDecoder().decode(
                    RouteRanking.self, from: JSONEncoder().encode(ranking))
                #expect(copy == ranking)
            } catch let error as RankingError {
                expectFailure(error, of: [.usage, .data])
            }
        }
        #expect(answers > 100, "almost everything was refused")
    }

    @Test(arguments: 0..<4) func randomTablesAndCurves(
        _ seed: UInt64
    ) async throws {
        var values = NastyValues(seed: 100 + seed)
        let inference = TrafficInference(Self.model)
        var answers = 0
        for _ in 0..<150 {
            let situation = values.situation()
            do {
                let table = try await inference.table(
                    in: situation, reaching: values.minutes(), traffic: values.traffic(),
                    modes: Set(values.list { $0.mode() }))
                answers += 1
                for _ in 0..<20 {
                    do throws(ForecastTableError) {
                        let delay = try table.delay(
                            at: values.bridge(), leadMinutes: values.minutes(),
                            mode: values.mode())
                        #expect(delay.expectedSeconds.isFinite)
                    } catch {
                        expectFailure(error, of: [.usage])
                    }
                }
                do throws(RankingError) {
                    expectFinite(
                        try table.rank(values.routes(), leaving: values.time(near: situation)))
                } catch .table(let error) {
                    expectFailure(error, of: [.usage])
                } catch {
                    expectFailure(error, of: [.usage, .data])
                }
            } catch {
                expectFailure(error, of: [.usage, .data])
            }
            do {
                let window = DepartureWindow(
                    from: values.time(near: situation), until: values.time(near: situation),
                    arriveBy: values.maybe { $0.time(near: situation) },
                    confidence: values.number())
                let curve = try await inference.departures(
                    of: values.routes(), window, in: situation)
                for point in curve.points { expectFinite(point) }
            } catch {
                expectFailure(error, of: [.usage, .data])
            }
        }
        #expect(answers > 10)
    }

    @Test func randomTimesAndPlaces() {
        var values = NastyValues(seed: 7)
        for _ in 0..<20_000 {
            let time = Timestamp(secondsSinceEpoch: values.seconds())
            let civil = SeattleTime.civil(at: time.adding(minutes: values.number()))
            _ = (
                SeattleTime.resolve(civil), SeattleTime.startOfDay(civil.date), DayType(civil.date)
            )
            _ = (TimeText.rfc3339(time), TimeText.clock(time), Timestamp(time.date))
            _ = civil.date.adding(days: Int(values.seconds())).description
            _ = time.minutes(since: Timestamp(secondsSinceEpoch: values.seconds())).isFinite
            let bridge = values.bridge()
            let delay = DelayDistribution(Array(repeating: 0.1, count: DelayBins.count))
                .mixed(with: .none, weight: values.number())
            #expect(!delay.quantileSeconds(values.number()).isNaN)
            #expect((0...1).contains(delay.cumulative(atSeconds: values.number())))
            _ = BridgeCatalogue[bridge].rules.status(at: civil)
            _ = TrafficProfile.density(of: bridge, at: time)
            let line = values.list { $0.point() }
            _ = BridgeDeck.crossings(of: line)
            _ = SeattleArea.contains(values.point())
            do throws(PlaceError) {
                _ = try Fixtures.seattle.anchor(values.point(), for: values.mode())
            } catch {
                expectFailure(error, of: [.usage])
            }
            #expect(
                (0...1).contains(
                    Self.model.climatology.probabilityOutlasts(
                        bridge, total: values.number(), elapsed: values.number())))
        }
    }

    private func expectFinite(_ ranking: RouteRanking) {
        for score in ranking {
            for criterion in RouteCriterion.allCases {
                #expect(score.figures[criterion].isFinite && score.figures[criterion] >= 0)
            }
            #expect(score.score.isFinite)
        }
        #expect(ranking.map(\.score) == ranking.map(\.score).sorted())
    }

    /// Expects a failure of one of some kinds, with a description for people.
    private func expectFailure(_ error: some Failure, of kinds: Set<FailureKind>) {
        #expect(kinds.contains(error.kind), "\(error)")
        #expect("\(error)".contains(" ") && !"\(error)".contains("Error"), "\(error)")
    }
}

/// Values a host might pass by mistake, among valid ones.
struct NastyValues {
    private var random: SeededGenerator
    private static let now = Fixtures.timestamp("2026-02-20T17:58")

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    mutating func number() -> Double {
        pick([
            .nan, .infinity, -.infinity, 0, -0.0, -1, 1, 0.5, 1e300, -1e300, 5e-324, 1e9,
            Double.random(in: 0...100, using: &random),
            Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random)),
        ])
    }

    /// Valid in three of four cases.
    mutating func minutes() -> Double {
        Int.random(in: 0..<4, using: &random) == 0
            ? number() : Double.random(in: 0...300, using: &random)
    }

    mutating func seconds() -> Int64 {
        pick([
            .min, .max, 0, -1, 1 << 40, -1 << 40, Int64.random(in: .min ... .max, using: &random),
            Int64.random(in: 0...4_000_000_000, using: &random),
        ])
    }

    mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
        Bool.random(using: &random) ? value(&self) : nil
    }

    mutating func list<Value>(_ value: (inout Self) -> Value) -> [Value] {
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in value(&self) }
    }

    mutating func bridge() -> BridgeIndex { pick(BridgeIndex.all) }
    mutating func mode() -> Route.Mode { pick(Route.Mode.allCases) }

    mutating func point() -> GeoPoint {
        Bool.random(using: &random)
            ? GeoPoint(latitude: number(), longitude: number())
            : GeoPoint(
                latitude: Double.random(in: 47.5...47.7, using: &random),
                longitude: Double.random(in: -122.45 ... -122.25, using: &random))
    }

    mutating func time() -> Timestamp {
        Int.random(in: 0..<8, using: &random) == 0
            ? Timestamp(secondsSinceEpoch: seconds())
            : Self.now.adding(minutes: Double.random(in: -400...400, using: &random))
    }

    mutating func time(near situation: Situation) -> Timestamp {
        Int.random(in: 0..<8, using: &random) == 0
            ? time()
            : situation.issueTime.adding(minutes: Double.random(in: -5...200, using: &random))
    }

    mutating func situation() -> Situation {
        var situation = Situation.unknown(
            at: Int.random(in: 0..<10, using: &random) == 0 ? time() : Self.now)
        for bridge in BridgeIndex.all {
            situation[bridge].state = pick([
                .unknown, .lowered, .raised(since: nil), .raised(since: time()),
            ])
            situation[bridge].observedSince = maybe { $0.time() }
            situation[bridge].recent = list {
                KnownOpening(start: $0.time(), end: $0.maybe { $0.time() })
            }
        }
        var live = LiveSnapshot(asOf: maybe { $0.time() })
        for bridge in BridgeIndex.all {
            let openings = list { KnownOpening(start: $0.time(), end: $0.maybe { $0.time() }) }
            try? live.set(
                bridge, state: situation[bridge].state, openings: openings,
                observedSince: maybe { $0.time() })
        }
        return Bool.random(using: &random) ? situation : situation.applying(live)
    }

    mutating func requests() -> [ForecastRequest] {
        // One invalid value is enough for a refusal, so they are rare here.
        let isGood = Bool.random(using: &random)
        return list {
            ForecastRequest(
                bridge: $0.bridge(),
                leadMinutes: isGood ? Double.random(in: 0...90, using: &$0.random) : $0.minutes(),
                density: isGood ? 0.3 : Float($0.number()))
        }
    }

    mutating func routes() -> [Route] {
        let isGood = Int.random(in: 0..<4, using: &random) > 0
        return list { values in
            Route(
                id: "r", name: "\u{202E}", origin: "", destination: "", mode: values.mode(),
                steps: values.list { values in
                    if Bool.random(using: &values.random) { return .crossing(values.bridge()) }
                    guard !isGood else {
                        return .travel(
                            Route.Travel(minutes: Double.random(in: 0...40, using: &values.random)))
                    }
                    return .travel(
                        Route.Travel(
                            meanMinutes: values.number(), spreadMinutes: values.number()))
                })
        }
    }

    mutating func weights() -> RouteWeights {
        if Bool.random(using: &random) { return .standard }
        var weights: [RouteCriterion: Double] = [:]
        for _ in 0..<3 { weights[pick(RouteCriterion.allCases)] = minutes() }
        return RouteWeights(weights)
    }

    mutating func traffic() -> TrafficDensity {
        var traffic = TrafficDensity()
        let density = number()
        #expect(traffic.set(density, for: bridge()) == (density >= 0 && density < 1))
        _ = traffic.set(
            .travelTime(seconds: number(), freeFlowSeconds: number()), for: bridge())
        _ = traffic.set(.volume(vehiclesPerHour: number()), for: bridge())
        return traffic
    }

    mutating func options() -> InferenceOptions {
        var options = InferenceOptions()
        options.minRowsAlone = pick([-1, 0, 1, 256])
        options.threads = pick([-1, 0, 1, 2])
        options.coalescingWindow = pick([.zero, .seconds(-5), .microseconds(50)])
        return options
    }
}
