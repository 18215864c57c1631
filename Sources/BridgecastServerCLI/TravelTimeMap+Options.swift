// `--travel-time ID=BRIDGE` read; used by `watch` and `serve`.
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastFeeds

extension TravelTimeMap {
    /// Reads stretches that lead to bridges.
    ///
    /// - Throws: ``CommandFailure`` for what is none.
    init(of texts: [String], freeFlowMilesPerHour: Double) throws {
        self.init(freeFlowMilesPerHour: freeFlowMilesPerHour)
        for text in texts {
            let parts = text.split(separator: "=")
            guard parts.count == 2, let id = Int(parts[0]),
                let bridge = BridgeCatalogue.index(named: String(parts[1]))
            else { throw CommandFailure(.usage, "--travel-time \(text): write ID=BRIDGE") }
            bridgeByID[id] = bridge
        }
    }
}
