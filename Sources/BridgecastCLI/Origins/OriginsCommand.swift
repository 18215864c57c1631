// `bridgecast origins`: the choice of a recipe by fits at several cuts in the records, each scored on the days after.
// Belongs here: `origins`, its files and tables; not: the scores (BridgecastTraining/Origins).
import ArgumentParser

struct OriginsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "origins",
        abstract: "Chooses a training recipe by rolling origins: fits, scores and tables.",
        discussion: """
            An origin cuts the records: what comes before it is fitted to, the days after it are \
            scored. By default there are six, two weeks each, spread over all covered records. What \
            is done lies in a folder, DIR/NAME/ORIGIN.json for each recipe and origin; a run that was \
            ended goes on where it was.
            """,
        subcommands: [OriginsRun.self, OriginsScore.self, OriginsTable.self])
}
