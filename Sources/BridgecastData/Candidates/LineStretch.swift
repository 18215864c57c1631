// A stretch of a line between two of its points; given by the formats, used by CandidateLine.

/// What a stretch of a line takes.
struct LineStretch {
    /// The numbers of its points; -1 where the source has none.
    let from: Int
    let to: Int
    /// Less than 0 where the source has none.
    let seconds: Double

    /// A stretch as it is.
    init(_ from: Int, _ to: Int, _ seconds: Double) {
        (self.from, self.to, self.seconds) = (from, to, seconds)
    }

    /// A stretch as a source states it.
    init(from: Double?, to: Double?, seconds: Double?) {
        self.init(Self.pointIndex(from), Self.pointIndex(to), seconds ?? -1)
    }

    /// The place of a point on a line; -1 if the number is none.
    static func pointIndex(_ number: Double?) -> Int {
        guard let number, number >= 0, number <= Double(CandidateFile.mostPoints) else { return -1 }
        return Int(number)
    }
}
