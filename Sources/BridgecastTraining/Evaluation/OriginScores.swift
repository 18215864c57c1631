// The scores of a recipe at one origin, as in the file NAME/ORIGIN.json, and the bounds of what such a file may hold.
package import BridgecastSupport

/// The sums that all figures of a recipe at one origin are made of.
///
/// As JSON the names are in snake_case. Rows are those of the evaluation protocol with leads of 2 to 60 minutes:
/// `rows`, and `days` and `calibration_error` for the whole, are required. The file of another program, such as a fit
/// of LightGBM, may lack `making`, `fp32_log_loss`, `confidence`, `delays`, `raised`, `live_day` and `live_hour`. Loss is
/// -log of the probability of the outcome, with probabilities clamped to 1e-7 from 0 and 1; climatology is that of the
/// records before the origin, which `features export --origin` writes as `climatology.npy`.
///
///     {"recipe": "lightgbm", "origin": "2026-02-15", "days": 14, "calibration_error": 0.0021,
///      "rows": [{"day": "2026-02-15", "bridge": "Fremont", "lead_minutes": 2, "rows": 288, "blocked": 12,
///                "loss": 21.5, "climatology_loss": 47.9, "brier": 5.6, "climatology_brier": 11.4}, ...]}
package struct OriginScores: Codable, Sendable, Equatable {
    /// What was fitted, how and to what: two files with the same are of the same fit.
    package struct Making: Codable, Sendable, Equatable {
        package var settings: [String: String]
        package var seed: UInt64
        /// The fit used records before this time, RFC 3339.
        package var fittedBefore: String
        /// SHA-256 of each file of records, then of the openings and coverage as they were used, hexadecimal.
        package var records: [String]
        /// Hash of the network's inputs.
        package var schemaHash: String

        /// A record of a fit.
        package init(
            settings: [String: String], seed: UInt64, fittedBefore: String, records: [String],
            schemaHash: String
        ) {
            self.settings = settings
            self.seed = seed
            self.fittedBefore = fittedBefore
            self.records = records
            self.schemaHash = schemaHash
        }
    }

    /// Sums over the rows of one day, bridge and lead.
    package struct Cell: Codable, Sendable, Equatable {
        /// Civil day of the issue times, `2018-02-12`.
        package var day: String
        package var bridge: String
        package var leadMinutes: Int
        package var rows = 0
        package var blocked = 0
        package var loss = 0.0
        package var climatologyLoss = 0.0
        /// Sum of squared errors of the probability.
        package var brier = 0.0
        package var climatologyBrier = 0.0
    }

    /// Sums over the rows of one confidence.
    package struct ConfidenceCell: Codable, Sendable, Equatable {
        /// LOW, MEDIUM or HIGH.
        package var confidence: String
        package var rows: Int
        package var forecast: Double
        package var blocked: Int
        package var loss: Double
        /// Expected calibration error over ten bins of equally many rows, 0...1.
        package var calibrationError: Double
    }

    /// Sums over the delays of one day at one traffic.
    package struct DelayCell: Codable, Sendable, Equatable {
        /// Civil day of the issue times.
        package var day: String
        /// "profile", or a degree of saturation: "0", "0.3", "0.6", "0.85".
        package var traffic: String
        package var rows = 0
        /// Rows in which time was lost.
        package var stopped = 0
        /// Sum of -log of the probability that time was lost, or that none was.
        package var loss = 0.0
        package var climatologyLoss = 0.0
        /// Sum of ranked probability scores over the delay bins.
        package var rankedProbability = 0.0
        package var climatologyRankedProbability = 0.0
        package var delayed = 0
        /// Of these, with a delay below the forecast 0.5 quantile of the delay given one.
        package var below50 = 0
        package var below80 = 0
        package var below95 = 0
    }

    /// Sums over openings that are still up some minutes after they began, for how long the span stays up.
    package struct RaisedCell: Codable, Sendable, Equatable {
        /// Issue time after the opening's start, minutes: 0, 5, 10, 15 or 20.
        package var elapsedMinutes: Int
        package var openings = 0
        /// Openings whose remaining length is below the forecast 0.8 quantile of the delay given one.
        package var below80 = 0
        package var below95 = 0
        /// Sum of -log of the probability of the bin that the remaining length fell in, given a delay.
        package var loss = 0.0
    }

    /// Name of the recipe.
    package var recipe: String
    /// First day that is scored, `2018-02-12`.
    package var origin: String
    /// Number of days that are scored.
    package var days: Int
    /// How the recipe was fitted; nil for another program's.
    package var making: Making?
    /// One for each day, bridge and lead that has rows, of ``Knowledge/complete``.
    package var rows: [Cell]
    /// The same rows by ``Knowledge/liveDay`` and ``Knowledge/liveHour``.
    package var liveDay: [Cell]?
    package var liveHour: [Cell]?
    /// Expected calibration error of P(blocked) over ten bins of equally many rows, 0...1.
    package var calibrationError: Double
    /// Sum of log losses of the same weights in fp32.
    package var fp32LogLoss: Double?
    /// One for each confidence that has rows.
    package var confidence: [ConfidenceCell]?
    /// One for each day and traffic.
    package var delays: [DelayCell]?
    /// One for each age that has openings.
    package var raised: [RaisedCell]?
}

