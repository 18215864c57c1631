// `bridgecast token`: the people who may use `/api/v1/me` of a service, each with a token and a journal of their own.
import ArgumentParser
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import BridgecastSupport
import Foundation

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Adds and removes the people who have a journal on your service.",
        subcommands: [
            TokenAdd.self, TokenList.self, TokenRenew.self, TokenRemove.self, TokenEncrypt.self,
        ])
}

/// `--people`, by default the user's folder.
struct PeopleOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "The folder of people and journals. Default: $XDG_DATA_HOME/bridgecast/people.",
        completion: .directory)
    var people: String?

    func with<Result>(
        _ access: HistoryStore.Access, _ body: (PeopleStore) throws -> Result
    ) throws -> Result {
        let store = try PeopleStore(try url(), access)
        defer { store.close() }
        return try body(store)
    }

    private func url() throws -> URL {
        try UserFile.url(
            people, default: PeopleStore.defaultURL(environment: Console.current.environment),
            "of people: name one with --people")
    }
}

/// `bridgecast token add`.
struct TokenAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a person and prints their token, which is shown once.")

    @Argument(help: "Their name.")
    var name: String

    @OptionGroup var people: PeopleOptions

    func run() async throws {
        try await reportingFailures {
            try Console.print(try people.with(.writing) { try $0.add(name, now: .now) })
        }
    }
}

/// `bridgecast token list`.
struct TokenList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the people, and since when their tokens are valid.")

    @OptionGroup var people: PeopleOptions

    func run() async throws {
        try await reportingFailures {
            let found = try people.with(.reading) { store in
                try store.people().map { ($0, store.journal(of: $0).lastPathComponent) }
            }
            guard !found.isEmpty else { return try Console.print("No people.") }
            var table = TextTable(["name", "token since", "journal"], [.left, .left, .left])
            for (person, journal) in found {
                table.add([
                    printable(person.name, maxLength: TextTable.maxNameLength),
                    PredictionText.day(person.tokenMadeAt), journal,
                ])
            }
            try Console.print(table.text())
        }
    }
}

/// `bridgecast token renew`.
struct TokenRenew: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Prints another token; the one before is worth nothing.")

    @Argument(help: "The person's name.")
    var name: String

    @OptionGroup var people: PeopleOptions

    func run() async throws {
        try await reportingFailures {
            try Console.print(try people.with(.writing) { try $0.renew(name, now: .now) })
        }
    }
}

/// `bridgecast token remove`.
struct TokenRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a person; the file of the journal stays.")

    @Argument(help: "The person's name.")
    var name: String

    @OptionGroup var people: PeopleOptions

    func run() async throws {
        try await reportingFailures {
            let (removed, journal) = try people.with(.writing) { store in
                let removed = try store.remove(name)
                return (removed, store.journal(of: removed))
            }
            try Console.print("Removed \(printable(removed.name))")
            if FileManager.default.fileExists(atPath: journal.path) {
                remark(["the journal is still at \(printable(journal.path))"])
            }
        }
    }
}

/// `bridgecast token encrypt`.
struct TokenEncrypt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt",
        abstract: "Encrypts the journals of all people, for `serve --people-key`.",
        discussion: "Stop the service first. The file of people itself is not encrypted.")

    @Option(name: .long, help: "The file of the key, as `journey key make` writes it.")
    var key: String

    @OptionGroup var people: PeopleOptions

    func run() async throws {
        try await reportingFailures {
            let key = try StoreKey(contentsOf: URL(fileURLWithPath: key))
            let counts = try people.with(.reading) { try $0.encryptJournals(with: key) }
            try Console.print(
                "\(counted(counts.encrypted, "journal")) encrypted with \(key); "
                    + "\(counts.already) were already, \(counts.missing) are not begun")
        }
    }
}
