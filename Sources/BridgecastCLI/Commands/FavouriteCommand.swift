// `bridgecast favourite`: the trips and stops that a person uses often.
import ArgumentParser
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import BridgecastSupport
import Foundation

struct FavouriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite",
        abstract: "Keeps the trips and stops that you use often, in your order.",
        subcommands: [
            FavouriteAdd.self, FavouriteList.self, FavouriteMove.self, FavouriteRemove.self,
            FavouriteSet.self, FavouriteForecast.self,
        ])
}

/// `bridgecast favourite add`.
struct FavouriteAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a trip, or a line at a stop.")

    @Argument(help: "Its name.")
    var name: String

    @Option(name: .long, help: "Origin, as predict takes it. Needs --to.")
    var from: String?

    @Option(name: .long, help: "Destination.")
    var to: String?

    @Option(name: .customLong("mode"), help: "How you travel. Default: car.")
    var statedMode: JourneyMode?

    @Option(name: .long, help: "A line, such as 44. Needs --stop.")
    var line: String?

    @Option(name: .long, help: "The stop's id.")
    var stop: String?

    @Option(name: .long, help: "The line's direction. Default: both.")
    var direction: String?

    @Option(
        name: .long,
        help:
            "Minutes between refreshes: manual, 1, 2, 5, 10 or 15. Default: that of your settings.")
    var refresh: FavouriteRefresh?

    @OptionGroup var journal: JournalOptions

    func validate() throws {
        guard (from == nil) == (to == nil), (line == nil) == (stop == nil),
            (from == nil) != (line == nil)
        else { throw ValidationError("write --from and --to, or --line and --stop") }
        guard direction == nil || line != nil else {
            throw ValidationError("--direction needs --line")
        }
        guard statedMode == nil || from != nil else { throw ValidationError("--mode needs --from") }
    }

    func run() async throws {
        try await reportingFailures {
            try await journal.with(.writing) { store in
                let favourite = Favourite(
                    id: Journey.newID(), name: name, target: target,
                    refresh: try refresh ?? store.settings().refresh)
                try favourite.validate()
                try FavouriteTrip.check(favourite)
                try store.add(favourite)
            }
            try Console.print("\(printable(name)): \(printable(target.text, maxLength: 200))")
        }
    }

    private var target: Favourite.Target {
        if let from, let to { return .trip(from: from, to: to, mode: statedMode ?? .car) }
        return .stop(line: line ?? "", stop: stop ?? "", direction: direction ?? "")
    }
}

/// `bridgecast favourite list`.
struct FavouriteList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows your favourites in their order.")

    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let favourites = try await journal.with(.reading) { try $0.favourites() }
            switch format {
            case .json: try Console.print(JournalContents(favourites: favourites).jsonText())
            case .table:
                try Console.print(
                    favourites.isEmpty ? "No favourites." : Self.table(favourites))
            }
        }
    }

    private static func table(_ favourites: [Favourite]) -> String {
        var table = TextTable(
            ["#", "name", "of", "used", "last used", "average", "refresh"],
            [.right, .left, .left, .right, .left, .right, .left])
        for (index, favourite) in favourites.enumerated() {
            table.add([
                "\(index + 1)", printable(favourite.name, maxLength: TextTable.maxNameLength),
                printable(favourite.target.text, maxLength: TextTable.maxNameLength),
                "\(favourite.useCount)", favourite.lastUsed.map(PredictionText.day) ?? "-",
                favourite.averageSeconds.map(minutesAndSeconds) ?? "-",
                favourite.refresh == .manual ? "manual" : "\(favourite.refresh.text) min",
            ])
        }
        return table.text()
    }
}

/// `bridgecast favourite move`.
struct FavouriteMove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Moves a favourite to another position.")

    @Argument(help: "Its name, or the beginning of its id.")
    var name: String

    @Argument(help: "The position, from 1 on.")
    var position: Int

    @OptionGroup var journal: JournalOptions

    func validate() throws {
        guard position > 0 else { throw ValidationError("the position must be 1 or more") }
    }

    func run() async throws {
        try await reportingFailures {
            try await journal.with(.writing) { store in
                try store.moveFavourite(name, to: position - 1)
            }
            try Console.print("\(printable(name)) moved to \(position)")
        }
    }
}

/// `bridgecast favourite remove`.
struct FavouriteRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a favourite and its reminders; its journeys stay."
    )

    @Argument(help: "Its name, or the beginning of its id.")
    var name: String

    @OptionGroup var journal: JournalOptions

    func run() async throws {
        try await reportingFailures {
            let removed = try await journal.with(.writing) { try $0.removeFavourite(name) }
            try Console.print("Removed \(printable(removed.favourite.name))")
            for reminder in removed.reminders {
                try Console.print(
                    "Removed its reminder "
                        + ReminderText.sentence(reminder, of: removed.favourite))
            }
        }
    }
}

/// `bridgecast favourite set`.
struct FavouriteSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes a favourite's name or refresh interval.")

    @Argument(help: "Its name, or the beginning of its id.")
    var name: String

    @Option(name: .customLong("name"), help: "Its new name.")
    var newName: String?

    @Option(name: .long, help: "Minutes between refreshes: manual, 1, 2, 5, 10 or 15.")
    var refresh: FavouriteRefresh?

    @OptionGroup var journal: JournalOptions

    func validate() throws {
        guard newName != nil || refresh != nil else {
            throw ValidationError("write --name or --refresh")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let changed = try await journal.with(.writing) { store in
                try store.setFavourite(name, name: newName, refresh: refresh)
            }
            let interval = changed.refresh == .manual ? "manual" : "\(changed.refresh.text) min"
            try Console.print("\(printable(changed.name)): refresh \(interval)")
        }
    }
}
