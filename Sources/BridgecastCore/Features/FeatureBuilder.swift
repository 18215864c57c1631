// From history and live state to rows of inputs: the only code that computes them, for the network and for the
// trees that teach it. Not here: which rows are drawn to learn from (BridgecastTraining).
import Foundation

/// Computes feature rows from a situation and a climatology.
public struct FeatureBuilder: Sendable {
    /// Beyond this lead time, in minutes, the live state has no value and is left out.
    public static let longestLeadMinutes = 60.0

    /// The climatology of the prior and of the features that compare with it.
    public let climatology: Climatology

    /// Creates a builder on a climatology.
    public init(climatology: Climatology) { self.climatology = climatology }

    /// Appends the row for one bridge and arrival time.
    ///
    /// - Precondition: The lead is not negative, the density a degree of saturation; ``ForecastRequest``
    ///   validates input from outside.
    /// - Parameters:
    ///   - leadMinutes: From the situation's issue time to the arrival, not negative. Beyond
    ///     ``longestLeadMinutes`` the row is one without live state, and such a row is the same for
    ///     every lead.
    ///   - density: Degree of saturation of the approach at the arrival, 0 ..< 1.
    ///   - batch: Receives one row of F inputs and 12 prior logits. What it has in common with earlier rows of
    ///     the batch, because the time is the same or the bridge and the situation, is not computed again.
    public func append(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        to batch: inout FeatureBatch
    ) {
        precondition(leadMinutes >= 0, "an arrival cannot be before the issue time")
        precondition(density >= 0 && density < 1, "a degree of saturation is in 0 ..< 1")
        batch.append(bridge, leadMinutes: leadMinutes, density: density, in: situation, climatology)
    }

    /// Appends the inputs of decision trees for the same row, F of ``TreeInputs``.
    ///
    /// - Parameter cache: What earlier rows have found out about the situation.
    /// - Returns: Log-odds of a delay by the prior alone, from which the trees begin.
    package func appendTreeInputs(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        to values: inout [Float], cache: inout TreeRowCache
    ) -> Float {
        // The trees see the live state at any lead: they only get rows of the records.
        let known = cache.context(of: bridge, in: situation, climatology)
        let issue = known.issue
        let seen = RowContext(
            known, at: ValidTimeContext(leadMinutes: leadMinutes, after: issue.issueTime),
            density: DensityContext(density))
        TreeInputs.append(seen, to: &values)
        var logits: [Float] = []
        if leadMinutes > Self.longestLeadMinutes || issue.isBlank(around: bridge) {
            let issueTime = Self.blankIssueTime(situation, leadMinutes: leadMinutes)
            let blank = IssueContext(
                .unknown(at: issueTime), climatology, rateRatios: issue.rateRatios)
            let row = RowContext(
                BridgeContext(bridge, in: blank),
                at: ValidTimeContext(leadMinutes: Self.longestLeadMinutes, after: issueTime),
                density: DensityContext(density))
            DelayPrior.appendLogits(row, to: &logits)
        } else {
            DelayPrior.appendLogits(seen, to: &logits)
        }
        return Self.delayLogOdds(logNone: logits[0])
    }

    /// Log-odds of a delay by the logarithm of the probability of none, as a prior has it.
    package static func delayLogOdds(logNone: Float) -> Float {
        log(max(-expm1(logNone), 1e-6)) - logNone
    }

    /// When a row without live state counts as issued: an hour before the arrival.
    static func blankIssueTime(_ situation: Situation, leadMinutes: Double) -> Timestamp {
        situation.issueTime.adding(minutes: leadMinutes).adding(minutes: -longestLeadMinutes)
    }
}

extension Situation {
    /// The situation as if nothing were known of what the bridges do now, for explanations of forecasts beyond
    /// ``FeatureBuilder/longestLeadMinutes``, which leave it out.
    ///
    /// Counts of the last weeks stay. Today's go: on its first days a new bridge has the other bridges' rate here.
    package var withoutLiveState: Situation {
        var none = Situation.unknown(at: issueTime)
        for bridge in BridgeIndex.all {
            none[bridge].recordedUntil = self[bridge].recordedUntil
            none[bridge].openingsInFourWeeks = self[bridge].openingsInFourWeeks
            none[bridge].coveredDaysInFourWeeks = self[bridge].coveredDaysInFourWeeks
        }
        return none
    }
}

