// The forecasts that a model has to beat: what they are asked, and the set of them.
// Belongs here: forecasts to compare with, simple on purpose; not: the recipe that ships.
import BridgecastCore

/// A forecast of "blocked" that is made from records before a period and the state at issue time.
package protocol Baseline: Sendable {
    /// P(blocked) at the arrival, 0 < p < 1.
    func probabilityBlocked(_ query: BaselineQuery) -> Float
}
