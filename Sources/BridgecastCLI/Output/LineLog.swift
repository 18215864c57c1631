// Log lines of long-running commands: a line a message, to a file or to standard error; made by LogOptions.
import BridgecastCore
import BridgecastLive
import Foundation
package import Logging
import Synchronization

/// One line per message: time, level, text, then `name=value` in order of names.
package struct LineLog: LogHandler {
    /// Takes a line with its end.
    typealias Sink = @Sendable (String) -> Void

    /// A logger of lines.
    ///
    /// - Parameters:
    ///   - command: Who writes, for each line.
    ///   - level: The least level's name.
    ///   - file: Appended to; nil for standard error.
    ///   - isSilent: Whether nothing is written where no file is named.
    /// - Throws: ``CommandFailure`` for what is no level or cannot be written.
    package static func logger(
        _ command: String, level: String, file: String?, isSilent: Bool = false
    ) throws -> Logger {
        guard let least = Logger.Level(rawValue: level) else {
            throw CommandFailure(.usage, "--log-level: '\(level)' is no level")
        }
        let sink: Sink? =
            if let file { try appending(to: file) } else { isSilent ? nil : Console.current.errors }
        return Logger(label: "bridgecast.\(command)") { _ -> any LogHandler in
            if let sink { LineLog(least, sink) } else { SwiftLogNoOpLogHandler() }
        }
    }

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

    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    private let sink: Sink

    init(_ level: Logger.Level, _ sink: @escaping Sink) {
        (logLevel, self.sink) = (level, sink)
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
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
