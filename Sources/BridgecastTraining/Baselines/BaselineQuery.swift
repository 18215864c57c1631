// What a baseline is asked.
import BridgecastCore

/// What a baseline is asked: a bridge and an arrival, and what was known when it was asked.
package struct BaselineQuery: Sendable {
    let bridge: BridgeIndex
    let leadMinutes: Double
    /// Civil time of the arrival.
    let validCivil: CivilDateTime
    let situation: Situation
}
