// What forecasts were made from besides climatology, in a sentence and as fields: two forecasts for the same minute
// differ where this does.
package import BridgecastCore
package import BridgecastSupport

/// The bridges whose state was known, and for how long their openings had been observed.
package struct KnownStates: Sendable, Equatable {
    /// How far back all openings of the bridges are known.
    package enum Openings: Sendable, Equatable {
        /// As far back as forecasts look, six hours.
        case all
        case since(Timestamp)
        /// Of one of the bridges at least they are not, or for less than an hour.
        case notAll
    }

    /// In the order of ``BridgeIndex``.
    package let bridges: [BridgeIndex]
    package let openings: Openings

    private static let lookBackMinutes = Double(SituationReader.recentSeconds) / 60

    package init(_ situation: Situation) {
        bridges = BridgeIndex.all.filter { situation[$0].state != .unknown }
        let observed = bridges.compactMap { situation[$0].observedSince }
        guard observed.count == bridges.count, let latest = observed.max() else {
            openings = .notAll
            return
        }
        let isAll = situation.issueTime.minutes(since: latest) >= Self.lookBackMinutes
        openings = isAll ? .all : .since(latest)
    }

    /// A clause such as "the state of 5 of 7 bridges is known, their openings since 17:50".
    package var text: String {
        let states = "the state of \(bridges.count) of \(BridgeCatalogue.count) bridges is known"
        guard !bridges.isEmpty else { return states }
        return switch openings {
        case .all: states
        case .since(let time): states + ", their openings since \(TimeText.clock(time))"
        case .notAll: states + ", not all of their recent openings"
        }
    }
}

extension KnownStates: JSONObjectAnswer {
    package func writeFields(into json: inout JSONWriter) {
        json.list("bridges", bridges.map { BridgeCatalogue[$0].name })
        switch openings {
        case .all: write("all", since: nil, into: &json)
        case .since(let time): write("since", since: time, into: &json)
        case .notAll: write("not_all", since: nil, into: &json)
        }
        json.field("text", text)
    }

    private func write(_ known: String, since time: Timestamp?, into json: inout JSONWriter) {
        json.field("openings_known", known)
        json.field("openings_since", time)
    }
}
