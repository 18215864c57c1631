// Labelled rows: what the network is trained on, and what it is validated on while it trains.
package import BridgecastCore

/// Feature rows with the delay that really happened.
package struct SampleSet: Sendable {
    /// Inputs and prior, B rows.
    package internal(set) var batch: FeatureBatch
    /// The delay bin that happened, [B].
    package internal(set) var bins: [UInt8] = []
    /// Whether the row asks for "blocked" (rho = 0), [B].
    package internal(set) var isUnqueued: [Bool] = []

    package init(capacity: Int) { batch = FeatureBatch(capacity: capacity) }

    /// B.
    package var count: Int { bins.count }
}

/// Draws labelled rows from covered history.
package struct Sampler: Sendable {
    /// The lead times of the evaluation protocol, minutes (DESIGN.md section 4).
    package static let protocolLeadsMinutes = [2.0, 5, 10, 15, 20, 30, 45, 60]
    /// Days are left out of the climatology of their own rows in this many folds, by week.
    private static let foldCount = 10

    private let history: OpeningHistory
    private let reader: SituationReader
    private let builders: [FeatureBuilder]

    /// A sampler of training rows: each row's climatology leaves out the weeks of its fold, so that
    /// it has not seen the row's own outcome.
    ///
    /// - Parameter history: What may be used for the fit, and nothing else.
    package init(trainingOn history: OpeningHistory) {
        self.history = history
        reader = SituationReader(history)
        let folds = ClimatologyCounts.folds(of: history, count: Self.foldCount, fold: Self.fold)
        var total = ClimatologyCounts()
        for fold in folds { total.add(fold) }
        builders = folds.map { fold in
            var others = total
            others.subtract(fold)
            return FeatureBuilder(climatology: Climatology(others))
        }
    }

    /// A sampler of validation rows, on a climatology from before their time.
    package init(validatingOn history: OpeningHistory, climatology: Climatology) {
        self.history = history
        reader = SituationReader(history)
        builders = Array(
            repeating: FeatureBuilder(climatology: climatology), count: Self.foldCount)
    }

    /// Draws one row per covered bridge for issue times about so many minutes apart.
    ///
    /// Half the rows ask for "blocked", half for the delay at about the profile's density. One in
    /// five is shown an incomplete situation, as users have them.
    package func trainingRows(everyMinutes: Double, random: inout SeededRandom) -> SampleSet {
        var samples = SampleSet(capacity: 1_200_000)
        for period in timeline() {
            var moment = period.lowerBound.adding(
                minutes: (random.uniform() * everyMinutes).rounded())
            while moment < period.upperBound {
                let situation = incomplete(reader.situation(at: moment), &random)
                for bridge in BridgeIndex.all {
                    let lead = Self.lead(&random)
                    let isUnqueued = random.uniform() < 0.5
                    let stretch = Float(0.5 + random.uniform())
                    append(
                        bridge, lead: lead, densityFactor: isUnqueued ? 0 : stretch,
                        in: situation, to: &samples)
                }
                let pause = everyMinutes * (0.5 + random.uniform())
                moment = moment.adding(minutes: max(1, pause.rounded()))
            }
        }
        return samples
    }

    /// The rows of the evaluation protocol within an interval, with and without queueing.
    package func protocolRows(in interval: Range<Timestamp>) -> SampleSet {
        var samples = SampleSet(capacity: 400_000)
        for moment in ProtocolClock.issueTimes(in: interval) {
            let situation = reader.situation(at: moment)
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
        to samples: inout SampleSet
    ) {
        let issueTime = situation.issueTime
        let validTime = issueTime.adding(minutes: lead)
        guard history.coverage.contains(issueTime, of: bridge),
            history.coverage.contains(validTime, of: bridge)
        else { return }
        let profile = Float(TrafficProfile.density(of: bridge, at: validTime))
        let density = min(profile * densityFactor, Float(TrafficProfile.maximumDensity))
        let fold = Self.fold(SeattleTime.civil(at: issueTime).date)
        builders[fold].append(
            bridge, leadMinutes: lead, density: density, in: situation, to: &samples.batch)
        let delay = history.delaySeconds(
            arrivingAt: validTime, of: bridge, density: Double(density))
        samples.bins.append(UInt8(DelayBins.bin(ofSeconds: delay)))
        samples.isUnqueued.append(densityFactor == 0)
    }

    /// Covered time of any bridge, as disjoint periods in order.
    private func timeline() -> [Range<Timestamp>] {
        var periods = BridgeIndex.all.map { _ in [Range<Timestamp>]() }
        periods[0] = history.coverage.periods.flatMap(\.self)
        return Coverage(periods: periods).periods[0]
    }

    /// Hides part of what is known, as it is hidden from users without a live feed or a recent sync.
    private func incomplete(_ situation: Situation, _ random: inout SeededRandom) -> Situation {
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

    /// Half the leads are the protocol's, half anything from 0 to 60 minutes.
    private static func lead(_ random: inout SeededRandom) -> Double {
        if random.uniform() < 0.5 {
            return protocolLeadsMinutes.randomElement(using: &random) ?? 5
        }
        return (random.uniform() * 60).rounded()
    }

    private static func fold(_ date: CivilDate) -> Int { date.dayNumber / 7 % foldCount }
}

extension BridgeSituation {
    /// Keeps what a live feed tells, up or down and since when, and forgets everything earlier.
    fileprivate mutating func forgetPast() {
        observedSince = nil
        recent.removeAll { $0.end != nil }
        openingsToday = 0
        openingsInFourWeeks = 0
        coveredDaysInFourWeeks = [0, 0]
    }
}

/// The issue times of the evaluation protocol.
package enum ProtocolClock {
    /// Every five minutes of the clock within an interval.
    package static func issueTimes(in interval: Range<Timestamp>) -> [Timestamp] {
        let step: Int64 = 300
        let first = (interval.lowerBound.secondsSinceEpoch + step - 1) / step * step
        return stride(from: first, to: interval.upperBound.secondsSinceEpoch, by: Int(step)).map {
            Timestamp(secondsSinceEpoch: $0)
        }
    }
}
