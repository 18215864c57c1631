// Rows for other programs to learn from, such as LightGBM: what `features export --training` writes.
private import BridgecastCore

extension Sampler {
    /// Rows for other programs to learn from: without queueing, of the protocol's leads, with all that
    /// was known; the climatology of each leaves out the weeks of its own fold.
    ///
    /// - Parameters:
    ///   - most: About so many, drawn from all covered minutes.
    ///   - withTrees: Whether to add the inputs of decision trees.
    package func matrix(most: Int, seed: UInt64, withTrees: Bool = false) -> FeatureMatrix {
        var random = SeededRandom(seed: seed)
        let minutes = history.coverage.minutes
        let share = Double(most) / minutes
        var matrix = FeatureMatrix(withTrees: withTrees)
        for period in history.coverage.periodsOfAnyBridge {
            for moment in ProtocolClock.minutes(in: period) {
                let drawn = BridgeIndex.all.filter { _ in random.uniform() < share }
                guard !drawn.isEmpty else { continue }
                let situation = reader.situation(at: moment)
                for bridge in drawn {
                    let lead = Self.protocolLeadsMinutes.randomElement(using: &random) ?? 5
                    append(bridge, lead: lead, in: situation, to: &matrix)
                }
            }
        }
        return matrix
    }

    private func append(
        _ bridge: BridgeIndex, lead: Double, in situation: Situation, to matrix: inout FeatureMatrix
    ) {
        let issueTime = situation.issueTime
        let validTime = issueTime.adding(minutes: lead)
        guard history.coverage.contains(issueTime, of: bridge),
            history.coverage.contains(validTime, of: bridge)
        else { return }
        let builder = builders[Self.fold(SeattleTime.civil(at: issueTime).date)]
        matrix.append(
            FeatureMatrix.Row(
                bridge: bridge, issueTime: issueTime, leadMinutes: lead,
                isBlocked: history.isBlocked(at: validTime, of: bridge),
                usual: builder.climatology.openProbability(
                    of: bridge, at: SeattleTime.civil(at: validTime))),
            by: builder, in: situation)
    }
}
