// The forecasts that a model has to beat, simple on purpose.
package import BridgecastCore
private import BridgecastEngine
private import Foundation

/// A forecast of "blocked" that is made from records before a period and the state at issue time.
package protocol Baseline: Sendable {
    /// P(blocked) at the arrival, 0 < p < 1.
    func probabilityBlocked(_ query: BaselineQuery) -> Float
}

/// A bridge and an arrival, and what was known at issue time.
package struct BaselineQuery: Sendable {
    let bridge: BridgeIndex
    let leadMinutes: Double
    /// Civil time of the arrival.
    let validCivil: CivilDateTime
    let situation: Situation
}

/// Share of covered minutes in which each bridge was up, whatever the time.
package struct BaseRate: Baseline {
    private let share: [Float]

    /// Counts the records, with 100 minutes added of which half a minute was blocked.
    package init(_ history: OpeningHistory) {
        share = BridgeIndex.all.map { bridge in
            let open = history.openMinutes(of: bridge)
            return Float((open + 0.5) / (history.coverage.minutes(of: bridge) + 100))
        }
    }

    package func probabilityBlocked(_ query: BaselineQuery) -> Float {
        share[query.bridge.rawValue]
    }
}

extension OpeningHistory {
    /// Minutes of a bridge's openings within coverage.
    fileprivate func openMinutes(of bridge: BridgeIndex) -> Double {
        coverage.periods[bridge.rawValue].reduce(0) { sum, period in
            openings(of: bridge, overlapping: period).reduce(sum) { sum, opening in
                guard let end = opening.end else { return sum }
                let part = (opening.start..<end).clamped(to: period)
                return sum + part.upperBound.minutes(since: part.lowerBound)
            }
        }
    }
}

/// The climatology that every skill is measured against; fixed, so that figures compare.
///
/// It knows no seasons. For each bridge and day type it is the share of covered minutes that were blocked at each minute
/// of the day, smoothed circularly by a Gaussian of 15 minutes' standard deviation, but not across the edges of closed
/// windows, with one minute added of which 0.02 was blocked. Minutes covered for less than a day are drawn to the hours'
/// shares of all openings.
package struct ClimatologyBaseline: Baseline {
    let climatology: Climatology

    /// Counts the records, at a resolution of one minute of the day.
    package init(_ history: OpeningHistory) {
        climatology = Climatology(
            ClimatologyCounts(history), slotsPerDay: 1440, isSeasonal: false)
    }

    package func probabilityBlocked(_ query: BaselineQuery) -> Float {
        climatology.openProbability(of: query.bridge, at: query.validCivil)
    }
}

/// How often a bridge that is up, or down, is up a lead time later.
package struct Persistence: Baseline {
    /// By bridge, lead and state: down, up.
    private let frequency: [[[Float]]]
    private let baseRate: BaseRate

    /// Counts pairs of times in the records, every five minutes.
    package init(_ history: OpeningHistory) {
        baseRate = BaseRate(history)
        frequency = BridgeIndex.all.map { bridge in
            EvaluationProtocol.leadsMinutes.map {
                Self.frequencies(history, of: bridge, leadMinutes: $0)
            }
        }
    }

    package func probabilityBlocked(_ query: BaselineQuery) -> Float {
        let lead = EvaluationProtocol.leadsMinutes.lastIndex { $0 <= query.leadMinutes } ?? 0
        switch query.situation[query.bridge].state {
        case .unknown: return baseRate.probabilityBlocked(query)
        case .lowered: return frequency[query.bridge.rawValue][lead][0]
        case .raised: return frequency[query.bridge.rawValue][lead][1]
        }
    }

    /// With one time added of which 2 % was blocked.
    private static func frequencies(
        _ history: OpeningHistory, of bridge: BridgeIndex, leadMinutes: Double
    ) -> [Float] {
        var count = [1.0, 1.0]
        var blocked = [0.02, 0.02]
        for period in history.coverage.periods[bridge.rawValue] {
            for time in ProtocolClock.issueTimes(in: period) {
                let later = time.adding(minutes: leadMinutes)
                guard later < period.upperBound else { break }
                let state = history.isBlocked(at: time, of: bridge) ? 1 : 0
                count[state] += 1
                blocked[state] += history.isBlocked(at: later, of: bridge) ? 1 : 0
            }
        }
        return zip(blocked, count).map { Float($0 / $1) }
    }
}

