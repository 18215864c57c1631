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
    /// Read line by line, twice: a million questions take no more memory than their file.
    private let data: Data

    /// Larger files are no questions.
    private static let mostBytes = 64 << 20

    /// Opens a file of questions.
    ///
    /// - Throws: ``CommandFailure`` that names the line that is none.
    init(file path: String) throws {
        self.path = path
        guard let isFolder = URL(fileURLWithPath: path).isFolder, !isFolder else {
            throw CommandFailure(.missingInput, "\(path): there is no such file")
        }
        data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        guard data.count <= Self.mostBytes else {
            throw CommandFailure(
                .data, "\(path): more than \(Self.mostBytes >> 20) MB: no file of questions")
        }
        try forEachQuestion { _, _, _ in }
    }

    /// Prints a board's document for each question, in their order; what is asked of realtime feeds is what they say at the
    /// session's moment.
    ///
    /// - Throws: ``CommandFailure`` for a stop that the feed does not have.
    func answer(_ session: TransitSession, _ query: BoardQuery) async throws {
        let snapshot = try await session.snapshot()
        try forEachQuestion { line, stop, moment in
            guard let place = session.feed.stop(stop) else {
                throw CommandFailure(
                    .data, "\(path), line \(line): the feed has no stop '\(printable(stop))'")
            }
            let board = snapshot.board(of: place, at: moment, query)
            let envelope = TransitEnvelope(
                snapshot, generatedAt: .now, validAt: moment, agesAt: moment)
            try Console.print(StopBoardDocument(board, snapshot, envelope).jsonLine())
        }
    }

    /// Reads the questions in their order, each with the number of its line.
    private func forEachQuestion(
        _ body: (_ line: Int, _ stop: String, _ moment: Timestamp) throws -> Void
    ) throws {
        var (start, number) = (data.startIndex, 0)
        while start < data.endIndex {
            let end = data[start...].firstIndex(of: UInt8(ascii: "\n")) ?? data.endIndex
            var line = String(decoding: data[start..<end], as: UTF8.self)[...]
            (start, number) = (end + 1, number + 1)
            if line.last == "\r" { line.removeLast() }
            guard !line.isEmpty else { continue }
            // Identifiers may have commas; the moment has none.
            guard let comma = line.lastIndex(of: ","),
                let seconds = Int64(line[line.index(after: comma)...])
            else {
                throw CommandFailure(.data, "\(path), line \(number): is not stop_id,unix_seconds")
            }
            try body(number, String(line[..<comma]), Timestamp(secondsSinceEpoch: seconds))
        }
    }
}
