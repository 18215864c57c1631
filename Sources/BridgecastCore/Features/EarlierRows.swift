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
        let issue: IssueContext
        let identity: SituationIdentity
        var bridges: [KnownBridge?]

        init(_ situation: Situation, _ identity: SituationIdentity, _ climatology: Climatology) {
            issue = IssueContext(situation, climatology)
            self.identity = identity
            bridges = Array(repeating: nil, count: BridgeCatalogue.count)
        }

        mutating func bridge(
            _ bridge: BridgeIndex, _ rows: inout SparseRows
        ) -> (BridgeContext, list: UInt32) {
            if let found = bridges[bridge.rawValue] { return (found.context, found.list) }
            let context = BridgeContext(bridge, in: issue)
            let list = rows.appendList { FeatureSchema.bridgeGroups.append(context, to: &$0) }
            bridges[bridge.rawValue] = KnownBridge(context: context, list: list)
            return (context, list)
        }
    }

    /// By minute of the valid time, modulo their number.
    private var moments: [Moment?] = []
    private static let momentCount = 32
    /// The situation last asked about.
    private var known: Known?
    /// The last one in which nothing is known.
    private var blank: Known?

    /// Forgets all lists but keeps some memory.
    mutating func removeAll() {
        for slot in moments.indices { moments[slot] = nil }
        (known, blank) = (nil, nil)
    }

    /// A bridge in a situation and a moment, and the lists of what rows about them share.
    mutating func row(
        _ bridge: BridgeIndex, leadMinutes: Double, in situation: Situation,
        _ climatology: Climatology, _ rows: inout SparseRows
    ) -> (moment: (MomentContext, list: UInt32), bridge: (BridgeContext, list: UInt32)) {
        let identity = SituationIdentity(situation, climatology)
        if known?.identity != identity { known = Known(situation, identity, climatology) }
        let isFar = leadMinutes > FeatureBuilder.longestLeadMinutes
        if !isFar, known?.issue.isBlank(around: bridge) == false,
            let seen = known?.bridge(bridge, &rows)
        {
            return (moment(leadMinutes, after: situation.issueTime, &rows), seen)
        }
        // Without live state the lead means nothing: every such row is one issued an hour before.
        let lead = FeatureBuilder.longestLeadMinutes
        let issueTime = situation.issueTime.adding(minutes: leadMinutes).adding(minutes: -lead)
        if blank?.issue.issueTime != issueTime
            || blank?.identity.climatology != identity.climatology
        {
            blank = Known(.unknown(at: issueTime), identity, climatology)
        }
        guard let seen = blank?.bridge(bridge, &rows) else {
            preconditionFailure("it has just been made")
        }
        return (moment(lead, after: issueTime, &rows), seen)
    }

    private mutating func moment(
        _ leadMinutes: Double, after issueTime: Timestamp, _ rows: inout SparseRows
    ) -> (MomentContext, list: UInt32) {
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
}

/// Tells a situation and a climatology from others by their memory, which nobody can change while it is held.
private struct SituationIdentity: Equatable {
    let issueTime: Timestamp
    let bridges: UInt
    let climatology: UInt

    init(_ situation: Situation, _ climatology: Climatology) {
        issueTime = situation.issueTime
        bridges = unsafe situation.bridges.withUnsafeBufferPointer {
            UInt(bitPattern: $0.baseAddress)
        }
        self.climatology = unsafe climatology.durationSurvival.withUnsafeBufferPointer {
            UInt(bitPattern: $0.baseAddress)
        }
    }
}
