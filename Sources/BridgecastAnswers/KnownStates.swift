// What forecasts were made from besides climatology, in a sentence and as fields: two forecasts for the same minute
// differ where this does.
package import BridgecastCore
package import BridgecastSupport

/// The bridges whose state was known, and for how long their openings had been observed.
package struct KnownStates: Sendable, Equatable {
    /// In the order of ``BridgeIndex``.
    package let bridges: [BridgeIndex]
    /// Since when all openings of these bridges are known; nil if that is longer ago than forecasts look back, or unknown.
    package let openingsSince: Timestamp?

    /// Forecasts look back this far.
    private static let lookBackMinutes = Double(SituationReader.recentSeconds) / 60

    package init(_ situation: Situation) {
        let known = BridgeIndex.all.filter { situation[$0].state != .unknown }
        bridges = known
        let latest = known.compactMap { situation[$0].observedSince }.max()
        openingsSince = latest.flatMap {
            situation.issueTime.minutes(since: $0) < Self.lookBackMinutes ? $0 : nil
        }
    }

    /// A clause such as "the state of 5 of 7 bridges is known, their openings since 17:50".
    package var text: String {
        let states = "the state of \(bridges.count) of \(BridgeCatalogue.count) bridges is known"
        return states + (openingsSince.map { ", their openings since \(TimeText.clock($0))" } ?? "")
    }
}

extension KnownStates: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.list("bridges", bridges.map { BridgeCatalogue[$0].name })
        json.field("openings_since", openingsSince)
        json.field("text", text)
    }
}
