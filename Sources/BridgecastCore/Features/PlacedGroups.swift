// Feature groups and where their inputs lie in a row; FeatureSchema has those of each kind.

/// Groups of one kind with the place of their inputs.
struct PlacedGroups<Group: Sendable>: Sendable {
    private struct Placed: Sendable {
        let group: Group
        let inputs: Range<Int>
    }

    private let placed: [Placed]

    /// Picks the groups of a kind from all of them, in the order of a row.
    init(_ groups: [any FeatureGroup.Type], of kind: (any FeatureGroup.Type) -> Group?) {
        var start = 0
        placed = groups.compactMap { group in
            let inputs = start..<start + group.specs.count
            start = inputs.upperBound
            return kind(group).map { Placed(group: $0, inputs: inputs) }
        }
    }

    @inline(__always)
    fileprivate func each(
        _ values: inout RowWriter, _ append: (Group, inout RowWriter) -> Void
    ) {
        for place in placed {
            values.position = place.inputs.lowerBound
            append(place.group, &values)
            precondition(
                values.position == place.inputs.upperBound, "a group walks over all its specs")
        }
    }
}

extension PlacedGroups<any MomentFeatures.Type> {
    func append(_ moment: MomentContext, to values: inout RowWriter) {
        each(&values) { $0.append(moment, to: &$1) }
    }
}

extension PlacedGroups<any BridgeFeatures.Type> {
    func append(_ bridge: BridgeContext, to values: inout RowWriter) {
        each(&values) { $0.append(bridge, to: &$1) }
    }
}

extension PlacedGroups<any RowFeatures.Type> {
    func append(_ row: RowContext, to values: inout RowWriter) {
        each(&values) { $0.append(row, to: &$1) }
    }
}
