// The pace of the service's clock, as boards and events write it.
package import BridgecastCore

extension ClockPace {
    /// Writes it into an object that is open.
    package func write(into json: inout JSONWriter) {
        json.field("clock_rate", rate, decimals: 3)
        json.field("replay_until", end)
    }
}
