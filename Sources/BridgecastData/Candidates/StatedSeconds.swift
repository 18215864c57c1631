// Durations as sources state them: what is no duration is not believed. Used by the formats.
internal import BridgecastCore

/// Seconds that a source states.
enum StatedSeconds {
    /// No source tells a longer duration, thirty years.
    static let longest = 1e9

    /// A number of seconds.
    ///
    /// - Parameter unitSeconds: What the source's unit takes.
    static func seconds(
        _ number: Double?, _ place: String, unitSeconds: Double = 1
    ) throws(DocumentProblem) -> Double {
        guard let number else { throw DocumentProblem(place, "is missing or no number") }
        let seconds = number * unitSeconds
        guard seconds > 0, seconds <= longest else {
            throw DocumentProblem(place, "\(number) is no duration")
        }
        return seconds
    }
}

extension LineReader {
    /// Seconds of the pieces of a line if they add up to what the whole takes; else nil, and it is said.
    ///
    /// - Parameter what: What gave them, for the remark.
    mutating func trusted(
        _ seconds: [Double]?, of whole: Double, _ what: String, _ place: String
    ) -> [Double]? {
        guard let seconds, !seconds.isEmpty else { return nil }
        guard seconds.allSatisfy({ $0 >= 0 && $0 <= StatedSeconds.longest }) else {
            remark(place, "its \(what) hold what is no duration: they are not used")
            return nil
        }
        let sum = seconds.reduce(0, +)
        guard abs(sum - whole) <= 0.1 * whole else {
            remark(
                place,
                "its \(what) add up to \(Int(sum)) s, it takes \(Int(whole)) s: they are not used")
            return nil
        }
        return seconds
    }
}
