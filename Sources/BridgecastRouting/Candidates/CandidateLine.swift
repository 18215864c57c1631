internal import BridgecastCore
internal import BridgecastSupport

struct CandidateLine {
    var points: [GeoPoint]
    /// Seconds in all; nil if the source does not say.
    var seconds: Double?
    /// Seconds of each piece, points - 1 of them, if the source says so.
    var pieceSeconds: [Double]? = nil
    /// Else metres and seconds at some places along the line, the first (0, 0); may be empty.
    var marks: [(metres: Double, seconds: Double)] = []

    var metres: Double { zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) } }

    /// Whether a line is about as long as its source states; nil where it states nothing.
    ///
    /// A quarter is what simplified lines and units of length leave open; a line read with the wrong numbers is
    /// off by far more.
    static func isAsLong(as metres: Double?) -> ((CandidateLine) -> Bool)? {
        guard let metres, metres > 0, metres.isFinite else { return nil }
        return { abs($0.metres - metres) <= 0.25 * metres + 100 }
    }

    /// Parts may be so far apart, metres: less than any water here, so that no gap is a crossing.
    static let maxGapMetres = 50.0

    /// - Returns: Whether a piece was added that joins them; none is where they share a point.
    @discardableResult
    mutating func append(_ part: [GeoPoint], _ location: String) throws(DocumentProblem) -> Bool {
        guard let end = points.last, let start = part.first else {
            points += part
            return false
        }
        let gap = end.metres(to: start)
        guard gap <= Self.maxGapMetres else {
            throw DocumentProblem(
                location,
                "begins \(Int(gap)) m from where the part before it ends; parts must touch")
        }
        points += end == start ? part.dropFirst() : part[...]
        return end != start
    }

    /// Seconds of each piece, shared by length; nil if stretches do not follow each other; O(n).
    func pieceSeconds(of stretches: [LineStretch]) -> [Double]? {
        guard !stretches.isEmpty, points.count > 1 else { return nil }
        var seconds = [Double](repeating: 0, count: points.count - 1)
        var last = 0
        for stretch in stretches {
            guard stretch.from >= last, stretch.from <= stretch.to, stretch.to < points.count else {
                return nil
            }
            last = stretch.to
            let lengths = (stretch.from..<stretch.to).map { points[$0].metres(to: points[$0 + 1]) }
            let whole = lengths.reduce(0, +)
            for (piece, length) in zip(stretch.from..<stretch.to, lengths) where whole > 0 {
                seconds[piece] += stretch.seconds * length / whole
            }
        }
        return seconds
    }

    /// Seconds at each point: by piece, step or length, scaled to the time that the source states.
    var secondsAtPoints: [Double] {
        var times: [Double] = [0]
        times.reserveCapacity(points.count)
        if let pieceSeconds {
            for seconds in pieceSeconds { times.append(times[times.count - 1] + seconds) }
        } else {
            var metres: [Double] = [0]
            for (a, b) in zip(points, points.dropFirst()) {
                metres.append(metres[metres.count - 1] + a.metres(to: b))
            }
            times = marks.isEmpty ? metres : seconds(atMetres: metres)
        }
        let whole = times[times.count - 1]
        guard let seconds, whole > 0 else { return times }
        return times.map { $0 * seconds / whole }
    }

    /// Seconds at a position between two points.
    func seconds(at position: Double, _ times: [Double]) -> Double {
        let index = min(Int(position), times.count - 2)
        return times[index] + (times[index + 1] - times[index]) * (position - Double(index))
    }

    /// Linear between marks; a line's own length may differ a little from what the marks add up to.
    private func seconds(atMetres metres: [Double]) -> [Double] {
        guard let end = marks.last, let whole = metres.last, whole > 0, end.metres > 0 else {
            return metres
        }
        var mark = 1
        return metres.map { metre in
            let position = metre * end.metres / whole
            while mark < marks.count - 1, marks[mark].metres < position { mark += 1 }
            let low = marks[mark - 1]
            let high = marks[mark]
            let share =
                high.metres > low.metres ? (position - low.metres) / (high.metres - low.metres) : 1
            return low.seconds + (high.seconds - low.seconds) * min(1, max(0, share))
        }
    }
}

struct LineStretch {
    /// The numbers of its points; -1 where the source has none.
    let from: Int
    let to: Int
    /// Less than 0 where the source has none.
    let seconds: Double

    init(from: Double?, to: Double?, seconds: Double?) {
        self.from = Self.pointIndex(from)
        self.to = Self.pointIndex(to)
        self.seconds = seconds ?? -1
    }

    /// The index of a point on a line; -1 if the number is no index.
    static func pointIndex(_ number: Double?) -> Int {
        guard let number, number >= 0, number <= Double(CandidateFile.maxPoints) else { return -1 }
        return Int(number)
    }
}
