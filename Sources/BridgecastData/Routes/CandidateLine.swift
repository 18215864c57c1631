// A candidate's line on the map and when its points are reached; used by CandidateReader.
import BridgecastCore

/// A line with whatever its source says about time.
struct CandidateLine {
    let points: [GeoPoint]
    /// Seconds in all; nil if the source does not say.
    var seconds: Double?
    /// Seconds of each piece, points - 1 of them, if the source says so.
    let pieceSeconds: [Double]?
    /// Else metres and seconds at some places along the line, the first (0, 0); may be empty.
    let marks: [(metres: Double, seconds: Double)]

    var metres: Double { zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) } }

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
