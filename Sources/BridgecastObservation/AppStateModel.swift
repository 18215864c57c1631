// The root of what a screen shows: routes, bridges, and how the last refresh went.
// Belongs here: observable models on the main actor; not: who updates them (BridgecastLive).
public import BridgecastCore
public import Observation

/// The state of an app: the only object its views share.
@Observable
public final class AppStateModel {
    /// Routes, best first.
    public private(set) var routes: [RouteModel] = []
    /// All bridges, by ``BridgeIndex``.
    public let bridges: [BridgeStatusModel] = BridgeIndex.all.map { BridgeStatusModel(bridge: $0) }
    /// Whether what is shown is of now.
    public private(set) var phase = AppPhase.idle
    /// Whether a refresh is under way.
    public private(set) var isLoading = false
    /// Why the last refresh failed; nil if it did not.
    public private(set) var error: RefreshFailure?
    /// How each feed is doing, by name.
    public private(set) var feeds: [FeedStatus] = []
    /// What happened last, newest first; at most ``mostEvents``.
    public private(set) var events: [BridgeEvent] = []
    /// The route the user looks at.
    public var selectedRouteID: String?

    /// Events that are kept.
    public static let mostEvents = 50

    @ObservationIgnored private var models: [String: RouteModel] = [:]

    /// Creates an empty state.
    public init() {}

    /// The route the user looks at, if it is still there.
    public var selectedRoute: RouteModel? { routes.first { $0.routeID == selectedRouteID } }

    /// A bridge's model.
    public subscript(bridge: BridgeIndex) -> BridgeStatusModel { bridges[bridge.rawValue] }

    /// Takes over a refresh's results.
    ///
    /// Routes keep their models, so watchers stay attached; the list itself changes only if routes
    /// come, go or change places.
    public func apply(_ update: AppStateUpdate) {
        for bridge in update.bridges { self[bridge.bridge].apply(bridge) }
        if !update.events.isEmpty {
            events = Array((update.events.reversed() + events).prefix(Self.mostEvents))
        }
        guard let routes = update.routes else { return }
        apply(routes)
    }

    private func apply(_ scores: [RouteScore]) {
        let ordered = scores.map { score in
            let model = models[score.route.id].flatMap { $0.route == score.route ? $0 : nil }
            let current =
                model
                ?? RouteModel(
                    route: score.route,
                    bridgeStatuses: score.route.crossings.map { self[$0] })
            current.apply(score)
            return current
        }
        models = Dictionary(ordered.map { ($0.routeID, $0) }) { first, _ in first }
        if !ordered.elementsEqual(routes, by: ===) { routes = ordered }
    }

    /// Takes over how things stand; equal values wake nobody.
    public func set(phase: AppPhase, error: RefreshFailure?, isLoading: Bool) {
        if self.phase != phase { self.phase = phase }
        if self.error != error { self.error = error }
        if self.isLoading != isLoading { self.isLoading = isLoading }
    }

    /// Takes over how a feed is doing; equal values wake nobody.
    public func set(feed: FeedStatus) {
        if let place = feeds.firstIndex(where: { $0.id == feed.id }) {
            if feeds[place] != feed { feeds[place] = feed }
        } else {
            feeds.append(feed)
            feeds.sort { $0.id < $1.id }
        }
    }

    /// Refreshes from a source.
    ///
    /// `isLoading` holds meanwhile; a failure is kept in `error` and leaves everything else as it
    /// was. A refresh during another one does nothing.
    ///
    /// - Parameter source: Fetches and forecasts; runs wherever it likes.
    public func refresh(
        from source: @Sendable () async throws(RefreshFailure) -> AppStateUpdate
    ) async {
        guard !isLoading else { return }
        isLoading = true
        defer { isLoading = false }
        do {
            apply(try await source())
            if error != nil { error = nil }
        } catch {
            self.error = error
        }
    }
}
