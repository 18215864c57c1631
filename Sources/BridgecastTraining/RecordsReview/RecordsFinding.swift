// One thing that records say against themselves; made by the tests of RecordsReview, printed by commands.
package import BridgecastCore

/// Something odd in records: where, when and what.
package struct RecordsFinding: Sendable, Equatable, CustomStringConvertible {
    /// What is odd.
    package enum Kind: String, Sendable, CaseIterable {
        /// No opening, where the rest has openings.
        case silence
        /// Openings all of one length.
        case oneLength
        /// A clock hours ahead or behind.
        case clock
        /// The openings of another time once more, or every opening twice.
        case repetition
        /// Many more openings than in the rest, or many fewer.
        case rate
    }

    /// What is odd.
    package let kind: Kind
    /// Where; in the order of the catalogue.
    package let bridges: [BridgeIndex]
    /// When.
    package let period: Range<Timestamp>
    /// Whether the period is taken out of the bridges' coverage.
    package let isSetAside: Bool
    /// What was seen, in words, with its numbers.
    package let words: String

    /// The finding as a line for people, in Seattle's time.
    package var description: String { "\(place): \(words)" }

    /// Where and when, for people, in Seattle's time.
    package var place: String {
        let names =
            bridges.count == BridgeIndex.all.count
            ? "all bridges" : bridges.map(\.description).joined(separator: ", ")
        return "\(names), \(Self.text(period.lowerBound)) to \(Self.text(period.upperBound))"
    }

    private static func text(_ moment: Timestamp) -> String {
        let civil = SeattleTime.civil(at: moment)
        let (hour, minute) = (civil.hour, civil.minute)
        return "\(civil.date) \(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}