extension OriginScores {
    /// Checks figures that another program may have written: within these bounds no sum of them overflows.
    func check() throws(OriginScoresError) {
        func demand(_ holds: Bool, _ problem: @autoclosure () -> String) throws(OriginScoresError) {
            guard !holds else { return }
            throw .implausible(recipe: recipe, origin: origin, problem: problem())
        }
        try demand((1...Bounds.maxDays).contains(days), "\(days) days; 1 to \(Bounds.maxDays)")
        try demand(Bounds.share.contains(calibrationError), "calibration_error: 0 to 1")
        if let fp32LogLoss {
            try demand(Bounds.divisor.contains(fp32LogLoss), "fp32_log_loss: \(Bounds.message)")
        }
        try demand(!rows.isEmpty, "there are no rows")
        for (name, cells) in [("live_day", liveDay), ("live_hour", liveHour)] {
            for cell in cells ?? [] {
                if let problem = cell.problem { try demand(false, "\(name): \(problem)") }
            }
        }
        var seen: Set<String> = []
        func check(_ name: String, _ problem: String?) throws(OriginScoresError) {
            if let problem { try demand(false, "\(name): \(problem)") }
            try demand(seen.insert(name).inserted, "\(name): appears twice")
        }
        for cell in rows {
            try check("\(cell.day), \(cell.bridge), \(cell.leadMinutes) min", cell.problem)
        }
        for cell in confidence ?? [] { try check("confidence \(cell.confidence)", cell.problem) }
        for cell in delays ?? [] {
            try check("delays on \(cell.day) at traffic \(cell.traffic)", cell.problem)
        }
        for cell in raised ?? [] {
            try check("raised for \(cell.elapsedMinutes) min", cell.problem)
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
            && table(self).allSatisfy { key, cell in
                guard let other = theirs[key] else { return false }
                let difference = abs(cell.climatologyLoss - other.climatologyLoss)
                return cell.rows == other.rows && cell.blocked == other.blocked
                    && difference <= 1e-6 * max(1, cell.climatologyLoss)
            }
        guard isSame else { throw .otherRows(origin: origin, recipe: recipe, other: other.recipe) }
    }
}

/// The bounds of figures.
private enum Bounds {
    static let maxDays = 366
    static let counts = 0...1_000_000_000
    static let sums = 0..<1e12
    /// Of sums that others are divided by.
    static let divisor = 1e-12..<1e12
    static let share = 0.0...1
    static let message = "sums are from 0 to 1e12, those that others are divided by above 1e-12"
}

extension OriginScores.Cell {
    fileprivate var problem: String? {
        guard (2...60).contains(leadMinutes) else { return "leads are 2 to 60 minutes" }
        guard Bounds.counts.contains(rows), rows > 0, (0...rows).contains(blocked) else {
            return "\(blocked) of \(rows) rows are blocked"
        }
        guard Bounds.sums.contains(loss), Bounds.divisor.contains(climatologyLoss),
            Bounds.sums.contains(brier), Bounds.sums.contains(climatologyBrier)
        else { return Bounds.message }
        return nil
    }
}

extension OriginScores.ConfidenceCell {
    fileprivate var problem: String? {
        guard Bounds.counts.contains(rows), (0...rows).contains(blocked) else {
            return "\(blocked) of \(rows) rows are blocked"
        }
        guard Bounds.sums.contains(forecast), Bounds.sums.contains(loss) else {
            return Bounds.message
        }
        return Bounds.share.contains(calibrationError) ? nil : "calibration_error: 0 to 1"
    }
}

extension OriginScores.DelayCell {
    fileprivate var problem: String? {
        guard Bounds.counts.contains(rows), (0...rows).contains(delayed),
            (0...rows).contains(stopped)
        else { return "\(max(delayed, stopped)) of \(rows) rows have a delay" }
        guard [below50, below80, below95].allSatisfy((0...delayed).contains) else {
            return "more delays are below a quantile than there are"
        }
        guard Bounds.sums.contains(rankedProbability), Bounds.sums.contains(loss),
            Bounds.sums.contains(climatologyLoss),
            climatologyRankedProbability == 0
                || Bounds.divisor.contains(climatologyRankedProbability)
        else { return Bounds.message }
        return nil
    }
}

extension OriginScores.RaisedCell {
    fileprivate var problem: String? {
        guard Bounds.counts.contains(openings),
            [below80, below95].allSatisfy((0...openings).contains)
        else { return "more openings are below a quantile than there are" }
        // The loss of a probability that was rounded up to a little more than 1 is a little below 0.
        return Bounds.sums.contains(abs(loss)) ? nil : Bounds.message
    }
}

/// Why scores of origins cannot be compared.
package enum OriginScoresError: Failure, Equatable {
    /// There are no scores of the recipe to compare with.
    case noRecipe(String)
    /// Two recipes have no origin in common.
    case nothingInCommon(String, String)
    /// Two recipes were scored on different rows of an origin, or against other climatologies.
    case otherRows(origin: String, recipe: String, other: String)
    /// Figures are out of bounds.
    case implausible(recipe: String, origin: String, problem: String)

    package var kind: FailureKind { if case .noRecipe = self { .usage } else { .data } }

    package var description: String {
        switch self {
        case .noRecipe(let name): "there are no scores of a recipe '\(name)' to compare with"
        case .nothingInCommon(let one, let other):
            "'\(one)' and '\(other)' have no origin in common; score both at the same ones"
        case .otherRows(let origin, let recipe, let other):
            "\(origin): '\(recipe)' and '\(other)' were not scored on the same rows and climatology; "
                + "score both on the same records"
        case .implausible(let recipe, let origin, let problem):
            "scores of '\(recipe)' at \(origin): \(problem)"
        }
    }
}

extension OriginScores.DelayCell {
    var isAtProfile: Bool { traffic == DelayTraffic.profile.rawValue }
}

/// Log losses of some rows of one origin, by day.
struct DailyLosses {
    /// Sum of the recipe's losses, by day.
    private(set) var recipe: [Double]
    /// The same of climatology.
    private(set) var climatology: [Double]

