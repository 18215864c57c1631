// What the tests of inference ask for.
import BridgecastCore
@testable import BridgecastEngine

/// Every bridge soon, later and much later.
func requests() -> [ForecastRequest] {
    BridgeIndex.all.flatMap { bridge in
        [2.0, 20, 45].map { ForecastRequest(bridge: bridge, leadMinutes: $0, density: 0.2) }
    }
}
