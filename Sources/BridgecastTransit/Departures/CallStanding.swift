// Whether a live run has left a stop, and when it is expected there; late ones stay on a board, early ones go.
internal import BridgecastCore

/// A call of a live run at a stop.
struct CallStanding {
    private let run: LiveRun
    private let order: Int
    private let prediction: StopPrediction?
    private let vehicle: LiveVehicle?
    /// As the timetable has it, seconds since 1970; of the departure, or the arrival where the trip ends.
    private let scheduled: Int64
    private let isLast: Bool
    private let feed: TransitFeed
    /// The moment from which stop times count, seconds since 1970.
    private let start: Int64

    /// A fix older than so many seconds no longer tells that a vehicle is still to come.
    static let freshSeconds: Int64 = 90

    init(_ snapshot: TransitSnapshot, run number: Int, order: Int) {
        run = snapshot.live[number]
        self.order = order
        prediction = order < run.stops.count ? run.stops[order] : nil
        vehicle = run.vehicle.map { snapshot.vehicles[$0] }
        (feed, start) = (snapshot.feed, snapshot.liveStarts[number])
        let rows = feed.stopTimes.rows(of: run.key.trip)
        let row = rows.lowerBound + order
        isLast = order == rows.count - 1
        scheduled =
            start + Int64(isLast ? feed.stopTimes.arrivals[row] : feed.stopTimes.departures[row])
    }

    /// When it is expected, seconds since 1970; nil if it has left by a moment, or is not to be shown.
    func expected(at moment: Int64) -> Int64? {
        switch run.relationship {
        // Riders are not to be told of deleted trips (GTFS Realtime reference, ScheduleRelationship).
        case .deleted: return nil
        case .cancelled: return scheduled >= moment ? scheduled : nil
        default: break
        }
        let expected = predicted ?? scheduled
        if let next = vehicle?.nextStop, let seen = vehicle?.seenAt?.secondsSinceEpoch,
            seen <= moment + Self.freshSeconds
        {
            if next > order { return nil }
            // It is still to come, or stands there, whatever was predicted.
            if moment - seen <= Self.freshSeconds { return expected }
        }
        guard expected >= moment else { return nil }
        return predicted == nil && hasPassedEarly(at: moment) ? nil : expected
    }

    /// When it was expected, seconds since 1970, if that is in a span that is past, and no vehicle is known to have left;
    /// nil otherwise, and for what does not stop here.
    func missed(in past: Range<Int64>) -> Int64? {
        guard !past.isEmpty, run.relationship != .cancelled, run.relationship != .deleted,
            prediction?.isSkipped != true, vehicle?.nextStop.map({ $0 <= order }) ?? true
        else { return nil }
        let expected = predicted ?? scheduled
        return past.contains(expected) ? expected : nil
    }

    /// The moment to wait for, as predicted.
    private var predicted: Int64? {
        guard let prediction else { return nil }
        let (first, second) =
            isLast
            ? (prediction.arrival, prediction.departure)
            : (prediction.departure, prediction.arrival)
        return (first ?? second)?.secondsSinceEpoch
    }

    /// Whether nothing is predicted here because the stop is behind an early vehicle: feeds tell of what is to come, and the
    /// first stop of which they tell is so early that this one was passed.
    private func hasPassedEarly(at moment: Int64) -> Bool {
        guard prediction?.hasNoData != true,
            let first = run.stops.firstIndex(where: { $0.departure != nil || $0.arrival != nil }),
            first > order, let moved = run.stops[first].departure ?? run.stops[first].arrival
        else { return false }
        let row = feed.stopTimes.rows(of: run.key.trip).lowerBound + first
        let planned = start + Int64(feed.stopTimes.departures[row])
        return scheduled + min(0, moved.secondsSinceEpoch - planned) < moment
    }
}
