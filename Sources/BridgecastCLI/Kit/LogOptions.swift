// `--log-level`, `--log-file`, `--metrics-file`: the log and metrics of a long-running command.
import ArgumentParser
package import BridgecastLive
package import Logging
import Metrics

/// Options of commands that run for long.
package struct LogOptions: ParsableArguments {
    @Option(name: .long, help: "Minimum level of log lines: debug, info, warning, error.")
    var logLevel: String?

    @Option(name: .long, help: "Append log lines to this file instead of standard error.")
    var logFile: String?

    @Option(name: .long, help: "Write counters to this file (Prometheus text), every minute.")
    var metricsFile: String?

    package init() {}

    /// The logger, and the metrics if a file is named for them.
    ///
    /// Without `--log-file` only warnings and errors are written, or nothing if there is a board.
    ///
    /// - Parameters:
    ///   - command: For each line.
    ///   - isBoard: Whether a board is drawn on the terminal.
    /// - Throws: ``CommandFailure`` for an unknown level or a file that cannot be written.
    package func begin(_ command: String, isBoard: Bool) throws -> (Logger, MetricsRegistry?) {
        let log = try LineLog.logger(
            command, level: logLevel ?? (logFile == nil ? "warning" : "info"), file: logFile,
            isSilent: isBoard && logLevel == nil)
        guard let metricsFile else { return (log, nil) }
        try OutputFile(metricsFile).check()
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        return (log, registry)
    }

    /// Writes the metrics if a file is named for them.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be written.
    package func writeMetrics(_ registry: MetricsRegistry?) throws {
        guard let registry, let metricsFile else { return }
        try OutputFile(metricsFile).write(registry.text())
    }
}
