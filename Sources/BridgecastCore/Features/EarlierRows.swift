// What the rows of a batch so far have in common with the next one; FeatureBatch asks it.

/// Moments and bridges that rows have asked about, with the lists of the inputs that depend on them alone.
struct EarlierRows {
    private struct Moment {
        let context: MomentContext
        let list: UInt32
    }

    private struct KnownBridge {
        let context: BridgeContext
        let list: UInt32
    }

    /// A situation, and what has been asked of it.
    private struct Known {
        var issue: IssueContext?
        var climatology: SharedClimatology?
        var bridges: [KnownBridge?] = []
    }

    /// By minute of the valid time, modulo their number.
    private var moments: [Moment?] = []
    private static let momentCount = 32
    /// Of the situation last asked about, and of the last one in which nothing is known.
    private var known = Known()
    private var blank = Known()

    /// The moment of a row and its list.
    mutating func moment(
        leadMinutes: Double, after issueTime: Timestamp, in rows: inout SparseRows
    ) -> (MomentContext, UInt32) {
        if moments.isEmpty { moments = Array(repeating: nil, count: Self.momentCount) }
        let validTime = issueTime.adding(minutes: leadMinutes)
        let slot = Int(
            UInt64(bitPattern: validTime.secondsSinceEpoch) / 60 % UInt64(Self.momentCount))
        if let moment = moments[slot], moment.context.validTime == validTime,
            moment.context.leadMinutes == leadMinutes
        {
            return (moment.context, moment.list)
        }
        let context = MomentContext(leadMinutes: leadMinutes, after: issueTime)
        let list = rows.appendList { FeatureSchema.momentGroups.append(context, to: &$0) }
        moments[slot] = Moment(context: context, list: list)
        return (context, list)
    }

    /// A bridge in a situation, and its list.
    mutating func bridge(
        _ bridge: BridgeIndex, in situation: Situation, _ climatology: SharedClimatology,
        _ rows: inout SparseRows
    ) -> (BridgeContext, UInt32) {
        situation.isUnknown
            ? Self.bridge(bridge, in: situation, climatology, of: &blank, &rows)
            : Self.bridge(bridge, in: situation, climatology, of: &known, &rows)
    }

    private static func bridge(
        _ bridge: BridgeIndex, in situation: Situation, _ climatology: SharedClimatology,
        of known: inout Known, _ rows: inout SparseRows
    ) -> (BridgeContext, UInt32) {
        let issue: IssueContext
        if let last = known.issue, known.climatology === climatology,
            last.situation.isIdentical(to: situation)
        {
            issue = last
        } else {
            issue = IssueContext(situation, climatology.climatology)
            known = Known(
                issue: issue, climatology: climatology,
                bridges: Array(repeating: nil, count: BridgeCatalogue.count))
        }
        if let found = known.bridges[bridge.rawValue] { return (found.context, found.list) }
        let context = BridgeContext(bridge, in: issue)
        let list = rows.appendList { FeatureSchema.bridgeGroups.append(context, to: &$0) }
        known.bridges[bridge.rawValue] = KnownBridge(context: context, list: list)
        return (context, list)
    }
}

/// A climatology that many rows refer to without copying its tables' references.
final class SharedClimatology: Sendable {
    let climatology: Climatology

    init(_ climatology: Climatology) { self.climatology = climatology }
}

extension Situation {
    /// Whether it is the very same situation: the same memory, which nobody can have changed while both
    /// hold it.
    fileprivate func isIdentical(to other: Situation) -> Bool {
        issueTime == other.issueTime && hasSameMemory(as: other)
    }

    fileprivate func hasSameMemory(as other: Situation) -> Bool {
        guard bridges.count == other.bridges.count else { return false }
        return unsafe bridges.withUnsafeBufferPointer { own in
            unsafe other.bridges.withUnsafeBufferPointer { its in
                unsafe own.baseAddress == its.baseAddress
            }
        }
    }

    /// Whether it came from ``unknown(at:)`` and nothing has been added.
    fileprivate var isUnknown: Bool { hasSameMemory(as: Self.nothing) }

    private static let nothing = Situation.unknown(at: .earliest)
}
