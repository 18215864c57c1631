internal import BridgecastCore
internal import BridgecastSupport

struct LineReader {
    /// Points that the rest of the file may hold.
    private(set) var pointsLeft: Int
    /// Notes about the candidate, for when it is used.
    private(set) var notes: [String] = []

    init(pointsLeft: Int) { self.pointsLeft = pointsLeft }

    /// Adds a note about the candidate.
    mutating func remark(_ location: String, _ text: String) {
        notes.append("\(location): \(text)")
    }

    /// A candidate's whole line, in the stated reading or in the one that brings it near Seattle with the length
    /// that its source states.
    ///
    /// - Parameters:
    ///   - stated: How the source writes lines.
    ///   - isFit: Whether a line is what the source states of it; nil where it states nothing.
    ///   - build: Reads the line.
    mutating func line(
        stated: LineReading, at location: String, isFit: ((CandidateLine) -> Bool)? = nil,
        _ build: (inout LineReader, LineReading) throws -> CandidateLine
    ) throws -> (line: CandidateLine, reading: LineReading) {
        var first: DocumentProblem?
        // With the reader in its state afterwards: what counts is what this reading took and said, not what the others did.
        var near: (line: CandidateLine, reading: LineReading, reader: LineReader)?
        var reader = self
        for reading in [stated] + stated.others(heights: isFit != nil) {
            reader = self
            do {
                let line = try build(&reader, reading)
                try Self.checkLocation(of: line, location)
                let isFit = isFit?(line) ?? true
                if isFit || near == nil { near = (line, reading, reader) }
                if isFit { break }
            } catch let problem as DocumentProblem {
                first = first ?? problem
            }
        }
        guard let near else {
            pointsLeft = reader.pointsLeft
            throw first ?? DocumentProblem(location, "has no length")
        }
        self = near.reader
        remark(near.reading, insteadOf: stated, location)
        return (near.line, near.reading)
    }

    private static func checkLocation(of line: CandidateLine, _ location: String) throws {
        guard !line.points.isEmpty else { throw DocumentProblem(location, "has no length") }
        guard SeattleArea.isNear(line.points) else {
            throw DocumentProblem(location, "does not come near Seattle")
        }
    }

    private mutating func remark(
        _ reading: LineReading, insteadOf stated: LineReading, _ location: String
    ) {
        if reading.precision != stated.precision {
            remark(
                location,
                "decoded with precision \(reading.precision): with \(stated.precision) it is nowhere "
                    + "near Seattle")
        } else if reading.isLatitudeFirst {
            remark(
                location, "latitude comes first; GeoJSON puts longitude first; swapped")
        }
    }

    /// - Parameter scale: What the degrees of a polyline are multiplied by; the reading's if nil.
    mutating func points(
        of geometry: LineGeometry, at location: String, _ reading: LineReading, scale: Double? = nil
    ) throws -> [GeoPoint] {
        switch geometry {
        case .polyline(let text):
            return try polyline(
                text, at: location, scale: scale ?? reading.scale, dimensions: reading.dimensions)
        case .positions(let positions): return try points(of: positions, at: location, reading)
        }
    }

    mutating func polyline(
        _ text: String, at location: String, scale: Double, dimensions: Int = 2
    ) throws -> [GeoPoint] {
        guard
            let points = Polyline.points(
                text, scale: scale, dimensions: dimensions, maxPoints: pointsLeft)
        else {
            guard text.utf8.count / 2 <= pointsLeft else { throw Self.tooManyPoints(location) }
            throw DocumentProblem(location, "is not a polyline, or is cut short")
        }
        try count(points.count, location)
        return points
    }

    mutating func points(
        of positions: Positions?, at location: String, _ reading: LineReading
    ) throws -> [GeoPoint] {
        guard let positions else { throw DocumentProblem(location, "are missing") }
        try count(positions.count, location)
        if let index = positions.firstWrong {
            throw DocumentProblem("\(location)[\(index)]", "is not [longitude, latitude]")
        }
        return positions.points(isLatitudeFirst: reading.isLatitudeFirst)
    }

    private mutating func count(_ points: Int, _ location: String) throws {
        guard points <= pointsLeft else { throw Self.tooManyPoints(location) }
        pointsLeft -= points
    }

    private static func tooManyPoints(_ location: String) -> FileLimitError {
        FileLimitError(
            problem: DocumentProblem(
                location, "more than \(CandidateFile.maxPoints) points in the file"))
    }
}

// MARK: - Ways to read a line

/// A way of reading lines.
///
/// Sources differ in the precision of polylines, some give each point a height, and some put the latitude first.
struct LineReading: Equatable {
    var precision: Int
    /// Numbers of a polyline's point.
    var dimensions = 2
    var isLatitudeFirst = false

    /// What degrees are multiplied by.
    var scale: Double { Polyline.scale(precision: precision) }

