// What figures of an origin have to be before anything is worked out from them: another program may have written
// them. Used by OriginTable and OriginComparison.

extension OriginScores {
    /// Checks figures that another program may have written: within these bounds no sum of them overflows.
    func check() throws(OriginScoresError) {
        func demand(_ holds: Bool, _ problem: @autoclosure () -> String) throws(OriginScoresError) {
            guard !holds else { return }
            throw .implausible(recipe: recipe, origin: origin, problem: problem())
        }
        try demand((1...Bounds.mostDays).contains(days), "\(days) days; 1 to \(Bounds.mostDays)")
        try demand(Bounds.share.contains(calibrationError), "calibration_error: 0 to 1")
        if let fp32LogLoss {
            try demand(Bounds.divisor.contains(fp32LogLoss), "fp32_log_loss: \(Bounds.words)")
        }
        try demand(!rows.isEmpty, "there are no rows")
        var seen: Set<String> = []
        /// A cell is sound and the only one of its place.
        func take(_ place: String, _ problem: String?) throws(OriginScoresError) {
            if let problem { try demand(false, "\(place): \(problem)") }
            try demand(seen.insert(place).inserted, "\(place): stands there twice")
        }
        for cell in rows {
            try take("\(cell.day), \(cell.bridge), \(cell.leadMinutes) min", cell.problem)
        }
        for cell in confidence ?? [] { try take("confidence \(cell.confidence)", cell.problem) }
        for cell in delays ?? [] {
            try take("delays on \(cell.day) at traffic \(cell.traffic)", cell.problem)
        }
        for cell in raised ?? [] {
            try take("raised for \(cell.elapsedMinutes) min", cell.problem)
        }
    }

    /// Checks that other scores are of the same rows and climatology.
    func checkRows(against other: OriginScores) throws(OriginScoresError) {
        func table(_ scores: OriginScores) -> [[String]: Cell] {
            Dictionary(
                scores.rows.map { ([$0.day, $0.bridge, "\($0.leadMinutes)"], $0) }
            ) { first, _ in first }
        }
        let theirs = table(other)
        let isSame =
            rows.count == other.rows.count
            && table(self).allSatisfy { place, cell in
                guard let their = theirs[place] else { return false }
                let difference = abs(cell.climatologyLoss - their.climatologyLoss)
                return cell.rows == their.rows && cell.blocked == their.blocked
                    && difference <= 1e-6 * max(1, cell.climatologyLoss)
            }
        guard isSame else {
            throw .otherRows(origin: origin, recipe: recipe, other: other.recipe)
        }
    }
}

/// What figures may be.
private enum Bounds {
    static let mostDays = 366
    static let counts = 0...1_000_000_000
    static let sums = 0..<1e12
    /// Of sums that others are divided by.
    static let divisor = 1e-12..<1e12
    static let share = 0.0...1
    static let words = "sums lie between 0 and 1e12, those that others are divided by above 1e-12"
}

extension OriginScores.Cell {
    fileprivate var problem: String? {
        guard (2...60).contains(leadMinutes) else { return "leads are 2 to 60 minutes" }
        guard Bounds.counts.contains(rows), rows > 0, (0...rows).contains(blocked) else {
            return "\(blocked) of \(rows) rows are blocked"
        }
        guard Bounds.sums.contains(loss), Bounds.divisor.contains(climatologyLoss),
            Bounds.sums.contains(brier), Bounds.sums.contains(climatologyBrier)
        else { return Bounds.words }
        return nil
    }
}

extension OriginScores.ConfidenceCell {
    fileprivate var problem: String? {
        guard Bounds.counts.contains(rows), (0...rows).contains(blocked) else {
            return "\(blocked) of \(rows) rows are blocked"
        }
        guard Bounds.sums.contains(forecast), Bounds.sums.contains(loss) else {
            return Bounds.words
        }
        return Bounds.share.contains(calibrationError) ? nil : "calibration_error: 0 to 1"
    }
}

extension OriginScores.DelayCell {
    fileprivate var problem: String? {
        guard Bounds.counts.contains(rows), (0...rows).contains(delayed) else {
            return "\(delayed) of \(rows) rows have a delay"
        }
        guard [below50, below80, below95].allSatisfy((0...delayed).contains) else {
            return "more delays are below a quantile than there are"
        }
        guard Bounds.sums.contains(rankedProbability),
            climatologyRankedProbability == 0
                || Bounds.divisor.contains(climatologyRankedProbability)
        else { return Bounds.words }
        return nil
    }
}

extension OriginScores.RaisedCell {
    fileprivate var problem: String? {
        guard Bounds.counts.contains(openings),
            [below80, below95].allSatisfy((0...openings).contains)
        else { return "more openings are below a quantile than there are" }
        // A probability that is rounded up to a little more than 1 has a loss of a little less than 0.
        return Bounds.sums.contains(abs(loss)) ? nil : Bounds.words
    }
}
