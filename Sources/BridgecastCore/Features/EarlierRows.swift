// What the rows of a batch so far have in common with the next one; FeatureBatch asks it.

/// Moments and bridges that rows have asked about, with the lists of the inputs that depend on them alone.
struct EarlierRows {
    struct Moment {
        let context: MomentContext
        let list: UInt32
    }

    struct KnownBridge {
        let context: BridgeContext
        let list: UInt32
        let isBlank: Bool
        /// The moment of the newest row about it, and that row's own list.
        var newestMoment = SparseRows.noList
        var newestOwn = SparseRows.noList
    }

    /// A situation, and what has been asked of it.
    private struct Known {
        let issue: IssueContext
        let identity: SituationIdentity
        var bridges: [KnownBridge?]

        init(
            _ situation: Situation, _ identity: SituationIdentity, _ climatology: Climatology,
            rateRatios: [RateRatio]? = nil
        ) {
            issue = IssueContext(situation, climatology, rateRatios: rateRatios)
            self.identity = identity
            bridges = Array(repeating: nil, count: BridgeCatalogue.count)
        }

        mutating func bridge(
            _ bridge: BridgeIndex, isBlank: Bool, _ rows: inout SparseRows
        ) -> KnownBridge {
            if let found = bridges[bridge.rawValue] { return found }
            let context = BridgeContext(bridge, in: issue)
            let list = rows.appendList { FeatureSchema.bridgeGroups.append(context, to: &$0) }
            let known = KnownBridge(context: context, list: list, isBlank: isBlank)
            bridges[bridge.rawValue] = known
            return known
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
    ) -> (Moment, KnownBridge) {
        let identity = SituationIdentity(situation, climatology)
        if known?.identity != identity { known = Known(situation, identity, climatology) }
        let isFar = leadMinutes > FeatureBuilder.longestLeadMinutes
        if !isFar, known?.issue.isBlank(around: bridge) == false,
            let seen = known?.bridge(bridge, isBlank: false, &rows)
        {
            return (moment(leadMinutes, after: situation.issueTime, &rows), seen)
        }
        // Without live state the lead means nothing: every such row is one issued an hour before.
        let lead = FeatureBuilder.longestLeadMinutes
        let issueTime = FeatureBuilder.blankIssueTime(situation, leadMinutes: leadMinutes)
        // But how often a bridge opens is known all the same.
        let rateRatios = known?.issue.rateRatios
        if blank?.issue.issueTime != issueTime || blank?.issue.rateRatios != rateRatios
            || blank?.identity.isOfSameClimatology(as: identity) != true
        {
            blank = Known(
                .unknown(at: issueTime), identity, climatology, rateRatios: rateRatios)
        }
        guard let seen = blank?.bridge(bridge, isBlank: true, &rows) else {
            preconditionFailure("it has just been made")
        }
        return (moment(lead, after: issueTime, &rows), seen)
    }

    private mutating func moment(
        _ leadMinutes: Double, after issueTime: Timestamp, _ rows: inout SparseRows
    ) -> Moment {
        if moments.isEmpty { moments = Array(repeating: nil, count: Self.momentCount) }
        let validTime = issueTime.adding(minutes: leadMinutes)
        let slot = Int(
            UInt64(bitPattern: validTime.secondsSinceEpoch) / 60 % UInt64(Self.momentCount))
        if let moment = moments[slot], moment.context.validTime == validTime,
            moment.context.leadMinutes == leadMinutes
        {
            return moment
        }
        let context = MomentContext(leadMinutes: leadMinutes, after: issueTime)
        let list = rows.appendList { FeatureSchema.momentGroups.append(context, to: &$0) }
        let moment = Moment(context: context, list: list)
        moments[slot] = moment
        return moment
    }

    /// Remembers the own list of a row, which the next row about the same bridge and moment resembles.
    mutating func remember(_ bridge: BridgeIndex, moment: UInt32, own: UInt32, isBlank: Bool) {
        if isBlank {
            blank?.bridges[bridge.rawValue]?.newestMoment = moment
            blank?.bridges[bridge.rawValue]?.newestOwn = own
        } else {
            known?.bridges[bridge.rawValue]?.newestMoment = moment
            known?.bridges[bridge.rawValue]?.newestOwn = own
        }
    }
}

/// Tells a situation and a climatology from others by the memory of their tables, which nobody can change while it
/// is held.
struct SituationIdentity: Equatable {
    let issueTime: Timestamp
    let bridges: UInt
    let climatology: InlineArray<4, UInt>

    init(_ situation: Situation, _ climatology: Climatology) {
        issueTime = situation.issueTime
        bridges = situation.bridges.address
        self.climatology = [
            climatology.durationSurvival.address, climatology.openProbability.values.address,
            climatology.openingsPerDay.values.address,
            climatology.lengthLaw?.parameters.address ?? 0,
        ]
    }

    static func == (one: Self, other: Self) -> Bool {
        one.issueTime == other.issueTime && one.bridges == other.bridges
            && one.isOfSameClimatology(as: other)
    }

    func isOfSameClimatology(as other: Self) -> Bool {
        climatology[0] == other.climatology[0] && climatology[1] == other.climatology[1]
            && climatology[2] == other.climatology[2]
            && climatology[3] == other.climatology[3]
    }
}

extension Array {
    fileprivate var address: UInt {
        unsafe withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
}