// MARK: - Batches

/// Rows for the network: its inputs, and the logits of the climatological prior it corrects.
public struct FeatureBatch: Sendable {
    /// Inputs, [B, F] with F = ``FeatureSchema/count``, as lists of those that are not zero.
    public private(set) var rows = SparseRows(width: FeatureSchema.count)
    /// Prior log probabilities of the delay bins, [B, 12].
    public private(set) var priorLogits: [Float] = []

    private var cache = RowCache()

    /// Entries of a row, roughly, without those of lists that it shares.
    private static let typicalEntries = 8
    /// With more lists than these, none are kept for later rows.
    private static let maxListsKept = 4_096

    /// Rows, B.
    public var rowCount: Int { rows.count }

    /// Creates an empty batch with room for some rows.
    public init(capacity: Int = 0) {
        let capacity = min(max(0, capacity), 1 << 20)
        rows.reserve(rows: capacity, entries: Self.typicalEntries)
        priorLogits.reserveCapacity(capacity * DelayBins.count)
    }

    /// Forgets all rows but keeps the memory.
    public mutating func removeAll() {
        cache.removeAll()
        rows.removeAll()
        priorLogits.removeAll(keepingCapacity: true)
    }

    /// Forgets all rows but keeps what the next ones may have in common with them, unless that has grown large.
    package mutating func removeRows() {
        guard rows.listCount < Self.maxListsKept else { return removeAll() }
        rows.removeRows()
        priorLogits.removeAll(keepingCapacity: true)
    }

    /// Appends the rows of another batch.
    public mutating func append(contentsOf other: FeatureBatch) {
        rows.append(contentsOf: other.rows)
        priorLogits += other.priorLogits
    }

    /// Some rows of the batch, evenly spread; all of them if there are fewer.
    public func spread(rows count: Int) -> FeatureBatch {
        guard count < rowCount else { return self }
        var result = FeatureBatch(capacity: count)
        for index in 0..<max(0, count) {
            let row = index * rowCount / count
            result.rows.append(row: row, of: rows)
            result.priorLogits += priorLogits[row * DelayBins.count..<(row + 1) * DelayBins.count]
        }
        return result
    }

    /// Appends a row; what it shares with earlier ones is not computed again.
    mutating func append(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        _ climatology: Climatology
    ) {
        let row = cache.appendRow(
            bridge, leadMinutes: leadMinutes, density: density, in: situation, climatology,
            to: &rows)
        DelayPrior.appendLogits(row, to: &priorLogits)
    }
}

// MARK: - What rows have in common

/// Lists of a batch that its next row may share: by valid time and by bridge of the newest situation.
private struct RowCache {
    private struct ValidTime {
        let context: ValidTimeContext
        let list: UInt32
    }

    private struct BridgeLists {
        /// The inputs that depend on it alone.
        var shared = SparseRows.noList
        /// The valid time's list of its newest row, and that row's own list.
        var newestValidTime = SparseRows.noList
        var newestOwn = SparseRows.noList
    }

    private struct Issue {
        let context: IssueContext
        let identity: SituationIdentity
        /// By ``BridgeIndex``; nil until the first row about it.
        private var bridges: [BridgeContext?]
        private var lists: [BridgeLists]

        init(
            _ situation: Situation, _ climatology: Climatology, identity: SituationIdentity,
            rateRatios: [RateRatio]? = nil
        ) {
            context = IssueContext(situation, climatology, rateRatios: rateRatios)
            self.identity = identity
            bridges = Array(repeating: nil, count: BridgeCatalogue.count)
            lists = Array(repeating: BridgeLists(), count: BridgeCatalogue.count)
        }