/// Opening rates by weekday and hour: the forecast that other trackers of these bridges publish.
package struct PoissonRates: Baseline {
    /// How many of the last covered days are counted.
    private static let days = 84.0
    /// Hours of the bridge's mean rate that are added to each hour's records.
    private static let shrinkageHours = 1.0

    private let blockedShare: [Float]

    /// Counts the last 84 covered days of each bridge.
    package init(_ history: OpeningHistory) {
        blockedShare = BridgeIndex.all.flatMap { Self.shares(history, of: $0) }
    }

    /// P(blocked) = 1 - exp(-rate x mean length), as in a queue without end (M/G/infinity).
    package func probabilityBlocked(_ query: BaselineQuery) -> Float {
        blockedShare[query.bridge.rawValue * 168 + Self.cell(query.validCivil)]
    }

    private static func cell(_ civil: CivilDateTime) -> Int {
        civil.date.weekday.rawValue * 24 + civil.hour
    }

    private static func shares(_ history: OpeningHistory, of bridge: BridgeIndex) -> [Float] {
        var hours = [Double](repeating: 0, count: 168)
        var counts = hours
        var minutesOpen = 0.0
        for period in lastDays(history.coverage.periods[bridge.rawValue]) {
            SeattleTime.forEachHour(in: period) { hours[cell($0)] += $1 }
            for opening in history.openings(of: bridge, overlapping: period)
            where period.contains(opening.start) {
                counts[cell(SeattleTime.civil(at: opening.start))] += 1
                minutesOpen += opening.minutes ?? 0
            }
        }
        let total = counts.reduce(0, +)
        let meanRate = (total + 0.5) / (hours.reduce(0, +) + 1)
        let meanHours = total > 0 ? minutesOpen / total / 60 : 0.1
        return zip(counts, hours).map { count, hours in
            let rate = (count + shrinkageHours * meanRate) / (hours + shrinkageHours)
            return Float(1 - exp(-rate * meanHours))
        }
    }

    private static func lastDays(_ periods: [Range<Timestamp>]) -> [Range<Timestamp>] {
        var remaining = days * 1440
        var result: [Range<Timestamp>] = []
        for period in periods.reversed() where remaining > 0 {
            let minutes = min(remaining, period.upperBound.minutes(since: period.lowerBound))
            result.append(period.upperBound.adding(minutes: -minutes)..<period.upperBound)
            remaining -= minutes
        }
        return result
    }
}

/// A prior by quarter of an hour, corrected by the time since the last closing and by the day so far.
///
/// The prior is the share of covered time in which the bridge was up, by day type and 15-minute slot.
/// It is multiplied by 0.1, 0.25, 0.5 or 0.75 where the time since the last closing is below the 10th,
/// 25th, 50th or 75th percentile of the pauses between openings, and by today's openings over those
/// expected by now, bounded to 0.5 ... 2. While the bridge is up, the forecast is the share of openings
/// that last longer than 15 minutes.
package struct BridgelocksRule: Baseline {
    private static let slotMinutes = 15
    private static let percentiles = [0.1, 0.25, 0.5, 0.75]
    private static let factors: [Float] = [0.1, 0.25, 0.5, 0.75]
    private static let bounds: ClosedRange<Float> = 0.5...2

    /// [bridge, day type, slot].
    private let share: BridgeDayTable<Float>
    /// Minutes between a closing and the next opening at the percentiles, by bridge.
    private let pausesMinutes: [[Double]]
    private let shareOfLongOpenings: [Float]
    private let climatology: Climatology
    /// The rule knows no seasons: it uses one of the table's.
    private static let season = Season.winter

    package init(_ history: OpeningHistory) {
        climatology = Climatology(ClimatologyCounts(history), isSeasonal: false)
        share = Self.shares(history)
        pausesMinutes = BridgeIndex.all.map { Self.pauses(history, of: $0) }
        shareOfLongOpenings = BridgeIndex.all.map { bridge in
            let minutes = history.covered(bridge).compactMap(\.minutes)
            return (Float(minutes.count { $0 > 15 }) + 0.02) / (Float(minutes.count) + 1)
        }
    }

    package func probabilityBlocked(_ query: BaselineQuery) -> Float {
        let own = query.situation[query.bridge]
        if own.state.isRaised { return shareOfLongOpenings[query.bridge.rawValue] }
        let civil = query.validCivil
        let slot = civil.secondOfDay / 60 / Self.slotMinutes
        var probability = share[query.bridge, Self.season, DayType(civil.date), slot]
        if let closing = own.recent.lazy.compactMap(\.end).first {
            let pause = query.situation.issueTime.minutes(since: closing)
            let level = pausesMinutes[query.bridge.rawValue].firstIndex { pause < $0 }
            if let level { probability *= Self.factors[level] }
        }
        if own.observedSince != nil { probability *= activity(query, own) }
        return min(max(probability, 1e-4), 0.99)
    }

    /// Today's openings over those expected by now, within ``bounds``.
    private func activity(_ query: BaselineQuery, _ own: BridgeSituation) -> Float {
        let now = SeattleTime.civil(at: query.situation.issueTime)
        let expected = climatology.expectedOpenings(
            query.bridge, on: DayType(now.date),
            from: CivilDateTime(date: now.date, secondOfDay: 0), to: now)
        let ratio = Float(own.openingsToday) / max(expected, 0.01)
        return min(max(ratio, Self.bounds.lowerBound), Self.bounds.upperBound)
    }

    private static func shares(_ history: OpeningHistory) -> BridgeDayTable<Float> {
        let slots = 1440 / slotMinutes
        var minutes = BridgeDayTable<Float>(repeating: 1, columns: slots)
        var shares = BridgeDayTable<Float>(repeating: 0.02, columns: slots)
        for bridge in BridgeIndex.all {
            for time in history.coverage.periods[bridge.rawValue].flatMap(ProtocolClock.minutes) {
                let civil = SeattleTime.civil(at: time)
                let day = DayType(civil.date)
                let slot = civil.secondOfDay / 60 / slotMinutes
                minutes[bridge, season, day, slot] += 1
                shares[bridge, season, day, slot] += history.isBlocked(at: time, of: bridge) ? 1 : 0
            }
            for day in DayType.allCases {
                for slot in 0..<slots {
                    shares[bridge, season, day, slot] /= minutes[bridge, season, day, slot]
                }
            }
        }
        return shares
    }

    private static func pauses(_ history: OpeningHistory, of bridge: BridgeIndex) -> [Double] {
        let pauses = history.coverage.periods[bridge.rawValue].flatMap { period -> [Double] in
            let inside = history.openings(of: bridge, overlapping: period)
            return zip(inside, inside.dropFirst()).compactMap { last, next in
                last.end.map { next.start.minutes(since: $0) }
            }
        }.sorted()
        guard !pauses.isEmpty else { return [] }
        return percentiles.map { pauses[Int($0 * Double(pauses.count - 1))] }
    }
}

