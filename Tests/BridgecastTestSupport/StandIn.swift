// The stand-in feeds of tools/checks/feeds as a server of a test: real sockets, and everything that goes wrong.
package import Foundation

/// A running `tools/checks/feeds/stand_in.py`.
package final class StandIn: Sendable {
    /// Where it listens, such as `http://127.0.0.1:40123`.
    package let address: String
    private let process: Process
    private let lifeline = Pipe()

    /// Starts a server for records.
    package init(records: URL, port: Int = 0) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3",
            Fixtures.checkout.appendingPathComponent("tools/checks/feeds/stand_in.py").path,
            "--records", records.path, "--port", "\(port)", "--until-eof",
        ]
        // It ends when this process does, and keeps none of its pipes open meanwhile.
        process.standardInput = lifeline
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8)
        {
            guard !byte.isEmpty else { throw CocoaError(.fileReadUnknown) }
            line += byte
        }
        guard !line.isEmpty else { throw CocoaError(.fileReadUnknown) }
        address = String(decoding: line, as: UTF8.self)
    }

    /// A server of the shipped records that tests share; paths are counted apart.
    package static let shared: Result<StandIn, any Error> = Result {
        try StandIn(records: Fixtures.trainingData("openings-2025-2026.csv"))
    }

    /// Ends the server and gives its port back.
    package func stop() {
        // Not `terminate`: a child of a thread that blocks signals never sees one.
        try? lifeline.fileHandleForWriting.close()
        // Not `waitUntilExit`, which keeps the thread from the tasks that wait for it.
        for _ in 0..<100 where process.isRunning { Thread.sleep(forTimeInterval: 0.01) }
    }
}
