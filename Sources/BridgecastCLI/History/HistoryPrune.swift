// `bridgecast history prune`: takes old openings out of the store.
public import ArgumentParser
import BridgecastCore
import BridgecastStore

/// `bridgecast history prune`.
struct HistoryPrune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Takes openings that ended before a day out of the store, with their coverage.")

    @OptionGroup var store: StoreOptions

    @Option(name: .long, help: "The first day (Seattle) that stays, or a time.")
    var before: String

    @Option(name: .long, help: "What to take out: observed, records or all.")
    var of: HistoryStore.PruneScope = .observed

    @Flag(name: .long, help: "Only say what would be taken out.")
    var dryRun = false

    func run() async throws {
        try await reportingFailures {
            let moment = try PeriodText.start(before)
            let history = try store.existing(.writing)
            defer { history.close() }
            let report = try history.prune(before: moment, of, isTrial: dryRun)
            let verb = dryRun ? "would be" : "were"
            try Console.print(
                "\(report.records) recorded and \(report.observed) observed openings before "
                    + "\(TimeText.rfc3339(moment)) \(verb) taken out")
        }
    }
}

/// `--of` takes the names of what the store can take out.
extension HistoryStore.PruneScope: ExpressibleByArgument {}
