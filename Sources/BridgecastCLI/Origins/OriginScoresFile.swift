// Reads NAME/ORIGIN.json, which another program may have written, and says where it is not as it should be.
import BridgecastData
import BridgecastTraining
import Foundation
import Glibc

enum OriginScoresFile {
    /// Reads the scores of a file.
    ///
    /// - Throws: `DocumentError` if it cannot be read, ``CommandFailure`` if it is no file or holds no scores; both with
    ///   the path.
    static func read(_ path: String) throws -> OriginScores {
        try refuseStream(path)
        let file = try InputFile(URL(fileURLWithPath: path))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            return try decoder.decode(OriginScores.self, from: Data(file.bytes))
        } catch let error as DecodingError {
            throw CommandFailure(.data, "\(path): no scores of an origin: \(words(error))")
        }
    }

    /// Refuses what would be waited for: scores are read again and again, which a pipe or device does not allow.
    private static func refuseStream(_ path: String) throws {
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        guard unsafe stat(path, &status) == 0 else { return }
        // Of a folder the reader says what it is.
        guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
            throw CommandFailure(.io, "\(path): is a pipe or device, not a file")
        }
    }

    private static func words(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(place(context.codingPath)) is of another type"
        case .dataCorrupted(let context):
            "\(place(context.codingPath)): \(context.debugDescription)"
        @unknown default: "\(error)"
        }
    }

    /// Where it is, as the file names it: `rows[3].climatology_loss`.
    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "the whole document" }
        return path.reduce(into: "") { place, key in
            if let index = key.intValue {
                place += "[\(index)]"
            } else {
                place += (place.isEmpty ? "" : ".") + snakeCase(key.stringValue)
            }
        }
    }

    private static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
}
