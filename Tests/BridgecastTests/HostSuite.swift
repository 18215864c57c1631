import Bridgecast
import BridgecastTestSupport

/// A suite that calls the library as a host does.
protocol HostSuite {}

extension HostSuite {
    var now: Timestamp { Fixtures.timestamp("2026-02-20T12:00") }
    var inference: TrafficInference {
        get throws { try TrafficInference(contentsOf: Fixtures.model("bridgecast.int8.bcm")) }
    }
    var situation: Situation { .unknown(at: now) }

    func route(_ steps: Route.Step..., mode: Route.Mode = .car) -> Route {
        Route(id: "a", name: "a", origin: "Home", destination: "Work", mode: mode, steps: steps)
    }

    var overFremont: Route {
        route(
            .travel(Route.Travel(minutes: 5)), .crossing(.fremont),
            .travel(Route.Travel(minutes: 6)))
    }

    /// Every state known, and Ballard raised.
    func busySituation() throws -> Situation {
        var live = LiveSnapshot(asOf: now)
        for bridge in BridgeIndex.all {
            try live.set(bridge, state: .lowered, observedSince: now.adding(minutes: -300))
        }
        try live.set(.ballard, state: .raised(since: now), observedSince: now.adding(minutes: -300))
        return Situation.unknown(at: now).applying(live)
    }
}
