// Feature groups and where their inputs lie in a row; FeatureSchema has those of each kind.

/// Groups of one kind with the place of their inputs.
struct PlacedGroups<Group: Sendable>: Sendable {
    private struct Placed: Sendable {
        let group: Group
        let inputs: Range<Int>
    }

    private let placed: [Placed]

    /// Groups of a kind, in the order of a row, and where each lies among all of them.
    fileprivate init(
        _ groups: [Group], in all: [any FeatureGroup.Type],
        isSame: (Group, any FeatureGroup.Type) -> Bool
    ) {
        placed = groups.map { group in
            let others = all.prefix { !isSame(group, $0) }
            precondition(others.count < all.count, "a group that the schema does not have")
            let start = others.reduce(0) { $0 + $1.count }
            return Placed(group: group, inputs: start..<start + all[others.count].count)
        }
    }

    /// The first input of all groups.
    var start: Int { placed.first?.inputs.lowerBound ?? 0 }
    /// The end of the last input of all groups.
    var end: Int { placed.last?.inputs.upperBound ?? 0 }

    @inline(__always)
    fileprivate func each(
        _ values: inout RowWriter, _ append: (Group, inout RowWriter) -> Void
    ) {
        // By a span: an array that is walked over is retained.
        let placed = placed.span
        for index in placed.indices {
            let place = placed[index]
            values.position = place.inputs.lowerBound
            append(place.group, &values)
            precondition(
                values.position == place.inputs.upperBound, "a group walks over all its specs")
        }
    }
}

extension PlacedGroups<any MomentFeatures.Type> {
    init(_ groups: [any MomentFeatures.Type], in all: [any FeatureGroup.Type]) {
        self.init(groups, in: all) { ObjectIdentifier($0) == ObjectIdentifier($1) }
    }

    func append(_ moment: MomentContext, to values: inout RowWriter) {
        each(&values) { $0.append(moment, to: &$1) }
    }
}

extension PlacedGroups<any DensityFeatures.Type> {
    init(_ groups: [any DensityFeatures.Type], in all: [any FeatureGroup.Type]) {
        self.init(groups, in: all) { ObjectIdentifier($0) == ObjectIdentifier($1) }
    }

    func append(_ density: DensityContext, to values: inout RowWriter) {
        each(&values) { $0.append(density, to: &$1) }
    }
}

extension PlacedGroups<any BridgeFeatures.Type> {
    init(_ groups: [any BridgeFeatures.Type], in all: [any FeatureGroup.Type]) {
        self.init(groups, in: all) { ObjectIdentifier($0) == ObjectIdentifier($1) }
    }

    func append(_ bridge: BridgeContext, to values: inout RowWriter) {
        each(&values) { $0.append(bridge, to: &$1) }
    }
}

extension PlacedGroups<any RowFeatures.Type> {
    init(_ groups: [any RowFeatures.Type], in all: [any FeatureGroup.Type]) {
        self.init(groups, in: all) { ObjectIdentifier($0) == ObjectIdentifier($1) }
    }

    func append(_ row: RowContext, to values: inout RowWriter) {
        each(&values) { $0.append(row, to: &$1) }
    }
}
