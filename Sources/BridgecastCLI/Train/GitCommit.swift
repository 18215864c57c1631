// The commit of the checkout, which goes into the provenance of models.
import Foundation

/// The commit of the checkout, for provenance.
enum GitCommit {
    /// The commit's hash, with "+" if the work tree differs; "unknown" outside a checkout.
    static func current() -> String {
        guard let home = ShippedFiles.home(), let hash = run(["rev-parse", "HEAD"], home) else {
            return "unknown"
        }
        let isClean = run(["status", "--porcelain", "--", "Sources", "Package.swift"], home) == ""
        return isClean ? hash : hash + "+"
    }

    private static func run(_ arguments: [String], _ folder: URL) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Looking must not write to the index.
        process.arguments = ["git", "--no-optional-locks", "-C", folder.path] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
