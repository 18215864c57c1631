// The steps of an import: told as they begin, timed as they end.
import BridgecastCLI

/// How long each step took.
struct ImportSteps {
    private(set) var seconds: [(step: String, seconds: Double)] = []

    /// Runs a step.
    ///
    /// - Parameter words: For people, as it begins.
    mutating func run<Made>(
        _ step: String, _ words: String, _ body: () async throws -> Made
    ) async throws -> Made {
        note("bridgecast: \(words)")
        let clock = ContinuousClock()
        let start = clock.now
        let made = try await body()
        let (whole, parts) = (clock.now - start).components
        seconds.append((step, Double(whole) + Double(parts) / 1e18))
        return made
    }
}
