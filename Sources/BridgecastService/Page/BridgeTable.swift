// The bridges as a plain table, for browsers without JavaScript; the service writes it into the page's document.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastObservation

/// The newest board as a table.
struct BridgeTable {
    private let board: Board?
    private let feed: String
    private let now: Timestamp
    private let language: PageLanguage
    private let words: PageWords

    /// A lead that is told besides now, minutes.
    private static let leadMinutes = 15.0
    /// A reading that is older is told with its age, seconds.
    private static let freshSeconds = 60.0
    /// For how long a state has lasted is told up to so much, minutes.
    private static let mostMinutes = 24.0 * 60

    /// A table of a board; nil before the first one.
    ///
    /// - Parameter feed: The name of the feed that states are read from.
    init(_ board: Board?, feed: String, at now: Timestamp, in language: PageLanguage) {
        (self.board, self.feed, self.now, self.language) = (board, feed, now, language)
        words = .of(language)
    }

    /// The table, or a sentence while nothing is known.
    var html: String {
        guard let board else { return paragraph("empty", words.notYet) }
        let heads = words.columns.map { HTMLText.element("th", "scope=\"col\"", $0) }.joined()
        let view = board.view
        let rows = BridgeIndex.all.map { row($0, view, readAt: readAt(board)) }
        return """
            <table class="bridges" lang="\(language.rawValue)">
            <caption>\(caption(board))</caption>
            <thead><tr>\(heads)</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            \(paragraph("hint", words.loadAgain))
            """
    }

    private func paragraph(_ name: String, _ text: String) -> String {
        HTMLText.element("p", "class=\"\(name)\" lang=\"\(language.rawValue)\"", text)
    }

    private func row(_ bridge: BridgeIndex, _ view: BridgeView, readAt: Timestamp) -> String {
        let situation = view.situation[bridge]
        let chances = [0, Self.leadMinutes].map { lead in
            words.chance(view.delay(bridge, view.moment.adding(minutes: lead)).probabilityDelayed)
        }
        let reading =
            situation.state == .unknown ? HTMLText.escaped(words.noReading) : time(readAt)
        let cells =
            [HTMLText.escaped(state(situation)), reading] + chances.map { HTMLText.escaped($0) }
        return "<tr class=\"\(situation.state.word)\">"
            + HTMLText.element("th", "scope=\"row\"", BridgeCatalogue[bridge].name)
            + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
    }

    /// The state, for how long, and since when.
    private func state(_ situation: BridgeSituation) -> String {
        let name: String
        switch situation.state {
        case .unknown: return words.unknown
        case .raised: name = words.raised
        case .lowered: name = words.lowered
        }
        guard let since = situation.stateSince else { return name }
        let minutes = max(0, now.minutes(since: since))
        guard minutes < Self.mostMinutes else { return name }
        return "\(name) \(words.lasting(minutes: minutes)), \(words.since) \(TimeText.clock(since))"
    }

    /// When the states of a board were read.
    private func readAt(_ board: Board) -> Timestamp {
        board.feeds.first { $0.id == feed }?.fetchedAt ?? board.issueTime
    }

    /// How the feed stands.
    private func caption(_ board: Board) -> String {
        let isLive = board.pace == .live
        let day = isLive ? "" : "\(words.replay) \(words.day(board.issueTime)). "
        return HTMLText.escaped(day) + sentence(board, isLive: isLive)
    }

    private func sentence(_ board: Board, isLive: Bool) -> String {
        switch board.phase {
        case .idle, .loading: return HTMLText.escaped(words.notYet)
        case .failed: return HTMLText.escaped("\(words.noReadingAtAll) \(words.usual)")
        case .stale(let since):
            return HTMLText.escaped(words.noReadingSince)
                + " \(time(since)). \(HTMLText.escaped(words.usual))"
        case .ready: break
        }
        let readAt = readAt(board)
        let ageMinutes = max(0, now.minutes(since: readAt))
        guard isLive else { return "\(HTMLText.escaped(words.asOf)) \(time(readAt))." }
        guard ageMinutes * 60 > Self.freshSeconds else {
            return "\(HTMLText.escaped(words.live)) \(time(readAt))."
        }
        let (before, after) = words.lastReading
        return HTMLText.escaped("\(before) \(Int(ageMinutes)) \(after)")
            + " \(time(readAt)). \(HTMLText.escaped(words.tryingAgain))"
    }

    /// A time to the second, with its date for programs.
    private func time(_ moment: Timestamp) -> String {
        let text = TimeText.rfc3339(moment)
        // 2026-02-20T18:02:10-08:00
        let clock = text.dropFirst(11).prefix(8)
        return "<time datetime=\"\(text)\">\(clock)</time>"
    }
}
