// The bridges as a plain table in the page's document, for browsers without JavaScript.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastObservation

struct BridgeTable {
    private let snapshot: BridgesSnapshot?
    private let feed: String
    private let now: Timestamp
    private let language: PageLanguage
    private let texts: PageTexts

    /// The lead that is shown besides now, minutes.
    private static let leadMinutes = 15.0
    /// Older readings are shown with their age, seconds.
    private static let freshSeconds = 60.0
    /// Longest duration shown, in minutes.
    private static let maxMinutes = 24.0 * 60

    /// A table of a snapshot; nil before the first one.
    ///
    /// - Parameter feed: The name of the feed that states are read from.
    init(_ snapshot: BridgesSnapshot?, feed: String, at now: Timestamp, in language: PageLanguage) {
        self.snapshot = snapshot
        self.feed = feed
        self.now = now
        self.language = language
        texts = .of(language)
    }

    /// The table, or a sentence before the first snapshot.
    var html: String {
        guard let snapshot else { return paragraph("empty", texts.notYet) }
        let headers = texts.columns.map { HTMLText.element("th", "scope=\"col\"", text: $0) }
            .joined()
        let view = snapshot.view
        let rows = BridgeIndex.all.map { row($0, view, readAt: readAt(snapshot)) }
        return """
            <table class="bridges" lang="\(language.rawValue)">
            <caption>\(caption(snapshot))</caption>
            <thead><tr>\(headers)</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            \(paragraph("hint", texts.loadAgain))
            """
    }

    private func paragraph(_ name: String, _ text: String) -> String {
        HTMLText.element("p", "class=\"\(name)\" lang=\"\(language.rawValue)\"", text: text)
    }

    private func row(_ bridge: BridgeIndex, _ view: BridgeView, readAt: Timestamp) -> String {
        let situation = view.situation[bridge]
        let chances = [0, Self.leadMinutes].map { lead in
            texts.chance(view.delay(bridge, view.time.adding(minutes: lead)).probabilityDelayed)
        }
        let reading = situation.state == .unknown ? HTMLText.escaped(texts.noReading) : time(readAt)
        let cells =
            [HTMLText.escaped(state(situation)), reading] + chances.map { HTMLText.escaped($0) }
        return "<tr class=\"\(situation.state.name)\">"
            + HTMLText.element("th", "scope=\"row\"", text: BridgeCatalogue[bridge].name)
            + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
    }

    private func state(_ situation: BridgeSituation) -> String {
        let name: String
        switch situation.state {
        case .unknown: return texts.unknown
        case .raised: name = texts.raised
        case .lowered: name = texts.lowered
        }
        guard let since = situation.stateSince else { return name }
        let minutes = max(0, now.minutes(since: since))
        guard minutes < Self.maxMinutes else { return name }
        return "\(name) \(texts.lasting(minutes: minutes)), \(texts.since) \(TimeText.clock(since))"
    }

    private func readAt(_ snapshot: BridgesSnapshot) -> Timestamp {
        snapshot.feeds.first { $0.id == feed }?.fetchedAt ?? snapshot.issueTime
    }

    private func caption(_ snapshot: BridgesSnapshot) -> String {
        let isLive = snapshot.pace == .live
        let day = isLive ? "" : "\(texts.replay) \(texts.day(snapshot.issueTime)). "
        return HTMLText.escaped(day) + sentence(snapshot, isLive: isLive)
    }

    private func sentence(_ snapshot: BridgesSnapshot, isLive: Bool) -> String {
        switch snapshot.phase {
        case .idle, .loading: return HTMLText.escaped(texts.notYet)
        case .failed: return HTMLText.escaped("\(texts.noReadingAtAll) \(texts.showingClimatology)")
        case .stale(let since):
            return HTMLText.escaped(texts.noReadingSince)
                + " \(time(since)). \(HTMLText.escaped(texts.showingClimatology))"
        case .ready: break
        }
        let readAt = readAt(snapshot)
        let ageMinutes = max(0, now.minutes(since: readAt))
        guard isLive else { return "\(HTMLText.escaped(texts.asOf)) \(time(readAt))." }
        guard ageMinutes * 60 > Self.freshSeconds else {
            return "\(HTMLText.escaped(texts.live)) \(time(readAt))."
        }
        let (before, after) = texts.lastReading
        return HTMLText.escaped("\(before) \(Int(ageMinutes)) \(after)")
            + " \(time(readAt)). \(HTMLText.escaped(texts.tryingAgain))"
    }

    /// A time to the second, with its date for programs.
    private func time(_ time: Timestamp) -> String {
        let text = TimeText.rfc3339(time)
        // 2026-02-20T18:02:10-08:00
        let clock = text.dropFirst(11).prefix(8)
        return "<time datetime=\"\(text)\">\(clock)</time>"
    }
}
