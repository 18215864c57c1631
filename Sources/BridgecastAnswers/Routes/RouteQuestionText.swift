// Weights and deadlines of a question about routes, as text.
package import BridgecastCore
package import BridgecastSupport

package enum WeightsText {
    private static let names = Dictionary(
        uniqueKeysWithValues: RouteCriterion.allCases.map { ($0.name, $0) })

    /// Weights from `name=value,...`; criteria that are not named count nothing.
    ///
    /// - Parameters:
    ///   - text: Nil for the default weights.
    ///   - hasDeadline: Whether being late can count.
    /// - Throws: ``WeightsTextError``.
    package static func weights(
        _ text: String?, hasDeadline: Bool
    ) throws(WeightsTextError) -> RouteWeights {
        let weights = try text.map { (text) throws(WeightsTextError) in try parse(text) }
        do throws(RouteWeightsError) {
            try (weights ?? .standard).validate(hasDeadline: hasDeadline)
        } catch { throw .weights(error) }
        return weights ?? .standard
    }

    private static func parse(_ text: String) throws(WeightsTextError) -> RouteWeights {
        var values: [RouteCriterion: Double] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=")
            guard pair.count == 2, let criterion = names[String(pair[0])],
                let value = Double(pair[1])
            else { throw .unreadable(String(part), names: names.keys.sorted()) }
            guard values.updateValue(value, forKey: criterion) == nil else {
                throw .twice(String(pair[0]))
            }
        }
        return RouteWeights(values)
    }
}

package enum WeightsTextError: Failure, Equatable {
    /// A part is not a criterion with a weight.
    case unreadable(String, names: [String])
    case twice(String)
    case weights(RouteWeightsError)

    package var kind: FailureKind { .usage }

    package var description: String {
        switch self {
        case .unreadable(let part, let names):
            "'\(printable(part))' is not one of \(names.joined(separator: ", ")) with a weight, such as "
                + "expected=1"
        case .twice(let name): "\(printable(name)) has two weights"
        case .weights(let error): error.description
        }
    }
}

package enum DeadlineText {
    /// How far a time of day may lie after a departure that is given, and after one that is to be found, hours.
    ///
    /// Beyond,
    /// the date has to be written: at 18:02, `18:00` would be tomorrow, and every route in time.
    package static let maxTripHours = 6.0
    package static let maxPlanHours = 18.0

    /// A time as ``TimeText`` reads it; a time of day without a day is the next one.
    ///
    /// - Parameters:
    ///   - text: Such as `18:30`, `6:30 pm` or `2026-02-20T18:30`.
    ///   - earliest: The next time of day is after this.
    ///   - maxHours: A time of day without a day is at most so long after `earliest`.
    ///   - now: Decides which day is today, and tomorrow.
    /// - Throws: ``TimeTextError``.
    package static func deadline(
        _ text: String, after earliest: Timestamp, maxHours: Double, now: Timestamp
    ) throws(TimeTextError) -> Timestamp {
        guard let clock = TypedClock(text), clock.day == nil else {
            return try TimeText.parse(text, now: now)
        }
        let date = SeattleTime.civil(at: earliest).date
        // A clock that is set forward shows every time again on the day after.
        for day in 0...2 {
            let civil = clock.civil(today: date.adding(days: day))
            let next = SeattleTime.resolve(civil).candidates.first { $0 > earliest }
            guard let next else { continue }
            let hours = next.minutes(since: earliest) / 60
            guard hours <= maxHours else {
                throw .farAhead(text, next: civil, hours: Int(hours.rounded()))
            }
            return next
        }
        throw .nonexistent(text)
    }
}
