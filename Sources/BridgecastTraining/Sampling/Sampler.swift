// Draws labelled rows from the records: for training, for validation, and for other programs.
// Belongs here: which rows there are to learn from and to score; not: what their inputs are
// (BridgecastCore/Features).
package import BridgecastCore

/// Draws labelled rows from covered history.
package struct Sampler: Sendable {
    /// The lead times of the evaluation protocol, minutes.
    package static let protocolLeadsMinutes = [2.0, 5, 10, 15, 20, 30, 45, 60]
    /// Days are left out of the climatology of their own rows in this many folds, by week.
    private static let foldCount = 10
    private static let unqueuedShare = 2.0 / 3

    let history: OpeningHistory
    let reader: SituationReader
    let builders: [FeatureBuilder]

    /// A sampler of training rows: each row's climatology leaves out the weeks of its fold, so that
    /// it has not seen the row's own outcome.
    ///
    /// - Parameters:
    ///   - history: What may be used for the fit, and nothing else.
    ///   - lengthLaw: How long openings last; of too few coefficients to remember the outcome of a row.
    package init(trainingOn history: OpeningHistory, lengthLaw: LengthLaw? = nil) {
        self.history = history
        reader = SituationReader(history)
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
        reader = SituationReader(history)
        builders = Array(
            repeating: FeatureBuilder(climatology: climatology), count: Self.foldCount)
    }

    /// Draws one row per covered bridge for issue times about so many minutes apart, at least one.
    ///
    /// Two rows in three ask for "blocked", the others for the delay at about the profile's density.
    /// One in five is shown an incomplete situation, as users have them.
    ///
    /// - Parameter passes: How often to go through the records, with other rows each time.
    package func trainingRows(
        everyMinutes: Double, passes: Int = 1, inputs: SampleSet.Inputs = .network,
        random: inout SeededRandom
    ) -> SampleSet {
        let minutes = history.coverage.minutes
        var samples = SampleSet(
            capacity: Int(minutes * Double(passes) / everyMinutes * 1.05), inputs: inputs)
        for _ in 0..<passes { appendTrainingRows(everyMinutes, to: &samples, &random) }
        return samples
    }

    private func appendTrainingRows(
        _ everyMinutes: Double, to samples: inout SampleSet, _ random: inout SeededRandom
    ) {
        for period in history.coverage.periodsOfAnyBridge {
            var moment = period.lowerBound.adding(
                minutes: (random.uniform() * everyMinutes).rounded())
            while moment < period.upperBound {
                let situation = incomplete(reader.situation(at: moment), &random)
                for bridge in BridgeIndex.all {
                    let lead = Self.lead(&random)
                    let isUnqueued = random.uniform() < Self.unqueuedShare
                    let stretch = Float(0.5 + random.uniform())
                    append(
                        bridge, lead: lead, densityFactor: isUnqueued ? 0 : stretch,
                        in: situation, to: &samples)
                }
                let pause = everyMinutes * (0.5 + random.uniform())
                moment = moment.adding(minutes: max(1, pause.rounded()))
            }
        }
    }

    /// The rows of the evaluation protocol within an interval, with and without queueing.
    package func protocolRows(
        in interval: Range<Timestamp>, inputs: SampleSet.Inputs = .network
    ) -> SampleSet {
        var samples = SampleSet(capacity: 400_000, inputs: inputs)
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
        let builder = builders[fold]
        if samples.inputs != .trees {
            builder.append(
                bridge, leadMinutes: lead, density: density, in: situation, to: &samples.batch)
        }
        if samples.inputs != .network {
            let logOdds = builder.appendTreeInputs(
                bridge, leadMinutes: lead, density: density, in: situation,
                to: &samples.treeInputs, &samples.earlierTreeRows)
            samples.priorLogOdds.append(logOdds)
        } else {
            let logNone = samples.batch.priorLogits[(samples.batch.rowCount - 1) * DelayBins.count]
            samples.priorLogOdds.append(FeatureBuilder.delayLogOdds(logNone: logNone))
        }
        let delay = history.delaySeconds(
            arrivingAt: validTime, of: bridge, density: Double(density))
        samples.bridges.append(UInt8(bridge.rawValue))
        samples.bins.append(UInt8(DelayBins.bin(ofSeconds: delay)))
        samples.isUnqueued.append(densityFactor == 0)
        samples.leadsMinutes.append(lead)
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

    static func fold(_ date: CivilDate) -> Int { date.dayNumber / 7 % foldCount }
}

extension BridgeSituation {
    /// Keeps what a live feed tells, up or down and since when, and forgets everything earlier.
    fileprivate mutating func forgetPast() {
        observedSince = nil
        recent.removeAll { $0.end != nil }
        openingsToday = 0
        openingsInFourWeeks = 0
        coveredDaysInFourWeeks = [0, 0]
        lengthsInFourWeeks = LengthTotals()
    }
}
