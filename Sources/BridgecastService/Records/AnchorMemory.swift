// Where places lie on the roads, for texts that were asked for before: most trips begin and end at the same few.
internal import BridgecastCore
internal import BridgecastRoads
private import Synchronization

/// Anchors by text and mode.
final class AnchorMemory: Sendable {
    private struct Key: Hashable {
        let text: String
        let mode: Route.Mode
    }

    private let known = Mutex<[Key: Anchor]>([:])
    /// More texts than these are found anew; longer ones are not kept.
    private static let (mostTexts, mostBytes) = (4096, 80)

    /// The anchor of a text, found on the roads when first asked for.
    ///
    /// - Throws: ``PlaceError``.
    func anchor(
        _ text: String, _ mode: Route.Mode, on network: RoadNetwork
    ) throws(PlaceError) -> Anchor {
        let key = Key(text: text, mode: mode)
        if let anchor = known.withLock({ $0[key] }) { return anchor }
        let anchor = try network.anchor(text, for: mode)
        guard text.utf8.count <= Self.mostBytes else { return anchor }
        known.withLock { known in
            if known.count >= Self.mostTexts { known.removeAll(keepingCapacity: true) }
            known[key] = anchor
        }
        return anchor
    }
}
