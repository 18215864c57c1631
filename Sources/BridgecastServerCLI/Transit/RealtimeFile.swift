// The bytes of a realtime feed's file, of which no more are read than any feed has; used by `feed check`.
import BridgecastCLI
import BridgecastCore
import Foundation

/// Reads files of realtime feeds.
enum RealtimeFile {
    /// No agency's feed is longer.
    private static let mostBytes = 64 << 20

    /// All bytes of a file.
    ///
    /// - Throws: ``CommandFailure``
    static func bytes(of path: String) throws -> [UInt8] {
        let bytes = try beginning(of: path, bytes: mostBytes + 1)
        guard bytes.count <= mostBytes else {
            throw CommandFailure(
                .data, "\(path): more than \(mostBytes >> 20) MB: no realtime feed is as long")
        }
        return bytes
    }

    /// The first bytes of a file.
    static func beginning(of path: String, bytes: Int) throws -> [UInt8] {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            return Array(try file.read(upToCount: bytes) ?? Data())
        } catch {
            throw CommandFailure(.io, "\(path): cannot be read: \(error.localizedDescription)")
        }
    }
}
