// The `bridgecast` command: a folder for each of its commands, and Options, Inputs and Output for what several share.
// Belongs here: the program as a whole: its commands, its command line, its other half.
package import ArgumentParser

/// The root command; without a subcommand it predicts.
package struct BridgecastCommand: AsyncParsableCommand {
    /// Names and words in help.
    package static let configuration = CommandConfiguration(
        commandName: "bridgecast",
        abstract:
            "Forecasts Seattle's drawbridges: will you be stopped, for how long, which way to go.",
        version: "0.1.0",
        subcommands: [
            PredictCommand.self, DepartCommand.self, BridgeCommand.self, WatchStart.self,
            BoardStart.self, VehiclesStart.self, TripStart.self, FeedStart.self,
            ReplayCommand.self, ServeStart.self, SyncStart.self,
            IngestCommand.self, HistoryCommand.self, RoadsCommand.self, DoctorCommand.self,
            EvaluateCommand.self,
            TrainCommand.self, OriginsCommand.self,
            InspectCommand.self, BenchCommand.self, FeaturesCommand.self,
        ],
        defaultSubcommand: PredictCommand.self)

    /// Creates the command.
    package init() {}
}
