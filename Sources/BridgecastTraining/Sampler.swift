// Which rows are drawn from the records, and the drawn rows: inputs with what happened, for the fits of this module
// and for other programs. What their inputs are is in BridgecastCore/Features.
package import BridgecastCore
private import Foundation

/// Draws labelled rows from covered history.
package struct Sampler: Sendable {
    /// The lead times of the evaluation protocol, minutes.
    package static let protocolLeadsMinutes = [2.0, 5, 10, 15, 20, 30, 45, 60]
    /// Days are left out of the climatology of their own rows in this many folds, by week.
    private static let foldCount = 10
    private static let unqueuedShare = 2.0 / 3
    package static let liveShare = 1.0 / 3
    /// How much sparser rows are drawn from days that are covered in part, where enough others are: at full density the
    /// fit to the others suffers.
    private static let partialDaySparsity = 6.0
    /// How long users have watched the feed, minutes.
    private static let observedMinutes = (shortest: 60.0, longest: 4_320.0)

    private let history: OpeningHistory
    private let reader: SituationReader
    private let live: LiveObservation
    /// Nil where too few days are whole.
    private let wholePeriods: [Range<Timestamp>]?
    /// Share of the rows that are as live, 0...1.
    private let liveShare: Double
    /// By fold.
    private let builders: [FeatureBuilder]

    /// A sampler of training rows: each row's climatology leaves out the weeks of its fold, so that
    /// it has not seen the row's own outcome.
    ///
    /// - Parameters:
    ///   - history: What may be used for the fit, and nothing else.
    ///   - lengthLaw: How long openings last; of too few coefficients to remember the outcome of a row.
    ///   - liveShare: Share of the rows that show what the live feed shows, 0...1.
    package init(
        trainingOn history: OpeningHistory, lengthLaw: LengthLaw? = nil,
        liveShare: Double = Self.liveShare
    ) {
        self.history = history
        self.liveShare = liveShare
        reader = SituationReader(history)
        live = LiveObservation(history)
        wholePeriods = WholeDays.periodsIfEnough(in: history.coverage)
        let folds = ClimatologyCounts.folds(of: history, count: Self.foldCount, fold: Self.fold)
        var total = ClimatologyCounts()
        for fold in folds { total.add(fold) }
        builders = folds.map { fold in
            var others = total
            others.subtract(fold)
            var climatology = Climatology(others)
            climatology.lengthLaw = lengthLaw
            return FeatureBuilder(climatology: climatology)
        }
    }

    /// A sampler of validation rows, on a climatology from before their time.
    package init(validatingOn history: OpeningHistory, climatology: Climatology) {
        self.history = history
        liveShare = Self.liveShare
        reader = SituationReader(history)
        live = LiveObservation(history)
        wholePeriods = WholeDays.periodsIfEnough(in: history.coverage)
        builders = Array(repeating: FeatureBuilder(climatology: climatology), count: Self.foldCount)
    }

    private static func fold(_ date: CivilDate) -> Int { date.dayNumber / 7 % foldCount }

    // MARK: - Rows for the fits of this module

    /// Draws one row per covered bridge for issue times about `everyMinutes` apart, at least 1; six times that on days
    /// that are covered in part, if there are enough others.
    ///
    /// Two rows in three ask for "blocked", the others for the delay at about the profile's density.
    /// One in three has a situation as live, and of the others one in five an incomplete one.
    ///
    /// - Parameters:
    ///   - passes: How often to go through the records, with other rows each time.
    ///   - undelayedShare: Share of the rows without a delay that are kept, above 0 and at most 1.
    package func trainingRows(
        everyMinutes: Double, passes: Int = 1, undelayedShare: Double = 1,
        inputs: SampleSet.Inputs = .network, random: inout SeededRandom
    ) -> SampleSet {
        let rows = history.coverage.minutes * Double(passes) / everyMinutes
        // Room for all delays, about one row in ten.
        var samples = SampleSet(
            capacity: Int(rows * min(1.05, undelayedShare + 0.15)), inputs: inputs)
        for _ in 0..<passes {
            appendTrainingRows(everyMinutes, undelayedShare, to: &samples, random: &random)
        }
        return samples
    }

    private func appendTrainingRows(
        _ everyMinutes: Double, _ undelayedShare: Double, to samples: inout SampleSet,
        random: inout SeededRandom
    ) {
        for period in history.coverage.periodsOfAnyBridge {
            let everyMinutes = everyMinutes * sparsity(of: period)
            var time = period.lowerBound.adding(
                minutes: (random.uniform() * everyMinutes).rounded())
            while time < period.upperBound {
                let situation = situation(at: time, random: &random)
                for bridge in BridgeIndex.all {
                    let lead = Self.lead(&random)
                    let isUnqueued = random.uniform() < Self.unqueuedShare
                    let stretch = Float(0.5 + random.uniform())
                    let isKept = undelayedShare >= 1 || random.uniform() < undelayedShare
                    append(
                        bridge, lead: lead, densityFactor: isUnqueued ? 0 : stretch,
                        in: situation, keepsUndelayed: isKept, to: &samples)
                }
                let pause = everyMinutes * (0.5 + random.uniform())
                time = time.adding(minutes: max(1, pause.rounded()))
            }
        }
    }

    /// How much sparser rows of a covered period are than others, at least 1.
    private func sparsity(of period: Range<Timestamp>) -> Double {
        guard let wholePeriods, !wholePeriods.contains(where: { $0.overlaps(period) }) else {
            return 1
        }
        return Self.partialDaySparsity
    }

    /// What some user would know at a time.
    private func situation(at time: Timestamp, random: inout SeededRandom) -> Situation {
        let complete = reader.situation(at: time)
        guard random.uniform() < liveShare else {
            return incomplete(complete, random: &random)
        }
        let (shortest, longest) = Self.observedMinutes
        var situation = live.situation(
            at: time, observedMinutes: shortest * pow(longest / shortest, random.uniform()))
        // Half of them have records of the last weeks beside the feed.
        if random.uniform() < 0.5 {
            for bridge in BridgeIndex.all {
                situation[bridge].takeFourWeeks(from: complete[bridge])
            }
        }
        return situation
    }

    /// Hides part of what is known, as is the case for users without a live feed or a recent sync.
    private func incomplete(_ situation: Situation, random: inout SeededRandom) -> Situation {
        var situation = situation
        let kind = random.uniform()
        for bridge in BridgeIndex.all {
            switch kind {
            case ..<0.80: break
            case ..<0.87: situation[bridge] = BridgeSituation.unknown
            case ..<0.94: situation[bridge].forgetPast()
            default: if random.uniform() < 0.35 { situation[bridge] = BridgeSituation.unknown }
            }
        }
        return situation
    }

    /// Half the leads are the protocol's, half any minute from 0 to 60.
    private static func lead(_ random: inout SeededRandom) -> Double {
        if random.uniform() < 0.5 { return protocolLeadsMinutes.randomElement(using: &random) ?? 5 }
        return (random.uniform() * 60).rounded()
    }

    /// The rows of the evaluation protocol within an interval, with and without queueing.
    package func protocolRows(
        in interval: Range<Timestamp>, inputs: SampleSet.Inputs = .network
    ) -> SampleSet {
        var samples = SampleSet(capacity: 400_000, inputs: inputs)
        for time in ProtocolClock.issueTimes(in: interval) {
            let situation = reader.situation(at: time)
            for bridge in BridgeIndex.all {
                for lead in Self.protocolLeadsMinutes {
                    append(bridge, lead: lead, densityFactor: 0, in: situation, to: &samples)
                    append(bridge, lead: lead, densityFactor: 1, in: situation, to: &samples)
                }
            }
        }
        return samples
    }

    private func append(
        _ bridge: BridgeIndex, lead: Double, densityFactor: Float, in situation: Situation,
        keepsUndelayed: Bool = true, to samples: inout SampleSet
    ) {
        guard let arrival = arrival(at: bridge, lead: lead, from: situation.issueTime) else {
            return
        }
        let profile = Float(TrafficProfile.density(of: bridge, at: arrival.validTime))
        let density = min(profile * densityFactor, Float(TrafficProfile.maxDensity))
        let delay = history.delaySeconds(
            arrivingAt: arrival.validTime, of: bridge, density: Double(density))
        let bin = DelayBins.bin(ofSeconds: delay)
        guard bin > 0 || keepsUndelayed else { return }
        samples.append(
            bridge, leadMinutes: lead, density: density, in: situation, by: arrival.builder,
            isUnqueued: densityFactor == 0, bin: bin)
    }

    // MARK: - Rows for other programs

    /// Rows for other programs to learn from: without queueing, of the protocol's leads, with all that
    /// was known; the climatology of each leaves out the weeks of its own fold.
    ///
    /// - Parameters:
    ///   - maxRows: About as many rows, drawn from all covered minutes.
    ///   - withTrees: Whether to add the inputs of decision trees.
    package func matrix(maxRows: Int, seed: UInt64, withTrees: Bool = false) -> FeatureMatrix {
        var random = SeededRandom(seed: seed)
        let minutes = history.coverage.minutes
        let share = Double(maxRows) / minutes
        var matrix = FeatureMatrix(withTrees: withTrees)
        for period in history.coverage.periodsOfAnyBridge {
            for time in ProtocolClock.minutes(in: period) {
                let drawn = BridgeIndex.all.filter { _ in random.uniform() < share }
                guard !drawn.isEmpty else { continue }
                let situation = reader.situation(at: time)
                for bridge in drawn {
                    let lead = Self.protocolLeadsMinutes.randomElement(using: &random) ?? 5
                    append(bridge, lead: lead, in: situation, to: &matrix)
                }
            }
        }
        return matrix
    }

    private func append(
        _ bridge: BridgeIndex, lead: Double, in situation: Situation, to matrix: inout FeatureMatrix
    ) {
        let issueTime = situation.issueTime
        guard let arrival = arrival(at: bridge, lead: lead, from: issueTime) else { return }
        matrix.append(
            FeatureMatrix.Row(
                bridge: bridge, issueTime: issueTime, leadMinutes: lead,
                isBlocked: history.isBlocked(at: arrival.validTime, of: bridge),
                climatologicalProbability: arrival.builder.climatology.openProbability(
                    of: bridge, at: SeattleTime.civil(at: arrival.validTime))),
            by: arrival.builder, in: situation)
    }

    /// When a row's arrival is, and what makes its inputs; nil unless the records cover both its times.
    private func arrival(
        at bridge: BridgeIndex, lead: Double, from issueTime: Timestamp
    ) -> (validTime: Timestamp, builder: FeatureBuilder)? {
        let validTime = issueTime.adding(minutes: lead)
        guard history.coverage.contains(issueTime, of: bridge),
            history.coverage.contains(validTime, of: bridge)
        else { return nil }
        return (validTime, builders[Self.fold(SeattleTime.civil(at: issueTime).date)])
    }
}

