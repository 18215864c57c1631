// History and live state to tensor: the only code that computes features, for training and use.
import Foundation

/// Rows for the network: its inputs, and the logits of the climatological prior it corrects.
public struct FeatureBatch: Sendable {
    /// Rows, B.
    public private(set) var rowCount = 0
    /// Inputs, [B, F] with F = ``FeatureSchema/count``.
    public private(set) var features: [Float] = []
    /// Prior log probabilities of the delay bins, [B, 12].
    public private(set) var priorLogits: [Float] = []

    private var earlier = EarlierRows()

    /// Creates an empty batch with room for some rows.
    public init(capacity: Int = 0) {
        features.reserveCapacity(capacity * FeatureSchema.count)
        priorLogits.reserveCapacity(capacity * DelayBins.count)
    }

    /// Forgets all rows but keeps the memory.
    public mutating func removeAll() {
        rowCount = 0
        earlier = EarlierRows()
        features.removeAll(keepingCapacity: true)
        priorLogits.removeAll(keepingCapacity: true)
    }

    /// The inputs, [B, F], which the batch no longer has afterwards: no copy of gigabytes.
    package mutating func takeFeatures() -> [Float] {
        defer {
            features = []
            earlier = EarlierRows()
        }
        return features
    }

    /// Appends the rows of another batch.
    public mutating func append(contentsOf other: FeatureBatch) {
        earlier = EarlierRows()
        features += other.features
        priorLogits += other.priorLogits
        rowCount += other.rowCount
    }

    /// Some rows of the batch, evenly spread; all of them if there are fewer.
    public func spread(rows: Int) -> FeatureBatch {
        guard rows < rowCount else { return self }
        var result = FeatureBatch(capacity: rows)
        for index in 0..<rows {
            let row = index * rowCount / rows
            let width = FeatureSchema.count
            let bins = DelayBins.count
            result.features += features[row * width..<(row + 1) * width]
            result.priorLogits += priorLogits[row * bins..<(row + 1) * bins]
            result.rowCount += 1
        }
        return result
    }

    fileprivate mutating func append(_ row: RowContext) {
        let width = FeatureSchema.count
        let start = features.count
        features.append(contentsOf: repeatElement(0, count: width))
        let sources = earlier.sources(for: row)
        unsafe features.withUnsafeMutableBufferPointer { values in
            var writer = unsafe RowWriter(
                UnsafeMutableBufferPointer(rebasing: values[start..<start + width]))
            for group in FeatureSchema.groups {
                guard let source = sources[group.dependsOn] else {
                    group.append(row, to: &writer)
                    continue
                }
                for index in writer.position..<writer.position + group.specCount {
                    writer.append(unsafe values[source * width + index])
                }
            }
            precondition(writer.position == width, "a group has fewer values than specs")
        }
        earlier.add(row, at: rowCount)
        DelayPrior.appendLogits(row, to: &priorLogits)
        rowCount += 1
    }
}

/// Rows of a batch from which values can be copied instead of being computed again.
private struct EarlierRows {
    private var validTime: (moment: Timestamp, row: Int)?
    private var situation: Situation?
    private var rowsByBridge: [Int?] = Array(repeating: nil, count: BridgeCatalogue.count)

    struct Sources {
        let validTime: Int?
        let bridgeAndSituation: Int?

        subscript(dependence: FeatureDependence) -> Int? {
            switch dependence {
            case .row: nil
            case .validTime: validTime
            case .bridgeAndSituation: bridgeAndSituation
            }
        }
    }

    func sources(for row: RowContext) -> Sources {
        let isKnown = situation?.isIdentical(to: row.situation) ?? false
        return Sources(
            validTime: validTime.flatMap { $0.moment == row.validTime ? $0.row : nil },
            bridgeAndSituation: isKnown ? rowsByBridge[row.bridge.rawValue] : nil)
    }

    mutating func add(_ row: RowContext, at number: Int) {
        if validTime?.moment != row.validTime { validTime = (row.validTime, number) }
        if situation?.isIdentical(to: row.situation) != true {
            situation = row.situation
            for bridge in rowsByBridge.indices { rowsByBridge[bridge] = nil }
        }
        rowsByBridge[row.bridge.rawValue] = number
    }
}

extension Situation {
    /// Whether it is the very same situation: the same memory, which nobody can have changed while both
    /// hold it.
    fileprivate func isIdentical(to other: Situation) -> Bool {
        guard issueTime == other.issueTime, bridges.count == other.bridges.count else {
            return false
        }
        return unsafe bridges.withUnsafeBufferPointer { own in
            unsafe other.bridges.withUnsafeBufferPointer { its in
                unsafe own.baseAddress == its.baseAddress
            }
        }
    }
}

