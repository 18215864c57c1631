// A candidate's line on the map and when its points are reached; built by the formats, used by CandidateCollector.
internal import BridgecastCore

/// A line with whatever its source says about time.
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

    /// Parts of a line may lie so far apart, metres: less than the width of any water that a drawbridge here
    /// crosses, so that a gap never becomes a crossing.
    static let widestGapMetres = 50.0

    /// Adds a part that goes on where the line ends.
    ///
    /// - Returns: Whether a piece was added that joins them; there is none where they share a point.
    @discardableResult
    mutating func append(_ part: [GeoPoint], _ place: String) throws(DocumentProblem) -> Bool {
        guard let end = points.last, let start = part.first else {
            points += part
            return false
        }
        let gap = end.metres(to: start)
        guard gap <= Self.widestGapMetres else {
            throw DocumentProblem(
                place, "begins \(Int(gap)) m from where the part before it ends; parts must touch")
        }
        points += end == start ? part.dropFirst() : part[...]
        return end != start
    }

    /// Seconds of each piece, from the seconds of stretches from one point to another, shared by length.
    ///
    /// Nil if they do not follow each other along the line; O(points + stretches).
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

    /// Seconds from the start at which each point is reached: by piece, by step, or by length; scaled so
    /// that the whole takes what the source says.
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
            let place = metre * end.metres / whole
            while mark < marks.count - 1, marks[mark].metres < place { mark += 1 }
            let (low, high) = (marks[mark - 1], marks[mark])
            let share =
                high.metres > low.metres ? (place - low.metres) / (high.metres - low.metres) : 1
            return low.seconds + (high.seconds - low.seconds) * min(1, max(0, share))
        }
    }
}
