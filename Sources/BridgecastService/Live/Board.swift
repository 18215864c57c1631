// All that is known and forecast at a moment, and the documents made of it: made once a change, shared by all clients.
// Belongs here: what changes with the bridges: boards, events, streams; not: answers made for one request (Endpoints).
package import Bridgecast
package import BridgecastEngine
package import BridgecastLive
package import BridgecastObservation
private import Synchronization

/// A moment of the service; it never changes.
package final class Board: Sendable {
    /// When it was made.
    package let madeAt: Timestamp
    /// What was known, and all that was forecast of it.
    package let update: LiveUpdate
    /// How the feeds stand.
    package let feeds: [FeedStatus]
    /// How the whole stands.
    package let phase: AppPhase

    /// Why forecasts of this board are what they are.
    let reasons = ReasonLists()

    private let documents = Mutex<[String: SharedDocument]>([:])

    package init(
        madeAt: Timestamp, update: LiveUpdate, feeds: [FeedStatus], phase: AppPhase
    ) {
        (self.madeAt, self.update) = (madeAt, update)
        (self.feeds, self.phase) = (feeds, phase)
    }

    /// The model that forecast.
    package var model: LoadedModel { update.model }
    /// Traffic on the approaches.
    package var traffic: TrafficDensity { update.traffic }

    /// The situation that everything is forecast from.
    package var situation: Situation { update.situation }
    /// When everything was forecast.
    package var issueTime: Timestamp { update.issueTime }

    /// A document of this board, made when first asked for.
    ///
    /// - Parameter name: What it is known by; few names, for they are kept as long as the board.
    package func document(
        _ name: String, _ make: () throws -> [UInt8]
    ) rethrows -> SharedDocument {
        if let made = documents.withLock({ $0[name] }) { return made }
        let made = SharedDocument(try make())
        return documents.withLock { documents in
            if let other = documents[name] { return other }
            documents[name] = made
            return made
        }
    }
}
