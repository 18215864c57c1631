// The bridges as a plain table in the page's document: shown until the page's modules are there, and where there is no
// JavaScript.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastObservation

/// What the service fills into the document: first line, table, and what to do if nothing follows.
struct PageBridges {
    private let snapshot: BridgesSnapshot?
    private let table: BridgeTable
    private let now: Timestamp
    private let language: PageLanguage

    /// - Parameters:
    ///   - snapshot: Nil before the first one.
    ///   - feed: The name of the feed that states are read from.
    init(_ snapshot: BridgesSnapshot?, feed: String, at now: Timestamp, in language: PageLanguage) {
        self.snapshot = snapshot
        self.now = now
        self.language = language
        table = BridgeTable(snapshot, feed: feed, at: now, in: language)
    }

    var html: String {
        let headline = snapshot.map { PageHeadline($0, at: now, in: language).html }
        let (before, link, after) = PageTexts.of(language).starting
        return """
            <main class="plain" lang="\(language.rawValue)">
            \(headline ?? "")
            \(table.html)
            </main>
            <p class="starting" lang="\(language.rawValue)">\(HTMLText.escaped(before))\
            <a href="">\(HTMLText.escaped(link))</a>\(HTMLText.escaped(after))</p>
            """
    }
}

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
        guard let snapshot else {
            return "<noscript>\(HTMLText.element("p", text: texts.notYet))</noscript>"
        }
        let headers = texts.columns.map { HTMLText.element("th", "scope=\"col\"", text: $0) }
            .joined()
        let view = snapshot.view
        let rows = BridgeIndex.all.map { row($0, view, isLive: snapshot.phase == .ready) }
        return """
            <table class="bridges">
            <caption>\(caption(snapshot))</caption>
            <thead><tr>\(headers)</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            <noscript>\(HTMLText.element("p", "class=\"small\"", text: texts.loadAgain))</noscript>
            """
    }

    private func row(_ bridge: BridgeIndex, _ view: BridgeView, isLive: Bool) -> String {
        let situation = view.situation[bridge]
        let chances = [0, Self.leadMinutes].map { lead in
            texts.chance(view.delay(bridge, view.time.adding(minutes: lead)).probabilityDelayed)
        }
        let state = state(situation, BridgeCatalogue[bridge], isLive: isLive)
        return "<tr class=\"\(situation.state.name)\">"
            + HTMLText.element("th", "scope=\"row\"", text: BridgeCatalogue[bridge].name)
            + ([state] + chances).map { HTMLText.element("td", text: $0) }.joined() + "</tr>"
    }

    private func state(_ situation: BridgeSituation, _ bridge: Bridge, isLive: Bool) -> String {
        let name: String
        switch situation.state {
        case .unknown where !bridge.hasLiveSensor: return texts.noSensor
        case .unknown: return isLive ? texts.noReading : texts.climatology
        case .raised: name = texts.raised
        case .lowered: name = texts.lowered
        }
        guard let since = situation.stateSince else { return name }
        let minutes = max(0, now.minutes(since: since))
        guard minutes < Self.maxMinutes else { return name }
        return "\(name) \(texts.lasting(minutes: minutes)), \(texts.since) \(texts.clock(since))"
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
        let clock = HTMLText.escaped(texts.clock(time, hasSeconds: true))
        return "<time datetime=\"\(TimeText.rfc3339(time))\">\(clock)</time>"
    }
}
