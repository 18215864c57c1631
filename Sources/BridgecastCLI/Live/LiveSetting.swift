// A live command that is ready to run but for its feeds; made by LiveOptions.
import BridgecastAnswers
package import BridgecastCore
import BridgecastEngine
package import BridgecastLive
package import Logging

/// Model, routes, view and log of a live command.
package struct LiveSetting {
    /// Where the command says what it does.
    package let log: Logger
    let model: LoadedModel
    let routes: [Route]
    let view: ViewOptions
    let logging: LogOptions
    let metrics: MetricsRegistry?

    /// Puts a service together and shows it until it ends.
    ///
    /// - Parameters:
    ///   - what: For the board's title.
    ///   - end: When to end; nil for never.
    package func show(_ parts: LiveParts, _ what: String, until end: Timestamp?) async throws {
        let forecaster = try LiveForecaster(
            TrafficInference(model), history: try parts.records(parts.clock.now), routes: routes,
            reachMinutes: OutlookEntry.usualReachMinutes)
        let session = LiveSession(
            parts: parts, forecaster: forecaster, view: view, what: what, logging: logging,
            metrics: metrics, end: end)
        try await session.run()
    }
}