/// Logistic regression on the network's inputs.
///
/// For each of four groups of leads, log-odds of "blocked" = bias + weights x normalised inputs.
package struct LogisticRegression: Sendable {
    private static let minutesBetweenIssueTimes = 3.0
    private static let passes = 12
    private static let batchRows = 512
    /// The first lead of each group, minutes.
    private static let groupsFromMinutes = [0.0, 3.5, 12.5, 25]

    /// One layer with outputs "free" and "blocked" for each group of leads.
    private let layers: [DenseLayer]
    private let normalisation: InputNormalisation
    private let builder: FeatureBuilder

    /// Fits the records; inputs are made with their climatology.
    package init(_ history: OpeningHistory, seed: UInt64 = 1) {
        var random = SeededRandom(seed: seed)
        let samples = Sampler(trainingOn: history, liveShare: 0)
            .trainingRows(everyMinutes: Self.minutesBetweenIssueTimes, random: &random)
        let normalisation = InputNormalisation(of: samples)
        let prepared = PreparedSamples(samples, normalisation)
        self.normalisation = normalisation
        builder = FeatureBuilder(
            climatology: Climatology(ClimatologyCounts(history), isSeasonal: false))
        let unqueued = prepared.isUnqueued.indices.filter { prepared.isUnqueued[$0] }
        let byGroup = Dictionary(grouping: unqueued) { Self.group(samples.leadsMinutes[$0]) }
        layers = Self.groupsFromMinutes.indices.map { group in
            Self.fit(byGroup[group] ?? [], of: prepared, random: &random)
        }
    }

    private static func fit(
        _ rows: [Int], of samples: PreparedSamples, random: inout SeededRandom
    ) -> DenseLayer {
        var network = TrainableNetwork(
            sizes: [FeatureSchema.count, 2], dropout: 0, random: &random)
        var optimiser = Adam(weightDecay: 1e-2)
        var order = rows
        let batches = order.count / batchRows
        for pass in 0..<passes {
            order.shuffle(using: &random)
            for batch in 0..<batches {
                let rows = Array(order[batch * batchRows..<(batch + 1) * batchRows])
                let progress = Double(pass * batches + batch) / Double(passes * batches)
                _ = network.lossAndGradients(
                    inputs: samples.inputs, rows: rows,
                    prior: Array(repeating: 0, count: 2 * rows.count),
                    targets: rows.flatMap { row in
                        let free = samples.targets[row * DelayBins.count]
                        return [free, 1 - free]
                    })
                optimiser.update(&network, learningRate: Float(5e-3 * (1 - progress)))
            }
        }
        return network.layers[0]
    }

    private static func group(_ leadMinutes: Double) -> Int {
        groupsFromMinutes.lastIndex { $0 <= leadMinutes } ?? 0
    }

    /// P(blocked) of rows without queueing, [B].
    package func probabilities(_ batch: FeatureBatch, leadsMinutes: [Double]) -> [Float] {
        let width = FeatureSchema.count
        let features = batch.rows.dense()
        return leadsMinutes.enumerated().map { row, minutes in
            let layer = layers[Self.group(minutes)]
            var sum = layer.bias[1] - layer.bias[0]
            for i in 0..<width {
                sum +=
                    (layer.weights[width + i] - layer.weights[i])
                    * normalisation.normalised(features[row * width + i], input: i)
            }
            return 1 / (1 + exp(-sum))
        }
    }

    /// The inputs of a row, on the climatology of the fit.
    package func append(
        _ bridge: BridgeIndex, leadMinutes: Double, in situation: Situation,
        to batch: inout FeatureBatch
    ) {
        builder.append(bridge, leadMinutes: leadMinutes, density: 0, in: situation, to: &batch)
    }
}
