// The stand-in feeds of tools/feeds as a server of a test: real sockets, and everything that goes wrong.
package import Foundation

/// A running `tools/feeds/stand_in.py`.
package final class StandIn: Sendable {
    /// Where it listens, such as `http://127.0.0.1:40123`.
    package let address: String
    private let process: Process

    /// Starts a server for records.
    package init(records: URL, port: Int = 0) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", Fixtures.checkout.appendingPathComponent("tools/feeds/stand_in.py").path,
            "--records", records.path, "--port", "\(port)",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8)
        {
            guard !byte.isEmpty else { throw CocoaError(.fileReadUnknown) }
            line += byte
        }
        address = String(decoding: line, as: UTF8.self)
    }

    /// Ends the server.
    package func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    deinit { process.terminate() }
}
