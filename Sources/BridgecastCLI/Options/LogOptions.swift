// `--log-level`, `--log-file`, `--metrics-file`: what a long-running command says about itself.
import ArgumentParser
package import BridgecastLive
package import Logging
import Metrics

/// Options of commands that run for long.
package struct LogOptions: ParsableArguments {
    @Option(name: .long, help: "Least level of log lines: debug, info, warning, error.")
    var logLevel: String?

    @Option(name: .long, help: "Append log lines to this file instead of standard error.")
    var logFile: String?

    @Option(name: .long, help: "Write counters to this file (Prometheus text), every minute.")
    var metricsFile: String?

    /// Creates the usual options.
    package init() {}

    /// The logger, and the metrics if a file is named for them.
    ///
    /// Without `--log-file` only warnings and errors are written, or nothing where they would spoil a board.
    ///
    /// - Parameters:
    ///   - command: Who writes, for each line.
    ///   - isBoard: Whether a board is drawn on the terminal.
    /// - Throws: ``CommandFailure`` for what is no level or cannot be written.
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
    /// - Throws: ``CommandFailure`` where it cannot be written.
    package func writeMetrics(_ registry: MetricsRegistry?) throws {
        guard let registry, let metricsFile else { return }
        try OutputFile(metricsFile).write(registry.text())
    }
}