    /// The other ways, one thing changed in each; `heights`: whether a length can confirm heights.
    func others(heights: Bool) -> [LineReading] {
        var others = [self, self]
        others[0].precision = 11 - precision
        others[1].isLatitudeFirst = true
        guard heights else { return others }
        var other = self
        other.dimensions = 5 - dimensions
        others.insert(other, at: 1)
        return others
    }
}

// MARK: - Forms of lines

enum LineGeometry: Decodable {
    case polyline(String)
    /// Nil if there is an object, but no list of positions in it.
    case positions(Positions?)

    private enum CodingKeys: CodingKey { case coordinates }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .polyline(text)
        } else {
            let object = try decoder.container(keyedBy: CodingKeys.self)
            self = .positions(try? object.decode(Positions.self, forKey: .coordinates))
        }
    }
}

/// Decodes polylines; the algorithm is Google's "Encoded Polyline Algorithm Format".
enum Polyline {
    /// Degrees are multiplied by 10 to the power of a precision.
    static func scale(precision: Int) -> Double {
        (0..<precision).reduce(1.0) { scale, _ in scale * 10 }
    }

    /// Decodes a text whose numbers are degrees times a scale.
    ///
    /// - Parameter dimensions: Numbers of a point; those after latitude and longitude are left out.
    /// - Returns: nil if a byte is none of the format's or a number is cut off.
    static func points(
        _ text: String, scale: Double, dimensions: Int = 2, maxPoints: Int
    ) -> [GeoPoint]? {
        var latitude = 0
        var longitude = 0
        var points: [GeoPoint] = []
        var bytes = text.utf8.makeIterator()
        func next(_ first: UInt8) -> Int? {
            var value = 0
            var shift = 0
            var byte = first
            while true {
                guard (63...126).contains(byte), shift <= 30 else { return nil }
                value |= Int((byte - 63) & 31) << shift
                guard byte - 63 >= 32 else { break }
                shift += 5
                guard let more = bytes.next() else { return nil }
                byte = more
            }
            return value & 1 == 1 ? ~(value >> 1) : value >> 1
        }
        while let first = bytes.next() {
            guard let north = next(first), let second = bytes.next(), let east = next(second),
                points.count < maxPoints
            else { return nil }
            for _ in 2..<max(2, dimensions) {
                guard let more = bytes.next(), next(more) != nil else { return nil }
            }
            latitude += north
            longitude += east
            points.append(
                GeoPoint(latitude: Double(latitude) / scale, longitude: Double(longitude) / scale))
        }
        return points
    }
}

/// A list of positions, up to the first entry that is none.
struct Positions: Decodable {
    /// Entries of the list, good or not.
    let count: Int
    /// The first entry that does not begin with two numbers.
    let firstWrong: Int?
    private var numbers: [(Double, Double)] = []

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        numbers.reserveCapacity(list.count ?? 0)
        while !list.isAtEnd {
            guard var position = try? list.nestedUnkeyedContainer(),
                let first = try? position.decode(Double.self),
                let second = try? position.decode(Double.self)
            else { break }
            numbers.append((first, second))
        }
        count = list.count ?? numbers.count
        firstWrong = numbers.count < count ? numbers.count : nil
    }

    /// - Parameter isLatitudeFirst: Whether the latitude comes first, against the standard.
    func points(isLatitudeFirst: Bool) -> [GeoPoint] {
        numbers.map { first, second in
            isLatitudeFirst
                ? GeoPoint(latitude: first, longitude: second)
                : GeoPoint(latitude: second, longitude: first)
        }
    }
}

// MARK: - Durations

enum StatedSeconds {
    /// Longer durations are refused: thirty years.
    static let max = 1e9

    /// - Parameter unitSeconds: What the source's unit takes.
    static func seconds(
        _ number: Double?, _ location: String, unitSeconds: Double = 1
    ) throws(DocumentProblem) -> Double {
        guard let number else { throw DocumentProblem(location, "is missing or not a number") }
        let seconds = number * unitSeconds
        guard seconds > 0, seconds <= max else {
            throw DocumentProblem(location, "\(number) is not a duration")
        }
        return seconds
    }
}

extension LineReader {
    /// Seconds of the pieces of a line if they add up to what the whole takes; else nil, with a note.
    ///
    /// - Parameter source: What gave them, for the note.
    mutating func trusted(
        _ seconds: [Double]?, of whole: Double, from source: String, at location: String
    ) -> [Double]? {
        guard let seconds, !seconds.isEmpty else { return nil }
        guard seconds.allSatisfy({ $0 >= 0 && $0 <= StatedSeconds.max }) else {
            remark(location, "its \(source) contain an invalid duration and are ignored")
            return nil
        }
        let sum = seconds.reduce(0, +)
        guard abs(sum - whole) <= 0.1 * whole else {
            remark(
                location,
                "its \(source) add up to \(Int(sum)) s, it takes \(Int(whole)) s: they are ignored"
            )
            return nil
        }
        return seconds
    }
}
