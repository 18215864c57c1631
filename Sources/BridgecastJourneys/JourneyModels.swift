// Observable models of favourites, recent trips, journeys and their statistics, for screens.
public import BridgecastCore
public import BridgecastSupport
public import Foundation
public import Observation

/// The favourites of a journal in their order, and the trips that were used last.
///
/// What is shown stays if a change fails; ``error`` says why then.
@MainActor @Observable public final class FavouritesModel {
    /// The favourites in their order.
    public private(set) var favourites: [Favourite] = []
    /// The trips and lines that were used last and are no favourites, each once, the latest first.
    public private(set) var recents: [Journey] = []
    /// Why the last change or reading failed; nil if it did not.
    public private(set) var error: JourneyStoreError?

    @ObservationIgnored private let store: JourneyStore
    @ObservationIgnored private var reminders: [Reminder] = []

    /// Creates a model of a journal; call ``reload()`` to fill it.
    public init(_ store: JourneyStore) { self.store = store }

    /// Reads the journal; equal values do not notify.
    public func reload() {
        attempt { _ in }
    }

    /// Adds a favourite at the end.
    public func add(_ favourite: Favourite) {
        attempt { store throws(JourneyStoreError) in try store.add(favourite) }
    }

    /// Moves a favourite to a position, counted from 0.
    public func move(_ id: String, to position: Int) {
        attempt { store throws(JourneyStoreError) in
            try store.moveFavourite(id, to: position)
        }
    }

    /// Removes a favourite.
    public func remove(_ id: String) {
        attempt { store throws(JourneyStoreError) in _ = try store.removeFavourite(id) }
    }

    /// Changes a favourite's name or refresh interval.
    public func set(_ id: String, name: String? = nil, refresh: FavouriteRefresh? = nil) {
        attempt { store throws(JourneyStoreError) in
            _ = try store.setFavourite(id, name: name, refresh: refresh)
        }
    }

    /// Seconds from a favourite's refresh to the next, by its interval, its reminders and the network; nil if it is
    /// refreshed manually, or not in the journal.
    ///
    /// - Parameter departure: Another departure that is planned, such as that of a bus on the board; the first counts.
    public func secondsToRefresh(
        _ id: String, departure: Timestamp? = nil, now: Timestamp = .now,
        condition: NetworkCondition
    ) -> Double? {
        guard let favourite = favourites.first(where: { $0.id == id }) else { return nil }
        let planned = [departure, favourite.nextDeparture(by: reminders, now: now)]
        return favourite.refresh.seconds(
            departure: planned.compactMap { $0 }.min(), now: now, condition: condition)
    }

    private func attempt(_ change: (JourneyStore) throws(JourneyStoreError) -> Void) {
        do throws(JourneyStoreError) {
            try change(store)
            let favourites = try store.favourites()
            reminders = try store.reminders()
            let routes = Set(favourites.map(\.target.route))
            let recents = try store.recents().filter { !routes.contains($0.route) }
            if self.favourites != favourites { self.favourites = favourites }
            if self.recents != recents { self.recents = recents }
            if error != nil { error = nil }
        } catch {
            self.error = error
        }
    }
}

/// The journeys of a range of time, and their statistics.
@MainActor @Observable public final class JourneyHistoryModel {
    /// The journeys of the range, the latest first.
    public private(set) var journeys: [Journey] = []
    /// The statistics of the range; nil before the first reading.
    public private(set) var statistics: JourneyStatistics?
    /// The range that is shown; set it by ``show(_:now:)``.
    public private(set) var range = JourneyRange.month
    /// Why the last reading or change failed; nil if it did not.
    public private(set) var error: JourneyStoreError?

    @ObservationIgnored private let store: JourneyStore
    @ObservationIgnored private let zone: TimeZone

    /// Creates a model of a journal; call ``show(_:now:)`` to fill it.
    ///
    /// - Parameter zone: The person's time zone.
    public init(_ store: JourneyStore, zone: TimeZone) {
        self.store = store
        self.zone = zone
    }

    /// Reads the journeys of a range; equal values do not notify, except for ``statistics``, which end now.
    public func show(_ range: JourneyRange, now: Timestamp = .now) {
        do throws(JourneyStoreError) {
            let found = try store.journeys(from: range.start(now: now, zone: zone))
            let latestFirst = Array(found.reversed())
            if self.range != range { self.range = range }
            if journeys != latestFirst { journeys = latestFirst }
            statistics = JourneyStatistics(of: found, range: range, now: now, zone: zone)
            if error != nil { error = nil }
        } catch {
            self.error = error
        }
    }

    /// Adds a journey, and shows the range anew.
    public func record(_ journey: Journey, now: Timestamp = .now) {
        change(now) { store throws(JourneyStoreError) in try store.add(journey, now: now) }
    }

    /// Removes the journeys that began before a time, and shows the range anew.
    public func clear(before time: Timestamp, now: Timestamp = .now) {
        change(now) { store throws(JourneyStoreError) in _ = try store.clear(before: time) }
    }

    private func change(
        _ now: Timestamp, _ change: (JourneyStore) throws(JourneyStoreError) -> Void
    ) {
        do throws(JourneyStoreError) {
            try change(store)
        } catch {
            self.error = error
            return
        }
        show(range, now: now)
    }
}
