// What the address of a widget asks for: size, colours, rows, language.
internal import BridgecastTransit

enum WidgetSize: String, CaseIterable, Sendable {
    case small, medium, large, round

    /// How many rows one may have, each way on a board.
    var rows: ClosedRange<Int> {
        switch self {
        case .small: 1...3
        case .medium, .large: 1...8
        case .round: 1...1
        }
    }
}

enum WidgetTheme: String, CaseIterable, Sendable {
    case light, dark
    /// The theme of the browser that shows it; light as PNG, which cannot know.
    case auto
}

struct WidgetOptions: Sendable {
    let size: WidgetSize
    let theme: WidgetTheme
    /// Departures, each way on a board.
    let rows: Int
    /// Whether lines, countdowns and destinations are all that is shown: no text of confidence, of lateness or of a bridge, in
    /// small no name of the stop, in large no sketch of the line.
    let isCompact: Bool
    /// Seconds after which the embedded one asks for news.
    let refreshSeconds: Int
    let language: PageLanguage
    /// Whether the address names it, so that what the widget leads to is in it too.
    let hasOwnLanguage: Bool
    /// 0 or 1; nil for both.
    let direction: Int?
    let onTimeSeconds: Int

    static let parameters = [
        "size", "theme", "rows", "compact", refresh, "lang", "direction", "on_time_s",
        Query.cacheBuster,
    ]

    private static let refresh = "refresh"
    private static let refreshRange = 10...3600
    /// As often as the realtime feeds are asked.
    private static let defaultRefresh = 30
    private static let defaultRows = 3

    private static func defaultSize(isBoard: Bool) -> WidgetSize { isBoard ? .medium : .small }

    /// What the picture of a wrong parameter is drawn by: what is right of size, colours and language.
    init(ofWrong query: Query, isBoard: Bool) {
        let normalSize = Self.defaultSize(isBoard: isBoard)
        size = (try? query.choice("size", default: normalSize)) ?? normalSize
        theme = (try? query.choice("theme", default: .auto)) ?? .auto
        rows = 1
        isCompact = false
        refreshSeconds = Self.defaultRefresh
        language = (try? query.choice("lang", default: PageLanguage.english)) ?? .english
        hasOwnLanguage = query.text("lang") != nil
        direction = nil
        onTimeSeconds = BoardQuery.defaultOnTimeSeconds
    }

    /// - Parameter isBoard: Whether it shows all that departs from a stop, rather than one line.
    /// - Throws: ``Problem`` 400.
    init(_ query: Query, isBoard: Bool) throws(Problem) {
        size = try query.choice("size", default: Self.defaultSize(isBoard: isBoard))
        theme = try query.choice("theme", default: .auto)
        let isSingle = size == .round || size == .small && !isBoard
        rows = try query.integer(
            "rows", in: size.rows, default: isSingle ? 1 : Self.defaultRows)
        isCompact = try query.flag("compact", default: false)
        refreshSeconds = try Self.refreshSeconds(query)
        language = try query.choice("lang", default: PageLanguage.english)
        hasOwnLanguage = query.text("lang") != nil
        direction =
            query.text("direction") == nil
            ? nil : try query.integer("direction", in: 0...1, default: 0)
        onTimeSeconds = try query.onTimeSeconds()
    }

    private static func refreshSeconds(_ query: Query) throws(Problem) -> Int {
        try query.integer(refresh, in: refreshRange, default: defaultRefresh)
    }

    /// The name of the interval, unless its value is wrong: pictures that differ in it alone are the same.
    @Sendable static func refreshIfValid(_ query: Query) -> [String] {
        (try? refreshSeconds(query)) == nil ? [] : [refresh]
    }
}
