// `board --queries`: boards for many stops and moments from one reading of the feed; for checks and for other programs.
import BridgecastAnswers
import BridgecastCLI
import BridgecastCore
import BridgecastTransit
import BridgecastTransitAnswers
import Foundation

/// A file of questions, a line each: a stop's identifier, a comma, and seconds since 1970.
struct BoardQueries {
    private let path: String
    private let questions: [(stop: String, moment: Timestamp)]

    /// Larger files are no questions.
    private static let mostBytes = 64 << 20

    /// Reads a file of questions.
    ///
    /// - Throws: ``CommandFailure`` that names the line that is none.
    init(file path: String) throws {
        self.path = path
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(.missingInput, "\(path): there is no such file")
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        guard data.count <= Self.mostBytes else {
            throw CommandFailure(
                .data, "\(path): more than \(Self.mostBytes >> 20) MB: no file of questions")
        }
        var questions: [(String, Timestamp)] = []
        let lines = String(decoding: data, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() where !line.isEmpty {
            // Identifiers may have commas; the moment has none.
            guard let comma = line.lastIndex(of: ","),
                let seconds = Int64(line[line.index(after: comma)...])
            else {
                throw CommandFailure(
                    .data, "\(path), line \(number + 1): is not stop_id,unix_seconds")
            }
            questions.append(
                (String(line[..<comma]), Timestamp(secondsSinceEpoch: seconds)))
        }
        self.questions = questions
    }

    /// Prints a board's document for each question, in their order.
    ///
    /// - Throws: ``CommandFailure`` for a stop that the feed does not have.
    func answer(_ session: TransitSession, _ query: BoardQuery) async throws {
        let snapshot = try await session.snapshot()
        for (stop, moment) in questions {
            guard let place = session.feed.stop(stop) else {
                throw CommandFailure(.data, "\(path): the feed has no stop '\(printable(stop))'")
            }
            let board = snapshot.board(of: place, at: moment, query)
            let envelope = TransitEnvelope(snapshot, generatedAt: moment)
            try Console.print(StopBoardDocument(board, snapshot, envelope).jsonLine())
        }
    }
}
