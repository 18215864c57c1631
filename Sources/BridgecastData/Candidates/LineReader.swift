// A candidate's lines out of what its format gives; counts the points of the file and keeps what is to be said. Used by
// the formats.
internal import BridgecastCore

/// Reads the lines of one candidate.
struct LineReader {
    /// Points that the rest of the file may hold.
    private(set) var pointsLeft: Int
    /// What is to be said about the candidate if it is used.
    private(set) var notes: [String] = []

    init(pointsLeft: Int) { self.pointsLeft = pointsLeft }

    /// Says something about the candidate.
    mutating func remark(_ place: String, _ words: String) { notes.append("\(place): \(words)") }

    /// A candidate's whole line, in the usual reading or in the one that brings it near Seattle with the length
    /// that its source states.
    ///
    /// - Parameters:
    ///   - usual: How the source writes lines.
    ///   - isFit: Whether a line is what the source states of it; nil where it states nothing.
    ///   - build: Reads the line.
    mutating func line(
        _ usual: LineReading, _ place: String, isFit: ((CandidateLine) -> Bool)? = nil,
        _ build: (inout LineReader, LineReading) throws -> CandidateLine
    ) throws -> (line: CandidateLine, reading: LineReading) {
        var first: DocumentProblem?
        // With the reader as it is afterwards: what counts is what this reading took and said, not what the others did.
        var near: (line: CandidateLine, reading: LineReading, reader: LineReader)?
        var reader = self
        for reading in [usual] + usual.others(heights: isFit != nil) {
            reader = self
            do {
                let line = try build(&reader, reading)
                try Self.checkPlace(of: line, place)
                let isFit = isFit?(line) ?? true
                if isFit || near == nil { near = (line, reading, reader) }
                if isFit { break }
            } catch let problem as DocumentProblem {
                first = first ?? problem
            }
        }
        guard let near else {
            pointsLeft = reader.pointsLeft
            throw first ?? DocumentProblem(place, "has no length")
        }
        self = near.reader
        remark(near.reading, insteadOf: usual, place)
        return (near.line, near.reading)
    }

    private static func checkPlace(of line: CandidateLine, _ place: String) throws {
        guard !line.points.isEmpty else { throw DocumentProblem(place, "has no length") }
        guard SeattleArea.isNear(line.points) else {
            throw DocumentProblem(place, "does not come near Seattle")
        }
    }

    private mutating func remark(
        _ reading: LineReading, insteadOf usual: LineReading, _ place: String
    ) {
        if reading.precision != usual.precision {
            remark(
                place,
                "read with precision \(reading.precision); with \(usual.precision) it is not here")
        } else if reading.isLatitudeFirst {
            remark(place, "latitude first, where GeoJSON has longitude first; read as meant")
        }
    }

    /// The points of a line in either form.
    ///
    /// - Parameter scale: What the degrees of a polyline are multiplied by; the reading's if nil.
    mutating func points(
        of geometry: LineGeometry, _ place: String, _ reading: LineReading, scale: Double? = nil
    ) throws -> [GeoPoint] {
        switch geometry {
        case .polyline(let text):
            return try polyline(
                text, place, scale: scale ?? reading.scale, dimensions: reading.dimensions)
        case .positions(let positions): return try points(of: positions, place, reading)
        }
    }

    /// The points of a polyline.
    mutating func polyline(
        _ text: String, _ place: String, scale: Double, dimensions: Int = 2
    ) throws -> [GeoPoint] {
        guard
            let points = Polyline.points(
                text, scale: scale, dimensions: dimensions, most: pointsLeft)
        else {
            guard text.utf8.count / 2 <= pointsLeft else { throw Self.tooManyPoints(place) }
            throw DocumentProblem(place, "is no polyline, or is cut off")
        }
        try count(points.count, place)
        return points
    }

    /// The points of a GeoJSON line.
    mutating func points(
        of positions: Positions?, _ place: String, _ reading: LineReading
    ) throws -> [GeoPoint] {
        guard let positions else { throw DocumentProblem(place, "are missing") }
        try count(positions.count, place)
        if let index = positions.firstWrong {
            throw DocumentProblem("\(place)[\(index)]", "is not [longitude, latitude]")
        }
        return positions.points(isLatitudeFirst: reading.isLatitudeFirst)
    }

    /// Counts points of the file.
    private mutating func count(_ points: Int, _ place: String) throws {
        guard points <= pointsLeft else { throw Self.tooManyPoints(place) }
        pointsLeft -= points
    }

    private static func tooManyPoints(_ place: String) -> FileLimitError {
        FileLimitError(
            problem: DocumentProblem(
                place, "more than \(CandidateFile.mostPoints) points in the file"))
    }
}
