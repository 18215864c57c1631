// Commands that talk to a network: listed here, run by `bridgecast-server`, which is another program so that
// nobody waits for a network stack to be built who only wants a forecast. Transit feeds and `roads import` are read there
// too.

/// A command that is another program's work: it talks to a network or reads transit feeds.
package enum NetworkCommand: String, CaseIterable {
    case sync, watch, serve, board, vehicles, trip, feed

    /// One line for help.
    package var abstract: String {
        switch self {
        case .sync:
            "Reads what is new in the city's published openings into the history store."
        case .watch:
            "Shows the bridges live: states, chances over the next hour, what just changed."
        case .serve:
            "Answers over HTTP: bridges, forecasts, routes, live events; from feeds or a replay."
        case .board:
            "Shows the departures of a stop: scheduled, predicted, and what drawbridges may add."
        case .vehicles:
            "Shows the vehicles of a transit route: where they are and what they do next."
        case .trip:
            "Shows a transit trip stop by stop, with the drawbridges before it."
        case .feed:
            "Checks transit feeds: what a static or realtime feed holds and what is wrong with it."
        }
    }

    /// The command's arguments if help is asked for in the form `help sync` or `help feed check`.
    static func helpArguments(_ arguments: [String]) -> [String]? {
        guard arguments.first == "help" else { return nil }
        let words = Array(arguments.dropFirst().prefix { !$0.hasPrefix("-") })
        guard let first = words.first,
            NetworkCommand(rawValue: first) != nil || words.starts(with: ["roads", "import"])
        else { return nil }
        return words + ["--help"]
    }
}
