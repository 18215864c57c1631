// `--traffic` and `--traffic-file`: degrees of saturation from words and measurements; used by ForecastOptions.
import BridgecastCore
import BridgecastData
import Foundation

/// Reads `--traffic`.
enum TrafficText {
    /// Densities from `RHO`, `BRIDGE=RHO` and measurements, later ones winning.
    ///
    /// - Parameter file: Measurements, which options override; those too old at `moment` do not count.
    static func density(
        _ texts: [String], file: String?, at moment: Timestamp
    ) throws -> TrafficDensity {
        var density = TrafficDensity()
        if let file {
            let measured = try TrafficFile(URL(fileURLWithPath: file))
            remark(measured.problems, on: file)
            var live = LiveTraffic()
            live.add(measured.readings)
            density = live.densities(at: moment)
            if density == TrafficDensity() {
                remark(
                    [
                        "every measurement is more than \(Int(LiveTraffic.stalenessMinutes)) minutes older than the issue time, or later: "
                            + "none is used"
                    ], on: file)
            }
        }
        for text in texts {
            let parts = text.split(separator: "=", omittingEmptySubsequences: false)
            let bridges: [BridgeIndex]
            switch parts.count {
            case 1: bridges = BridgeIndex.all
            case 2:
                guard let bridge = BridgeCatalogue.index(named: String(parts[0])) else {
                    throw CommandFailure(.usage, "--traffic \(text): unknown bridge '\(parts[0])'")
                }
                bridges = [bridge]
            default: throw CommandFailure(.usage, "--traffic \(text): write RHO or BRIDGE=RHO")
            }
            let value = String(parts[parts.count - 1])
            guard bridges.allSatisfy({ set(value, for: $0, in: &density) }) else {
                throw CommandFailure(
                    .usage,
                    "--traffic \(text): write a degree of saturation in 0 ..< 1, a travel time over "
                        + "the free-flow time such as 95s/60s, or a volume such as 2400vph")
            }
        }
        return density
    }

    private static func set(
        _ text: String, for bridge: BridgeIndex, in density: inout TrafficDensity
    ) -> Bool {
        if text.hasSuffix("vph"), let volume = Double(text.dropLast(3)) {
            return density.set(.volume(vehiclesPerHour: volume), for: bridge)
        }
        let times = text.split(separator: "/", omittingEmptySubsequences: false)
        if times.count == 2 {
            let seconds = times.compactMap { $0.hasSuffix("s") ? Double($0.dropLast()) : nil }
            guard seconds.count == 2 else { return false }
            return density.set(
                .travelTime(seconds: seconds[0], freeFlowSeconds: seconds[1]), for: bridge)
        }
        return Double(text).map { density.set($0, for: bridge) } ?? false
    }
}
