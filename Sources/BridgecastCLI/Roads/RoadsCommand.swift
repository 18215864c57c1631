// `bridgecast roads`: the network that routes are found on: how it is made, what it has, where things are in it.
// Belongs here: `roads` and its commands, as far as they need no reader of extracts; not: the import itself
// (BridgecastServerCLI).
package import ArgumentParser

/// `bridgecast roads`.
package struct RoadsCommand: AsyncParsableCommand {
    /// Names and words in help.
    package static let configuration = CommandConfiguration(
        commandName: "roads",
        abstract: "Makes road networks from OpenStreetMap extracts, and looks into them.",
        subcommands: [RoadsImportStart.self, RoadsInfo.self, RoadsFind.self])

    /// The words of `roads import` in help, wherever it runs.
    package static let importConfiguration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes a road network from an OpenStreetMap extract.",
        discussion: """
            The extract is Overpass's JSON, OpenStreetMap's XML or PBF, each also packed by gzip: what it is, \
            its content says. Roads, crossings of water, turns and times are taken from it, prepared for \
            searching and written to one file, which predict and depart take with --network.
            """)

    /// Creates the command.
    package init() {}
}

/// Stands for `roads import`, which is the other program's: this one has no reader of extracts.
struct RoadsImportStart: AsyncParsableCommand {
    static let configuration = RoadsCommand.importConfiguration
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

    func run() async throws {
        try await reportingFailures { try ServerProgram.start(["roads", "import"] + arguments) }
    }
}
