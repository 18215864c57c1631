// `bridgecast features`: the inputs as matrices, for other programs to fit or compare.
// Belongs here: `features export` and the form of its files.
import ArgumentParser

struct FeaturesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "features",
        abstract: "Exports the network's inputs as numpy matrices.",
        subcommands: [FeaturesExport.self])
}
