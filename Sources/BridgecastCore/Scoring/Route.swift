// A route as scoring sees it: stretches of driving with bridge crossings between them.

/// A way from an origin to a destination.
public struct Route: Sendable, Equatable {
    /// Part of a route.
    public enum Step: Sendable, Equatable {
        /// Driving, riding or walking without a drawbridge.
        case travel(Travel)
        /// Crossing a drawbridge; takes no time of its own.
        case crossing(BridgeIndex)
    }

    /// A stretch without a drawbridge.
    public struct Travel: Sendable, Equatable {
        /// Mean duration in minutes, not negative.
        public var meanMinutes: Double
        /// Standard deviation in minutes, not negative.
        public var spreadMinutes: Double

        /// Creates a stretch.
        public init(meanMinutes: Double, spreadMinutes: Double) {
            self.meanMinutes = meanMinutes
            self.spreadMinutes = spreadMinutes
        }
    }

    /// How one travels; it decides whether one waits in the queue.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// In the queue behind others.
        case car
        /// Filters to the front: only the raised span itself holds it up.
        case bike
        /// As a bike.
        case walk

        /// Whether the queue of cars matters.
        public var queues: Bool { self == .car }
    }

    /// Unique among the routes that are ranked.
    public var id: String
    /// For people.
    public var name: String
    /// Where it starts; routes are ranked among those of the same origin and destination.
    public var origin: String
    /// Where it ends.
    public var destination: String
    /// How one travels.
    public var mode: Mode
    /// The parts in order.
    public var steps: [Step]

    /// Creates a route.
    public init(
        id: String, name: String, origin: String, destination: String, mode: Mode, steps: [Step]
    ) {
        self.id = id
        self.name = name
        self.origin = origin
        self.destination = destination
        self.mode = mode
        self.steps = steps
    }

    /// The drawbridges it crosses, in order.
    public var crossings: [BridgeIndex] {
        steps.compactMap { step in
            if case .crossing(let bridge) = step { bridge } else { nil }
        }
    }

    /// Mean minutes of travel, drawbridges apart.
    public var meanTravelMinutes: Double {
        steps.reduce(0) { sum, step in
            if case .travel(let travel) = step { sum + travel.meanMinutes } else { sum }
        }
    }

    /// The steps with neighbouring stretches joined: means and variances add up.
    var joinedSteps: [Step] {
        steps.reduce(into: []) { joined, step in
            guard case .travel(let next) = step, case .travel(let last)? = joined.last else {
                joined.append(step)
                return
            }
            let variance =
                last.spreadMinutes * last.spreadMinutes + next.spreadMinutes * next.spreadMinutes
            joined[joined.count - 1] = .travel(
                Travel(
                    meanMinutes: last.meanMinutes + next.meanMinutes,
                    spreadMinutes: variance.squareRoot()))
        }
    }
}
