// `--log-level`, `--log-file`, `--metrics-file`: what a long-running command says about itself.
import ArgumentParser
import BridgecastCore
package import BridgecastLive
import Foundation
package import Logging
import Metrics
import Synchronization

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
        guard let level = Logger.Level(rawValue: logLevel ?? (logFile == nil ? "warning" : "info"))
        else {
            throw CommandFailure(.usage, "--log-level: '\(logLevel ?? "")' is no level")
        }
        let sink: LineLog.Sink?
        if let logFile {
            sink = try LineLog.appending(to: logFile)
        } else {
            sink = isBoard && logLevel == nil ? nil : Console.current.errors
        }
        let log = Logger(label: "bridgecast.\(command)") { _ -> any LogHandler in
            if let sink { LineLog(level, sink) } else { SwiftLogNoOpLogHandler() }
        }
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

/// One line per message: time, level, text, then `name=value` in order of names.
struct LineLog: LogHandler {
    /// Takes a line with its end.
    typealias Sink = @Sendable (String) -> Void

    /// A sink that appends to a file, which is made if need be.
    static func appending(to path: String) throws -> Sink {
        let file = Mutex((handle: try OutputFile(path).appending(), hasFailed: false))
        // A full disk must not end what is being logged, but somebody should know.
        return { line in
            file.withLock { file in
                do {
                    try file.handle.write(contentsOf: Data(line.utf8))
                } catch {
                    if !file.hasFailed {
                        note(
                            "bridgecast: warning: \(path): log lines are lost: \(systemReason(error))"
                        )
                    }
                    file.hasFailed = true
                }
            }
        }
    }

    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    private let sink: Sink

    init(_ level: Logger.Level, _ sink: @escaping Sink) {
        (logLevel, self.sink) = (level, sink)
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let pairs = all.sorted { $0.key < $1.key }.map { name, value in
            " \(name)=\(Self.quoted(printable("\(value)", most: 300)))"
        }
        let text = printable(event.message.description, most: 500)
        sink("\(TimeText.rfc3339(.now)) \(event.level.rawValue) \(text)\(pairs.joined())\n")
    }

    private static func quoted(_ text: String) -> String {
        text.contains(where: { " \"=".contains($0) })
            ? "\"" + text.replacingOccurrences(of: "\"", with: "'") + "\"" : text
    }
}
