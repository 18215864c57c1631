// `bridgecast journey key`, `encrypt`, `decrypt` and `rekey`: the journal's file becomes encrypted, or no longer is.
import ArgumentParser
import BridgecastJourneys
import BridgecastStore
import BridgecastSupport
import Foundation

/// `bridgecast journey key`.
struct JournalKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Makes keys of encrypted journals.",
        subcommands: [JournalKeyMake.self])
}

/// `bridgecast journey key make`.
struct JournalKeyMake: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Writes a random key to a new file, readable by you alone.",
        discussion: "Keep a copy apart from the journal: without the key, no one can read it.")

    @Argument(help: "The file to write; an existing one is never replaced.", completion: .file())
    var file: String

    func validate() throws {
        guard !file.isEmpty else { throw ValidationError("name the file to write") }
    }

    func run() async throws {
        try await reportingFailures {
            let key = try StoreKey.make(at: URL(fileURLWithPath: file))
            try Console.print("\(key) written to \(printable(file))")
            remark(["without it, no one can read what it encrypts: keep a copy elsewhere"])
        }
    }
}

/// `bridgecast journey encrypt`.
struct JournalEncrypt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt", abstract: "Encrypts the journal with a key.",
        discussion:
            "The old content is overwritten; what the disk itself keeps of it is not. No other program may use the journal meanwhile."
    )

    @OptionGroup var journal: JournalOptions

    func run() async throws {
        try await reportingFailures {
            let key = try journal.requiredKey()
            let isNew = try JourneyStore.encrypt(try journal.url(), with: key)
            try Console.print("The journal is encrypted with \(key)" + (isNew ? "" : " already"))
        }
    }
}

/// `bridgecast journey decrypt`.
struct JournalDecrypt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt", abstract: "Writes an encrypted journal as one that is not.")

    @OptionGroup var journal: JournalOptions

    func run() async throws {
        try await reportingFailures {
            try JourneyStore.decrypt(try journal.url(), with: try journal.requiredKey())
            try Console.print("The journal is no longer encrypted")
        }
    }
}

/// `bridgecast journey rekey`.
struct JournalRekey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey", abstract: "Encrypts an encrypted journal with another key.",
        discussion: "A copy that was made before can still be read with the old key.")

    @Option(name: .long, help: "The file of the new key.", completion: .file())
    var newKey: String

    @OptionGroup var journal: JournalOptions

    func run() async throws {
        try await reportingFailures {
            let new = try StoreKey(contentsOf: URL(fileURLWithPath: newKey))
            try JourneyStore.changeKey(
                of: try journal.url(), from: try journal.requiredKey(), to: new)
            try Console.print("The journal is encrypted with \(new)")
        }
    }
}
