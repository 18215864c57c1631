// A cache of the places where trips begin and end.
internal import BridgecastCore
internal import BridgecastRoads
private import Synchronization

/// Positions of places on the roads, by text and mode: most trips begin and end at the same few.
final class AnchorCache: Sendable {
    private struct Key: Hashable {
        let text: String
        let mode: Route.Mode
    }

    private let known = Mutex<[Key: Anchor]>([:])
    /// The cache is emptied when it has more texts than this.
    private static let maxTexts = 4096
    /// Longer texts are not cached.
    private static let maxBytes = 80

    /// The anchor of a text, found on the roads on first use.
    ///
    /// - Throws: ``PlaceError``.
    func anchor(
        _ text: String, _ mode: Route.Mode, on network: RoadNetwork
    ) throws(PlaceError) -> Anchor {
        let key = Key(text: text, mode: mode)
        if let anchor = known.withLock({ $0[key] }) { return anchor }
        let anchor = try network.anchor(text, for: mode)
        guard text.utf8.count <= Self.maxBytes else { return anchor }
        known.withLock { known in
            if known.count >= Self.maxTexts { known.removeAll(keepingCapacity: true) }
            known[key] = anchor
        }
        return anchor
    }
}