extension BridgeSituation {
    /// Takes the counts of the last four weeks, and how far the records go, from another situation.
    fileprivate mutating func takeFourWeeks(from other: BridgeSituation) {
        recordedUntil = other.recordedUntil
        openingsInFourWeeks = other.openingsInFourWeeks
        coveredDaysInFourWeeks = other.coveredDaysInFourWeeks
        lengthsInFourWeeks = other.lengthsInFourWeeks
    }

    /// Keeps what a live feed reports, up or down and since when, and forgets everything earlier.
    fileprivate mutating func forgetPast() {
        observedSince = nil
        recent.removeAll { $0.end != nil }
        openingsToday = 0
        openingsInFourWeeks = 0
        coveredDaysInFourWeeks = [0, 0]
        lengthsInFourWeeks = LengthTotals()
    }
}

// MARK: - Times and random numbers

/// The issue times of the evaluation protocol.
package enum ProtocolClock {
    /// Every five minutes of the clock within an interval.
    package static func issueTimes(in interval: Range<Timestamp>) -> [Timestamp] {
        times(in: interval, everySeconds: 300)
    }

    /// Every minute of the clock within an interval.
    package static func minutes(in interval: Range<Timestamp>) -> [Timestamp] {
        times(in: interval, everySeconds: 60)
    }

    private static func times(
        in interval: Range<Timestamp>, everySeconds step: Int64
    ) -> [Timestamp] {
        let first = (interval.lowerBound.secondsSinceEpoch + step - 1) / step * step
        return stride(from: first, to: interval.upperBound.secondsSinceEpoch, by: Int(step)).map {
            Timestamp(secondsSinceEpoch: $0)
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence that belongs to a seed; any seed will do.
    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Standard normal (Box and Muller).
    package mutating func normal() -> Double {
        let radius = (-2 * log(1 - uniform())).squareRoot()
        return radius * cos(2 * Double.pi * uniform())
    }
}

/// Feature rows with the delay that really happened.
package struct SampleSet: Sendable {
    package enum Inputs: Sendable { case network, trees, both }

    private var inputs: InputRows
    /// The network's inputs and prior, B rows, unless the rows are for trees alone.
    package var batch: FeatureBatch { inputs.batch }
    /// The trees' inputs, [B, F of ``TreeInputs``], unless the rows are for the network alone.
    var treeInputs: [Float] { inputs.treeInputs }
    /// Log-odds of a delay by the prior, [B].
    private(set) var priorLogOdds: [Float] = []
    /// Raw value of the bridge, [B].
    private(set) var bridges: [UInt8] = []
    /// The delay bin that happened, [B].
    package private(set) var bins: [UInt8] = []
    /// Whether the row asks for "blocked" (rho = 0), [B].
    package private(set) var isUnqueued: [Bool] = []
    package private(set) var leadsMinutes: [Double] = []

    /// Begins without rows, with room for `capacity` of them.
    package init(capacity: Int, inputs: Inputs = .network) {
        self.inputs = InputRows(inputs, capacity: capacity)
    }

    /// B.
    package var count: Int { bins.count }

    /// Appends a row.
    ///
    /// - Parameter bin: The delay bin that happened.
    mutating func append(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        by builder: FeatureBuilder, isUnqueued: Bool, bin: Int
    ) {
        priorLogOdds.append(
            inputs.append(
                bridge, leadMinutes: leadMinutes, density: density, in: situation, by: builder))
        bridges.append(UInt8(bridge.rawValue))
        bins.append(UInt8(bin))
        self.isUnqueued.append(isUnqueued)
        leadsMinutes.append(leadMinutes)
    }
}

/// Rows of the protocol with the inputs that the network gets, for other programs to learn from.
package struct FeatureMatrix {
    /// What a row is about.
    package struct Row: Sendable {
        package let bridge: BridgeIndex
        /// Issue time: what was known by then is all that the inputs hold.
        package let issueTime: Timestamp
        /// Lead time from issue to arrival, minutes, 0...60.
        package let leadMinutes: Double
        package let isBlocked: Bool
        /// P(blocked) by the climatology that skills are measured against.
        package let climatologicalProbability: Float
    }

    private var inputs: InputRows
    /// Inputs and prior logits.
    package var batch: FeatureBatch { inputs.batch }
    /// The inputs of decision trees, [B, F of ``TreeInputs``], NaN where something is not known; empty without them.
    package var treeInputs: [Float] { inputs.treeInputs }
    /// One entry per row of the batch.
    package private(set) var rows: [Row] = []

    init(withTrees: Bool) { inputs = InputRows(withTrees ? .both : .network) }

    /// Appends a row with its inputs, without queueing.
    mutating func append(_ row: Row, by builder: FeatureBuilder, in situation: Situation) {
        _ = inputs.append(
            row.bridge, leadMinutes: row.leadMinutes, density: 0, in: situation, by: builder)
        rows.append(row)
    }
}

/// The inputs of rows: the network's, the trees' or both.
private struct InputRows: Sendable {
    private let kind: SampleSet.Inputs
    private(set) var batch: FeatureBatch
    private(set) var treeInputs: [Float] = []
    /// What rows of one situation share.
    private var treeRowCache = TreeRowCache()

    init(_ kind: SampleSet.Inputs, capacity: Int = 0) {
        self.kind = kind
        batch = FeatureBatch(capacity: kind == .trees ? 0 : capacity)
        if kind != .network { treeInputs.reserveCapacity(capacity * TreeInputs.count) }
    }

    /// Appends a row, and returns the log-odds of a delay by its prior.
    mutating func append(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        by builder: FeatureBuilder
    ) -> Float {
        if kind != .trees {
            builder.append(
                bridge, leadMinutes: leadMinutes, density: density, in: situation, to: &batch)
        }
        if kind != .network {
            return builder.appendTreeInputs(
                bridge, leadMinutes: leadMinutes, density: density, in: situation,
                to: &treeInputs, cache: &treeRowCache)
        }
        let logNone = batch.priorLogits[(batch.rowCount - 1) * DelayBins.count]
        return FeatureBuilder.delayLogOdds(logNone: logNone)
    }
}
