// What transit answers say of drawbridges is made from this: where shapes cross them, and what is known of them.
internal import BridgecastCore
package import BridgecastTransit

/// Drawbridges for transit answers: crossings of a feed with forecasts of one moment.
package struct TransitBridges: Sendable {
    /// Where shapes cross.
    package let crossings: BridgeCrossings
    /// Forecasts and states.
    package let knowledge: BridgeKnowledge

    /// Puts both together.
    package init(_ crossings: BridgeCrossings, _ knowledge: BridgeKnowledge) {
        (self.crossings, self.knowledge) = (crossings, knowledge)
    }

    /// Whom they hold, for boards.
    package var holds: BridgeHolds { BridgeHolds(crossings, knowledge) }

    /// The bridges that a run still has to cross at a moment, in order.
    func ahead(
        of run: RunKey?, in snapshot: TransitSnapshot, at moment: Timestamp
    ) -> [BridgeAhead] {
        guard let run, !crossings.isEmpty else { return [] }
        return snapshot.bridgesAhead(of: run, at: moment, crossings, knowledge)
    }
}
