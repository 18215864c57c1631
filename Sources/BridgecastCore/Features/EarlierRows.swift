// What the rows of a batch so far have in common with the next one; FeatureBatch asks it.

/// Moments and bridges that rows have asked about, with the lists of the inputs that depend on them alone.
struct EarlierRows {
    private struct Moment {
        let context: MomentContext
        let list: UInt32
    }

    /// The lists of the rows about a bridge.
    private struct BridgeLists {
        /// What depends on it alone.
        var shared = SparseRows.noList
        /// The moment of its newest row, and that row's own list.
        var newestMoment = SparseRows.noList
        var newestOwn = SparseRows.noList
    }

    /// A situation, and what has been asked of it.
    private struct Known {
        let issue: IssueContext
        let identity: SituationIdentity
        /// By ``BridgeIndex``: nil for those that no row has asked about.
        private var contexts: [BridgeContext?]
        private var lists: [BridgeLists]

        init(
            _ situation: Situation, _ identity: SituationIdentity, _ climatology: Climatology,
            rateRatios: [RateRatio]? = nil
        ) {
            issue = IssueContext(situation, climatology, rateRatios: rateRatios)
            self.identity = identity
            contexts = Array(repeating: nil, count: BridgeCatalogue.count)
            lists = Array(repeating: BridgeLists(), count: BridgeCatalogue.count)
        }

        /// Appends the lists of a row; the bridge's is made when the first row asks.
        mutating func appendRow(
            _ bridge: BridgeIndex, _ moment: Moment, _ density: DensityContext,
            to rows: inout SparseRows
        ) -> RowContext {
            let place = bridge.rawValue
            let context: BridgeContext
            if let known = contexts[place] {
                context = known
            } else {
                context = BridgeContext(bridge, in: issue)
                contexts[place] = context
                lists[place].shared = rows.appendList {
                    FeatureSchema.bridgeGroups.append(context, to: &$0)
                }
            }
            let row = RowContext(context, moment.context, density)
            let own: UInt32
            if lists[place].newestMoment == moment.list {
                // Only the density differs.
                let groups = FeatureSchema.densityGroups
                own = rows.appendList(like: lists[place].newestOwn, below: groups.start) {
                    groups.append(density, to: &$0)
                }
            } else {
                own = rows.appendList {
                    FeatureSchema.rowGroups.append(row, to: &$0)
                    FeatureSchema.densityGroups.append(density, to: &$0)
                }
                lists[place].newestMoment = moment.list
                lists[place].newestOwn = own
            }
            rows.appendRow(moment.list, lists[place].shared, own)
            return row
        }
    }

    /// By minute of the valid time, modulo their number.
    private var moments: [Moment?] = []
    private static let momentCount = 32
    /// The situation last asked about.
    private var known: Known?
    /// The last one in which nothing is known.
    private var blank: Known?
    private var density = DensityContext(0)

    /// Forgets all lists but keeps some memory.
    mutating func removeAll() {
        for slot in moments.indices { moments[slot] = nil }
        (known, blank) = (nil, nil)
    }

    /// Appends the lists of a row, as far as they are not there; returns what the row looks at.
    mutating func appendRow(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        _ climatology: Climatology, to rows: inout SparseRows
    ) -> RowContext {
        if self.density.saturation != density { self.density = DensityContext(density) }
        let identity = SituationIdentity(situation, climatology)
        if known?.identity != identity { known = Known(situation, identity, climatology) }
        let isFar = leadMinutes > FeatureBuilder.longestLeadMinutes
        if !isFar, known?.issue.isBlank(around: bridge) == false {
            let moment = moment(leadMinutes, after: situation.issueTime, &rows)
            if let row = known?.appendRow(bridge, moment, self.density, to: &rows) { return row }
        }
        // Without live state the lead means nothing: every such row is one issued an hour before.
        let issueTime = FeatureBuilder.blankIssueTime(situation, leadMinutes: leadMinutes)
        let moment = moment(FeatureBuilder.longestLeadMinutes, after: issueTime, &rows)
        // But how often a bridge opens is known all the same.
        let rateRatios = known?.issue.rateRatios
        if blank?.issue.issueTime != issueTime || blank?.issue.rateRatios != rateRatios
            || blank?.identity.isOfSameClimatology(as: identity) != true
        {
            blank = Known(
                .unknown(at: issueTime), identity, climatology, rateRatios: rateRatios)
        }
        guard let row = blank?.appendRow(bridge, moment, self.density, to: &rows) else {
            preconditionFailure("it has just been made")
        }
        return row
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
}

/// Tells a situation and a climatology from others by the memory of their tables, which nobody can change while it
/// is held.
struct SituationIdentity: Equatable {
    let issueTime: Timestamp
    let bridges: UInt
    let climatology: ObjectIdentifier

    init(_ situation: Situation, _ climatology: Climatology) {
        issueTime = situation.issueTime
        bridges = situation.bridges.address
        self.climatology = climatology.identity
    }

    func isOfSameClimatology(as other: Self) -> Bool { climatology == other.climatology }
}

extension Array {
    fileprivate var address: UInt {
        unsafe withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
}