/// Computes feature rows from a situation and a climatology.
public struct FeatureBuilder: Sendable {
    /// Beyond this lead time, in minutes, the live state says nothing more and is left out.
    public static let longestLeadMinutes = 60.0

    /// The climatology behind the prior and the features that compare with it.
    public let climatology: Climatology

    /// Creates a builder on a climatology.
    public init(climatology: Climatology) { self.climatology = climatology }

    /// Appends the row for one bridge and arrival time.
    ///
    /// - Parameters:
    ///   - leadMinutes: From the situation's issue time to the arrival, not negative. Beyond
    ///     ``longestLeadMinutes`` the row is one without live state, and such a row is the same for
    ///     every lead.
    ///   - density: Degree of saturation of the approach at the arrival, 0 ..< 1.
    ///   - batch: Receives one row of F inputs and 12 prior logits; O(F).
    public func append(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        to batch: inout FeatureBatch
    ) {
        batch.append(row(bridge, leadMinutes: leadMinutes, density: density, in: situation))
    }

    /// Log probability of no delay by the prior alone: what ``append(_:leadMinutes:density:in:to:)``
    /// gives for bin 0.
    package func priorLogit(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation
    ) -> Float {
        var logits: [Float] = []
        DelayPrior.appendLogits(
            row(bridge, leadMinutes: leadMinutes, density: density, in: situation), to: &logits)
        return logits[0]
    }

    private func row(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation
    ) -> RowContext {
        precondition(leadMinutes >= 0, "an arrival cannot lie before the issue time")
        precondition(density >= 0 && density < 1, "a degree of saturation lies in 0 ..< 1")
        let isFar = leadMinutes > Self.longestLeadMinutes
        guard isFar || situation.isBlank(along: BridgeCatalogue[bridge].waterway) else {
            return RowContext(
                bridge: bridge, leadMinutes: leadMinutes, density: density, situation: situation,
                climatology: climatology)
        }
        // Without live state the lead means nothing: every such row is one issued an hour before.
        let validTime = situation.issueTime.adding(minutes: leadMinutes)
        return RowContext(
            bridge: bridge, leadMinutes: Self.longestLeadMinutes, density: density,
            situation: .unknown(at: validTime.adding(minutes: -Self.longestLeadMinutes)),
            climatology: climatology)
    }
}

extension Situation {
    /// What is to be forecast from for a departure: this, or nothing at all if the departure lies beyond
    /// ``FeatureBuilder/longestLeadMinutes``.
    ///
    /// A row that far ahead is one without live state, the same as one that is issued at the departure by
    /// who knows nothing; and tables then need not reach over the time between.
    public func speaking(for departure: Timestamp) -> Situation {
        departure.minutes(since: issueTime) > FeatureBuilder.longestLeadMinutes
            ? .unknown(at: departure) : self
    }

    /// Whether neither state nor recent openings of any bridge of a waterway are known.
    fileprivate func isBlank(along waterway: Waterway) -> Bool {
        BridgeCatalogue.along(waterway).allSatisfy { bridge in
            let known = self[bridge]
            return known.state == .unknown && known.observedSince == nil && known.recent.isEmpty
        }
    }
}

/// What every feature group may look at: nothing here comes from after the issue time.
struct RowContext {
    let bridge: BridgeIndex
    let leadMinutes: Double
    let density: Float
    let situation: Situation
    let climatology: Climatology
    let validTime: Timestamp
    let validCivil: CivilDateTime
    let issueCivil: CivilDateTime
    let validDayType: DayType
    let openProbability: Float

    init(
        bridge: BridgeIndex, leadMinutes: Double, density: Float, situation: Situation,
        climatology: Climatology
    ) {
        self.bridge = bridge
        self.leadMinutes = leadMinutes
        self.density = density
        self.situation = situation
        self.climatology = climatology
        validTime = situation.issueTime.adding(minutes: leadMinutes)
        validCivil = SeattleTime.civil(at: validTime)
        issueCivil = SeattleTime.civil(at: situation.issueTime)
        validDayType = DayType(validCivil.date)
        openProbability = climatology.openProbability(of: bridge, at: validCivil)
    }

    var own: BridgeSituation { situation[bridge] }
    var issueTime: Timestamp { situation.issueTime }

    /// How long the span has been up, minutes; nil if it is not known to be up.
    ///
    /// Where the start is not known, the age that openings have on average stands in.
    var raisedMinutes: Double? {
        guard case .raised(let since) = own.state else { return nil }
        return since.map { issueTime.minutes(since: $0) } ?? 3
    }
}

func logit(_ probability: Float) -> Float { logOdds(Double(probability)) }

func logOdds(_ probability: Double) -> Float {
    let bounded = min(max(probability, 1e-5), 1 - 1e-5)
    return Float(log(bounded / (1 - bounded)))
}
