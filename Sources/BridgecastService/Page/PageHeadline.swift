// The first line of the page in its document: which bridges are up, worded as model/headline.js words it, so that nothing
// changes when the page's own line takes its place. Its texts are in PageTexts.swift.
internal import BridgecastCore
internal import BridgecastObservation

struct PageHeadline {
    private let raised: [String]
    private let lowered: [String]
    /// Whether all bridges with a sensor report.
    private let isComplete: Bool
    private let age: Age
    private let texts: PageTexts

    /// How old the reading is, by the same limits as in model/status.js.
    private enum Age { case fresh, stale, dead }

    private static let staleSeconds = 60.0
    private static let deadSeconds = 600.0
    /// A replay at sixty times the speed is read once in a second, which is a minute of its time.
    private static let missedReadings = (stale: 5.0, dead: 20.0)

    init(_ snapshot: BridgesSnapshot, at now: Timestamp, in language: PageLanguage) {
        age = Self.age(snapshot, at: now)
        let situation = snapshot.situation
        let seen = age == .dead ? [] : BridgeIndex.all
        raised = seen.filter { situation[$0].state.isRaised }.map { BridgeCatalogue[$0].name }
        lowered = seen.filter { situation[$0].state == .lowered }.map { BridgeCatalogue[$0].name }
        isComplete = BridgeIndex.all.allSatisfy { bridge in
            situation[bridge].state != .unknown || !BridgeCatalogue[bridge].hasLiveSensor
        }
        texts = .of(language)
    }

    /// The heading of the document.
    var html: String {
        HTMLText.element("h1", "class=\"\(className)\"", text: text)
    }

    var text: String {
        let headline = age == .stale ? texts.pastHeadline : texts.headline
        if let first = raised.first {
            guard raised.count > 1 else { return headline.oneUp.with(names: first) }
            return headline.up.with(names: texts.list(raised))
        }
        guard let first = lowered.first else { return texts.blind }
        guard lowered.count > 1 else { return headline.oneDown.with(names: first) }
        let all = isComplete ? headline.allDown : headline.reportingDown
        return all.replacing("{count}", with: texts.counts[lowered.count - 1])
    }

    private var className: String {
        let kind = !raised.isEmpty ? "up" : lowered.isEmpty ? "blind" : "down"
        return "headline is-\(kind)" + (age == .stale ? " is-old" : "")
    }

    private static func age(_ snapshot: BridgesSnapshot, at now: Timestamp) -> Age {
        guard let readAt = snapshot.feeds.compactMap(\.fetchedAt).max() else { return .dead }
        let rate = snapshot.pace.rate ?? 1
        let seconds = now.minutes(since: readAt) * 60
        if seconds > max(deadSeconds, missedReadings.dead * rate) { return .dead }
        return seconds > max(staleSeconds, missedReadings.stale * rate) ? .stale : .fresh
    }
}

/// The first line in one tense.
struct HeadlineTexts: Sendable {
    let oneUp: String
    let up: String
    let oneDown: String
    let allDown: String
    let reportingDown: String
}

extension String {
    fileprivate func with(names: String) -> String { replacing("{names}", with: names) }
}