    /// Adds up the losses of ``ScoredEvent/stopped``; nil without any.
    init?(stoppedIn scores: OriginScores) {
        let cells = (scores.delays ?? []).filter(\.isAtProfile).sorted { $0.day < $1.day }
        guard cells.contains(where: { $0.climatologyLoss > 0 }) else { return nil }
        recipe = cells.map(\.loss)
        climatology = cells.map(\.climatologyLoss)
    }

    /// Adds up the rows of some knowledge; nil where they were not scored.
    init?(_ scores: OriginScores, knowing cells: KeyPath<OriginScores, [OriginScores.Cell]?>) {
        guard let cells = scores[keyPath: cells], !cells.isEmpty else { return nil }
        var some = scores
        some.rows = cells
        self.init(some)
    }

    /// Adds up the rows that satisfy a condition; days are all those of the origin, in order.
    init(_ scores: OriginScores, where isCounted: (OriginScores.Cell) -> Bool = { _ in true }) {
        let days = Set(scores.rows.map(\.day)).sorted()
        let indices = Dictionary(uniqueKeysWithValues: days.enumerated().map { ($1, $0) })
        recipe = days.map { _ in 0 }
        climatology = recipe
        for cell in scores.rows where isCounted(cell) {
            guard let day = indices[cell.day] else { continue }
            recipe[day] += cell.loss
            climatology[day] += cell.climatologyLoss
        }
    }

    var daysWithRows: Int { climatology.count { $0 > 0 } }

    /// 1 - loss / climatology's loss on some days; nil without rows on them.
    private func skill(_ days: [Int]) -> Double? {
        let reference = days.reduce(0) { $0 + climatology[$1] }
        return reference > 0 ? 1 - days.reduce(0) { $0 + recipe[$1] } / reference : nil
    }

    /// Mean over origins of the skill on some days of each; 0 without any.
    static func meanSkill(_ origins: [DailyLosses], _ days: [[Int]]) -> Double {
        let skills = zip(origins, days).compactMap { $0.skill($1) }
        return skills.isEmpty ? 0 : skills.reduce(0, +) / Double(skills.count)
    }

    /// Mean skill over origins of the rows of some knowledge; nil where none has them.
    static func meanSkill(
        _ scores: [OriginScores], knowing cells: KeyPath<OriginScores, [OriginScores.Cell]?>
    ) -> OriginEstimate? {
        let losses = scores.compactMap { DailyLosses($0, knowing: cells) }
        return losses.isEmpty ? nil : meanSkill(losses)
    }

    /// Mean skill over origins with its interval.
    static func meanSkill(_ origins: [DailyLosses]) -> OriginEstimate {
        OriginEstimate(origins) { meanSkill(origins, $0) }
    }
}
