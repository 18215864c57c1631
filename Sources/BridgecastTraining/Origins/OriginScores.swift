// What a recipe scored at one origin, as it lies in NAME/ORIGIN.json; OriginScorer makes it, OriginTable reads it.

/// The sums from which everything about a recipe at one origin follows.
///
/// As JSON the names are in snake_case. Rows are those of the evaluation protocol with leads of 2 to 60 minutes:
/// `rows`, and `days` and `calibration_error` for the whole, must be there. What another program writes, such as a fit
/// of LightGBM, may lack `making`, `fp32_log_loss`, `confidence`, `delays` and `raised`. Loss is
/// -log of the probability of what happened, with probabilities kept 1e-7 from 0 and 1; climatology is that of the
/// records before the origin, which `features export --origin` writes as `climatology.npy`.
///
///     {"recipe": "lightgbm", "origin": "2026-02-15", "days": 14, "calibration_error": 0.0021,
///      "rows": [{"day": "2026-02-15", "bridge": "Fremont", "lead_minutes": 2, "rows": 288, "blocked": 12,
///                "loss": 21.5, "climatology_loss": 47.9, "brier": 5.6, "climatology_brier": 11.4}, ...]}
package struct OriginScores: Codable, Sendable, Equatable {
    /// What was fitted, how and to what: two files with the same are of the same fit.
    package struct Making: Codable, Sendable, Equatable {
        /// Settings of the recipe, name and value.
        package var settings: [String: String]
        /// Seed of the random numbers.
        package var seed: UInt64
        /// The fit used records before this moment, RFC 3339.
        package var fittedBefore: String
        /// SHA-256 of each file of records, then of the openings and coverage as they were used, hexadecimal.
        package var records: [String]
        /// Hash of the network's inputs.
        package var schemaHash: String

        /// Takes the facts as they are.
        package init(
            settings: [String: String], seed: UInt64, fittedBefore: String, records: [String],
            schemaHash: String
        ) {
            (self.settings, self.seed, self.fittedBefore) = (settings, seed, fittedBefore)
            (self.records, self.schemaHash) = (records, schemaHash)
        }
    }

    /// Sums over the rows of one day, bridge and lead.
    package struct Cell: Codable, Sendable, Equatable {
        /// Civil day of the issue times, `2018-02-12`.
        package var day: String
        /// Name of the bridge in the catalogue.
        package var bridge: String
        /// Lead time, minutes.
        package var leadMinutes: Int
        /// Rows.
        package var rows = 0
        /// Rows whose arrival met a raised span.
        package var blocked = 0
        /// Sum of log losses.
        package var loss = 0.0
        /// Sum of log losses of climatology.
        package var climatologyLoss = 0.0
        /// Sum of squared errors of the probability.
        package var brier = 0.0
        /// Sum of squared errors of climatology's probability.
        package var climatologyBrier = 0.0
    }

    /// Sums over the rows of one confidence.
    package struct ConfidenceCell: Codable, Sendable, Equatable {
        /// LOW, MEDIUM or HIGH.
        package var confidence: String
        /// Rows.
        package var rows: Int
        /// Sum of forecasts.
        package var forecast: Double
        /// Rows whose arrival met a raised span.
        package var blocked: Int
        /// Sum of log losses.
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
        /// Rows.
        package var rows = 0
        /// Sum of ranked probability scores over the delay bins.
        package var rankedProbability = 0.0
        /// The same of climatology.
        package var climatologyRankedProbability = 0.0
        /// Rows with a delay.
        package var delayed = 0
        /// Of these, with a delay below the told 0.5, 0.8 and 0.95 quantile of the delay given one.
        package var below50 = 0
        /// Below the 0.8 quantile.
        package var below80 = 0
        /// Below the 0.95 quantile.
        package var below95 = 0
    }

    /// Sums over openings that are still up some minutes after they began, for how long the span stays up.
    package struct RaisedCell: Codable, Sendable, Equatable {
        /// Issue time after the opening's start, minutes: 0, 5, 10, 15 or 20.
        package var elapsedMinutes: Int
        /// Openings.
        package var openings = 0
        /// Whose remaining length is below the told 0.8 quantile of the delay given one.
        package var below80 = 0
        /// Below the 0.95 quantile.
        package var below95 = 0
        /// Sum of -log of the probability of the bin that the remaining length fell in, given a delay.
        package var loss = 0.0
    }

    /// Name of the recipe.
    package var recipe: String
    /// First day that is scored, `2018-02-12`.
    package var origin: String
    /// Days from it that are scored.
    package var days: Int
    /// What was fitted; nil if another program did.
    package var making: Making?
    /// One for each day, bridge and lead that has rows.
    package var rows: [Cell]
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
