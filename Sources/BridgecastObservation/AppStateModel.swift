// The root of what a screen shows: routes, bridges, and how the last refresh went.
public import BridgecastCore
public import Observation

/// What can be done about a failed refresh.
nonisolated public enum RefreshRecovery: Sendable, Equatable {
    /// Trying again may help.
    case retry
    /// The user has to do something, said in words.
    case userAction(String)
}

/// A failed refresh; what was shown before stays.
nonisolated public struct RefreshFailure: Error, Sendable, Equatable {
    /// What went wrong, for a person.
    public var reason: String
    /// What to do about it.
    public var recovery: RefreshRecovery

    /// Creates a failure.
    public init(reason: String, recovery: RefreshRecovery) {
        self.reason = reason
        self.recovery = recovery
    }
}

/// Everything one refresh brings.
nonisolated public struct AppStateUpdate: Sendable {
    /// Forecasts by bridge.
    public var bridges: [BridgeUpdate]
    /// Scores in order, best first.
    public var routes: [RouteScore]

    /// Creates an update.
    public init(bridges: [BridgeUpdate], routes: [RouteScore]) {
        self.bridges = bridges
        self.routes = routes
    }
}

/// The state of an app: the only object its views share.
@Observable
public final class AppStateModel {
    /// Routes, best first.
    public private(set) var routes: [RouteModel] = []
    /// All bridges, by ``BridgeIndex``.
    public let bridges: [BridgeStatusModel] = BridgeIndex.all.map { BridgeStatusModel(bridge: $0) }
    /// Whether a refresh is under way.
    public private(set) var isLoading = false
    /// Why the last refresh failed; nil if it did not.
    public private(set) var error: RefreshFailure?
    /// The route the user looks at.
    public var selectedRouteID: String?

    @ObservationIgnored private var models: [String: RouteModel] = [:]

    /// Creates an empty state.
    public init() {}

    /// The route the user looks at, if it is still there.
    public var selectedRoute: RouteModel? { routes.first { $0.routeID == selectedRouteID } }

    /// Takes over a refresh's results.
    ///
    /// Routes keep their models, so watchers stay attached; the list itself changes only if routes
    /// come, go or change places.
    public func apply(_ update: AppStateUpdate) {
        for bridge in update.bridges { bridges[bridge.bridge.rawValue].apply(bridge) }
        let ordered = update.routes.map { score in
            let model = models[score.route.id].flatMap { $0.route == score.route ? $0 : nil }
            let current =
                model
                ?? RouteModel(
                    route: score.route,
                    bridgeStatuses: score.route.crossings.map { bridges[$0.rawValue] })
            current.apply(score)
            return current
        }
        models = Dictionary(ordered.map { ($0.routeID, $0) }) { first, _ in first }
        if !ordered.elementsEqual(routes, by: ===) { routes = ordered }
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
