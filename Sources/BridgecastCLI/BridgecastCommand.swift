// The `bridgecast` command: one file per subcommand in Commands/, shared pieces in Support/.
import ArgumentParser

/// The root command; without a subcommand it predicts.
@main
struct BridgecastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridgecast",
        abstract:
            "Forecasts Seattle's drawbridges: will you be stopped, for how long, which way to go.",
        version: "0.1.0",
        subcommands: [
            PredictCommand.self, DepartCommand.self, BridgeCommand.self, WatchCommand.self,
            ReplayCommand.self, SyncCommand.self,
            IngestCommand.self, HistoryCommand.self, DoctorCommand.self, EvaluateCommand.self,
            TrainCommand.self,
            InspectCommand.self, BenchCommand.self, FeaturesCommand.self,
        ],
        defaultSubcommand: PredictCommand.self)
}
