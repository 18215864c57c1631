// The kinds of events on the stream, as clients know them by.

/// A kind of event.
package enum EventName: String, Sendable, CaseIterable {
    /// All bridges in short: sent with every new forecast, and first of all to a new client.
    case forecast
    /// A bridge went up, down or out of sight.
    case state
    /// A realtime feed of buses and trains has something new, fails, or answers again.
    case transit
    /// The feeds or the service as a whole stand differently.
    case feed
    /// The client missed more than is kept, or comes from another run: what is the case now.
    case reset
    /// The service stops; come back later.
    case bye
}
