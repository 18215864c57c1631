// All that is known and forecast at a moment, and the documents made of it: made once a change, shared by all clients.
// Belongs here: what changes with the bridges: boards, events, streams; not: answers made for one request (Endpoints).
package import Bridgecast
internal import BridgecastAnswers
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
    /// How the service's clock ran; that of a board of the past stands.
    package let pace: ClockPace
    /// What a board of the past rests on; nil for one that was made as things happened.
    package let past: Past?

    /// What a board that was made from the records rests on.
    package struct Past: Sendable {
        /// The records as they stood at its time.
        let source: SourceStatus
        /// For people: what is missing, and what it is no test of.
        let warnings: [String]
    }

    /// Why forecasts of this board are what they are.
    let reasons = ReasonLists()

    private let documents = Mutex<[String: SharedDocument]>([:])
    private let minutes = Mutex<ForecastTable?>(nil)

    package init(
        madeAt: Timestamp, update: LiveUpdate, feeds: [FeedStatus], phase: AppPhase,
        pace: ClockPace = .live
    ) {
        (self.madeAt, self.update, past) = (madeAt, update, nil)
        (self.feeds, self.phase, self.pace) = (feeds, phase, pace)
    }

    /// A board of the past, as if it had been made at its issue time.
    package init(update: LiveUpdate, past: Past) {
        (madeAt, self.update, self.past) = (update.issueTime, update, past)
        (feeds, phase, pace) = ([], .ready, .standing)
    }

    /// The model that forecast.
    package var model: LoadedModel { update.model }
    /// Traffic on the approaches.
    package var traffic: TrafficDensity { update.traffic }

    /// The situation that everything is forecast from.
    package var situation: Situation { update.situation }
    /// When everything was forecast.
    package var issueTime: Timestamp { update.issueTime }

    /// Forecasts by the minute, made when first asked for; the board's own where that fails.
    package var minuteTable: ForecastTable {
        minutes.withLock { table in
            if let table { return table }
            let made =
                (try? model.minuteTable(in: situation, traffic: traffic)) ?? update.table
            table = made
            return made
        }
    }

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
