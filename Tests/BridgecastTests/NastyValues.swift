// What a host might hand in by mistake, drawn at random; used by PublicSurfaceFuzzTests.
import Bridgecast
import BridgecastTestSupport
import Testing

/// Values as a host might hand in by mistake, among good ones.
struct NastyValues {
    private var random: SeededGenerator
    private static let now = Fixtures.moment("2026-02-20T17:58")

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

    /// Mostly good.
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

    mutating func moment() -> Timestamp {
        Int.random(in: 0..<8, using: &random) == 0
            ? Timestamp(secondsSinceEpoch: seconds())
            : Self.now.adding(minutes: Double.random(in: -400...400, using: &random))
    }

    mutating func moment(near situation: Situation) -> Timestamp {
        Int.random(in: 0..<8, using: &random) == 0
            ? moment()
            : situation.issueTime.adding(minutes: Double.random(in: -5...200, using: &random))
    }

    mutating func situation() -> Situation {
        var situation = Situation.unknown(
            at: Int.random(in: 0..<10, using: &random) == 0 ? moment() : Self.now)
        for bridge in BridgeIndex.all {
            situation[bridge].state = pick([
                .unknown, .lowered, .raised(since: nil), .raised(since: moment()),
            ])
            situation[bridge].observedSince = maybe { $0.moment() }
            situation[bridge].recent = list {
                KnownOpening(start: $0.moment(), end: $0.maybe { $0.moment() })
            }
        }
        var live = LiveSnapshot(asOf: maybe { $0.moment() })
        for bridge in BridgeIndex.all {
            let openings = list { KnownOpening(start: $0.moment(), end: $0.maybe { $0.moment() }) }
            try? live.set(
                bridge, state: situation[bridge].state, openings: openings,
                observedSince: maybe { $0.moment() })
        }
        return Bool.random(using: &random) ? situation : situation.applying(live)
    }

    mutating func requests() -> [ForecastRequest] {
        // One bad value among many is enough for a refusal, so they are rare here.
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

    mutating func options() -> ServiceOptions {
        var options = ServiceOptions()
        options.leastRowsAlone = pick([-1, 0, 1, 256])
        options.threads = pick([-1, 0, 1, 2])
        options.coalescingWindow = pick([.zero, .seconds(-5), .microseconds(50)])
        return options
    }
}