        /// Appends a row and those of its lists that do not exist yet.
        mutating func appendRow(
            _ bridge: BridgeIndex, at valid: ValidTime, density: DensityContext,
            to rows: inout SparseRows
        ) -> RowContext {
            let index = bridge.rawValue
            let known: BridgeContext
            if let earlier = bridges[index] {
                known = earlier
            } else {
                known = BridgeContext(bridge, in: context)
                bridges[index] = known
                lists[index].shared = rows.appendList {
                    FeatureSchema.writeGroups(of: known, to: &$0)
                }
            }
            let row = RowContext(known, at: valid.context, density: density)
            let own: UInt32
            if lists[index].newestValidTime == valid.list {
                // Only the density differs.
                own = rows.appendList(
                    like: lists[index].newestOwn, below: FeatureSchema.firstTrafficInput
                ) {
                    FeatureSchema.writeGroups(of: density, to: &$0)
                }
            } else {
                own = rows.appendList {
                    FeatureSchema.writeGroups(of: row, to: &$0)
                    FeatureSchema.writeGroups(of: density, to: &$0)
                }
                lists[index].newestValidTime = valid.list
                lists[index].newestOwn = own
            }
            rows.appendRow(valid.list, lists[index].shared, own)
            return row
        }
    }

    /// By minute of the valid time, modulo their number.
    private var validTimes: [ValidTime?] = []
    private static let validTimeCount = 32
    private var issue: Issue?
    /// The newest one in which nothing is known.
    private var blank: Issue?
    private var density = DensityContext(0)

    /// Forgets all lists but keeps some memory.
    mutating func removeAll() {
        for slot in validTimes.indices { validTimes[slot] = nil }
        issue = nil
        blank = nil
    }

    /// Appends a row and those of its lists that do not exist yet.
    mutating func appendRow(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        _ climatology: Climatology, to rows: inout SparseRows
    ) -> RowContext {
        if self.density.saturation != density { self.density = DensityContext(density) }
        let identity = SituationIdentity(situation, climatology)
        if issue?.identity != identity { issue = Issue(situation, climatology, identity: identity) }
        let isFar = leadMinutes > FeatureBuilder.longestLeadMinutes
        if !isFar, issue?.context.isBlank(around: bridge) == false {
            let valid = validTime(leadMinutes, after: situation.issueTime, to: &rows)
            if let row = issue?.appendRow(bridge, at: valid, density: self.density, to: &rows) {
                return row
            }
        }
        // Without live state the lead means nothing: every such row is one issued an hour before.
        let issueTime = FeatureBuilder.blankIssueTime(situation, leadMinutes: leadMinutes)
        let valid = validTime(FeatureBuilder.longestLeadMinutes, after: issueTime, to: &rows)
        // But how often a bridge opens is known all the same.
        let rateRatios = issue?.context.rateRatios
        if blank?.context.issueTime != issueTime || blank?.context.rateRatios != rateRatios
            || blank?.identity.isOfSameClimatology(as: identity) != true
        {
            blank = Issue(
                .unknown(at: issueTime), climatology, identity: identity, rateRatios: rateRatios)
        }
        guard let row = blank?.appendRow(bridge, at: valid, density: self.density, to: &rows) else {
            preconditionFailure("it has just been made")
        }
        return row
    }

    private mutating func validTime(
        _ leadMinutes: Double, after issueTime: Timestamp, to rows: inout SparseRows
    ) -> ValidTime {
        if validTimes.isEmpty { validTimes = Array(repeating: nil, count: Self.validTimeCount) }
        let time = issueTime.adding(minutes: leadMinutes)
        let slot = Int(
            UInt64(bitPattern: time.secondsSinceEpoch) / 60 % UInt64(Self.validTimeCount))
        if let known = validTimes[slot], known.context.time == time,
            known.context.leadMinutes == leadMinutes
        {
            return known
        }
        let context = ValidTimeContext(leadMinutes: leadMinutes, after: issueTime)
        let list = rows.appendList { FeatureSchema.writeGroups(of: context, to: &$0) }
        let valid = ValidTime(context: context, list: list)
        validTimes[slot] = valid
        return valid
    }
}

/// Identifies a situation and a climatology by the memory of their tables.
///
/// Only valid while the holder keeps both: then the memory is neither changed nor used for others. Comparing it
/// takes no time, where comparing the tables would take more than a row does.
struct SituationIdentity: Equatable {
    private let issueTime: Timestamp
    private let bridges: UInt
    private let climatology: ObjectIdentifier

    init(_ situation: Situation, _ climatology: Climatology) {
        issueTime = situation.issueTime
        bridges = unsafe situation.bridges.withUnsafeBufferPointer {
            UInt(bitPattern: $0.baseAddress)
        }
        self.climatology = climatology.identity
    }

    func isOfSameClimatology(as other: Self) -> Bool { climatology == other.climatology }
}
