// What the timetable has for a board: runs by stop times and runs by frequencies, on all service days that reach into it.
internal import BridgecastCore

extension BoardCandidates {
    /// Scheduled calls in the window, or held before it, whose runs are not live.
    mutating func addTimetable(_ stop: StopIndex) {
        let feed = snapshot.feed
        let range = feed.calls.range(of: stop)
        guard !range.isEmpty else { return }
        let last = feed.stopTimes.departures[Int(feed.calls.rows[range.upperBound - 1])]
        let today = snapshot.days.day(at: heldSince)
        let lastDay = snapshot.days.day(at: window.upperBound) + 1
        // Routes that are usually late are looked for a little further back.
        let moved = snapshot.lateness == nil ? 0 : TransitSnapshot.mostMovedSeconds
        let earliest = heldSince - Int64(moved)
        for day in today - Int(last) / 86_400 - 1...lastDay {
            let start = snapshot.days.start(ofDay: day)
            guard start + Int64(last) >= earliest, start <= window.upperBound else {
                continue
            }
            let first = feed.calls.rows.partitionPoint(in: range) {
                start + Int64(feed.stopTimes.departures[Int($0)]) >= earliest
            }
            for place in first..<range.upperBound {
                let row = Int(feed.calls.rows[place])
                guard start + Int64(feed.stopTimes.departures[row]) <= window.upperBound else {
                    break
                }
                let trip = feed.stopTimes.trip(ofRow: row)
                guard snapshot.days.isActive(feed.trips.services[trip.position], onDay: day),
                    isWanted(row, trip), feed.trips.frequencies(of: trip).isEmpty,
                    !isLive(trip, day, nil)
                else { continue }
                append(row, trip, day, start: start, startSeconds: nil)
            }
        }
    }

    /// Scheduled calls of trips that run every so often.
    mutating func addFrequencies(_ stop: StopIndex) {
        let feed = snapshot.feed
        for row in snapshot.frequencyCalls.at(stop) {
            let (row, trip) = (Int(row), feed.stopTimes.trip(ofRow: Int(row)))
            guard isWanted(row, trip) else { continue }
            let offset =
                Int64(feed.stopTimes.departures[row])
                - Int64(feed.stopTimes.departures[feed.stopTimes.rows(of: trip).lowerBound])
            for place in feed.trips.frequencies(of: trip) {
                addRuns(feed.frequencies[place], row, trip, offset: offset)
            }
        }
    }

    /// The runs of a frequency that reach a stop in the window.
    private mutating func addRuns(
        _ frequency: TripFrequency, _ row: Int, _ trip: TripIndex, offset: Int64
    ) {
        let (first, end) = (Int64(frequency.startSeconds), Int64(frequency.endSeconds))
        let headway = Int64(frequency.headwaySeconds)
        let service = snapshot.feed.trips.services[trip.position]
        let today = snapshot.days.day(at: heldSince)
        let lastDay = snapshot.days.day(at: window.upperBound) + 1
        for day in today - Int((end + offset) / 86_400) - 1...lastDay
        where snapshot.days.isActive(service, onDay: day) {
            let begin = snapshot.days.start(ofDay: day)
            // Starts after which the stop is reached in the window.
            let earliest = max(first, heldSince - begin - offset)
            let latest = min(end - 1, window.upperBound - begin - offset)
            guard earliest <= latest else { continue }
            var start = first + (earliest - first + headway - 1) / headway * headway
            while start <= latest {
                let slack = frequency.isExact != 0 ? nil : Int(headway)
                if !isLive(trip, day, Int(start), headway: slack) {
                    let shifted =
                        begin + start
                        - Int64(
                            snapshot.feed.stopTimes.departures[
                                snapshot.feed.stopTimes.rows(of: trip).lowerBound])
                    append(row, trip, day, start: shifted, startSeconds: Int(start))
                }
                start += headway
            }
        }
    }
}
