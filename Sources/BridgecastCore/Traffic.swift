// How saturated the approaches are: a profile by hour, and live measurements that override it.
import Foundation

/// Degrees of saturation by bridge: the profile's model, or given values.
public struct TrafficDensity: Sendable, Equatable {
    /// A given value per bridge that replaces the profile, by ``BridgeIndex``; 0 ..< 1.
    private var given: [Double?] = Array(repeating: nil, count: BridgeCatalogue.count)

    /// The profile's values for all bridges.
    public init() {}

    /// Sets a bridge's density; values above ``TrafficProfile/maxDensity`` are cut there.
    ///
    /// - Returns: Whether the value is a degree of saturation, 0 ..< 1; if not, nothing changes.
    public mutating func set(_ density: Double, for bridge: BridgeIndex) -> Bool {
        guard density >= 0, density < 1 else { return false }
        given[bridge.rawValue] = min(density, TrafficProfile.maxDensity)
        return true
    }

    /// Sets a bridge's density from a live measurement.
    ///
    /// - Returns: Whether the measurement is valid; if not, nothing changes.
    public mutating func set(_ measurement: TrafficMeasurement, for bridge: BridgeIndex) -> Bool {
        guard let density = measurement.density(of: bridge) else { return false }
        return set(density, for: bridge)
    }

    /// The degree of saturation of a bridge's approach at a time, 0 ..< 1.
    public func density(of bridge: BridgeIndex, at time: Timestamp) -> Double {
        given[bridge.rawValue] ?? TrafficProfile.density(of: bridge, at: time)
    }
}

extension TrafficDensity: Codable {
    private struct Entry: Codable {
        let bridge: BridgeIndex
        let density: Double
    }

    /// Reads what ``encode(to:)`` writes.
    ///
    /// - Throws: `DecodingError`, also for what is no degree of saturation.
    public init(from decoder: any Decoder) throws {
        self.init()
        for entry in try [Entry](from: decoder)
        where given[entry.bridge.rawValue] != nil || !set(entry.density, for: entry.bridge) {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "a density of \(entry.density) at \(entry.bridge); a degree of saturation is 0 or more and below 1, one a bridge"
                ))
        }
    }

    /// Writes the values that replace the profile's.
    public func encode(to encoder: any Encoder) throws {
        try BridgeIndex.all.compactMap { bridge in
            given[bridge.rawValue].map { Entry(bridge: bridge, density: $0) }
        }.encode(to: encoder)
    }
}

// MARK: - Profile

/// A model of a bridge's traffic over a day that meets its published sums.
///
/// No 24-hour counts are published, so the shape between the sums is ours: a typical two-peaked
/// weekday, scaled group by group so that the morning peak hour, the evening peak hour, the eight
/// busiest hours and the whole day come out as counted. Weekends use one flat midday shape with
/// 85 % of the weekday's vehicles.
public struct TrafficProfile: Sendable {
    /// Saturation flow of one lane, vehicles per hour.
    public static let saturationFlowPerLane = 1_900.0
    /// Share of an hour's vehicles that use the busier direction.
    public static let busierDirectionShare = 0.55
    /// The largest degree of saturation the delay formula is used with.
    public static let maxDensity = 0.95

    /// Share of the day's vehicles in each clock hour, by ``DayType`` raw value; each row sums to 1.
    let hourlyShares: [[Double]]
    private let counts: TrafficCounts

    /// The profile that meets a bridge's counts.
    public init(_ counts: TrafficCounts) {
        self.counts = counts
        hourlyShares = [Self.weekdayShares(counts), Self.weekendShape.map { $0 / Self.weekendSum }]
    }

    /// Degree of saturation of the busier approach, 0 ..< 1, interpolated between hours' middles.
    public func density(at civil: CivilDateTime) -> Double {
        let dayType = DayType(civil.date)
        let shares = hourlyShares[dayType.rawValue]
        let position = civil.minuteOfDay / 60 - 0.5
        let lower = Int(position.rounded(.down))
        let fraction = position - Double(lower)
        let share = shares[(lower + 24) % 24] * (1 - fraction) + shares[(lower + 1) % 24] * fraction
        let dayShare = dayType == .weekday ? 1 : Self.weekendVolume
        let flow = counts.vehiclesPerWeekday * dayShare * share * Self.busierDirectionShare
        return min(flow / capacityPerHour, Self.maxDensity)
    }

    /// Vehicles an hour that one direction can carry: its lanes at the saturation flow.
    public var capacityPerHour: Double { Double(counts.lanesEachWay) * Self.saturationFlowPerLane }

    /// The profiles of all bridges, by ``BridgeIndex``.
    public static let seattle = BridgeCatalogue.seattle.map { TrafficProfile($0.traffic) }

    /// The degree of saturation of a bridge at a time, 0 ..< 1.
    public static func density(of bridge: BridgeIndex, at time: Timestamp) -> Double {
        seattle[bridge.rawValue].density(at: SeattleTime.civil(at: time))
    }

    private static let morningPeakHour = 8
    private static let eveningPeakHour = 17
    private static let weekdayShape: [Double] = [
        9, 6, 4, 4, 7, 17, 38, 62, 66, 55, 50, 52, 55, 55, 60, 67, 74, 77, 65, 48, 38, 33, 26, 16,
    ]
    /// The seven busy hours next to the peak, rising gently towards it.
    private static let plateauShape = [0.88, 0.94, 0.97, 1.0, 1.06, 1.1, 1.05]
    private static let weekendShape: [Double] = [
        15, 10, 8, 6, 7, 11, 20, 30, 42, 54, 63, 68, 71, 72, 72, 71, 69, 66, 60, 52, 44, 38, 30, 21,
    ]
    private static let weekendSum = weekendShape.reduce(0, +)
    private static let weekendVolume = 0.85

    private static func weekdayShares(_ counts: TrafficCounts) -> [Double] {
        // The eight busiest hours run up to the evening peak, or from the morning's if it is higher.
        let isMorningBusier = counts.morningPeakShare > counts.eveningPeakShare
        let peakHour = isMorningBusier ? morningPeakHour : eveningPeakHour
        let busiest = isMorningBusier ? 7..<15 : 11..<19
        var shares = weekdayShape
        shares[morningPeakHour] = counts.morningPeakShare
        shares[eveningPeakHour] = counts.eveningPeakShare
        let plateau = busiest.filter { $0 != peakHour }
        let rising = isMorningBusier ? plateau.reversed() : plateau
        for (hour, share) in zip(rising, plateauShape) { shares[hour] = share }
        scale(&shares, hours: plateau, toSum: counts.busiestEightHourShare - shares[peakHour])
        let quiet = (0..<24).filter {
            !busiest.contains($0) && $0 != morningPeakHour && $0 != eveningPeakHour
        }
        let otherPeak = isMorningBusier ? counts.eveningPeakShare : counts.morningPeakShare
        scale(&shares, hours: quiet, toSum: 1 - counts.busiestEightHourShare - otherPeak)
        return shares
    }

    private static func scale(_ shares: inout [Double], hours: [Int], toSum sum: Double) {
        let factor = sum / hours.reduce(0) { $0 + shares[$1] }
        for hour in hours { shares[hour] *= factor }
    }
}

/// Published sums of a bridge's weekday traffic, both directions together.
///
/// Source: SDOT traffic flow counts (AWDT 2018; peaks and busiest eight hours as shares of the 2012
/// AAWDT count; South Park, which was not counted then, by the city-wide medians 0.0745 and 0.086).
public struct TrafficCounts: Sendable, Equatable {
    /// Vehicles per weekday.
    public let vehiclesPerWeekday: Double
    /// Share of the day in the busiest morning hour.
    public let morningPeakShare: Double
    /// Share of the day in the busiest evening hour.
    public let eveningPeakShare: Double
    /// Share of the day in its eight busiest hours, taken as consecutive.
    public let busiestEightHourShare: Double
    /// Lanes in each direction.
    public let lanesEachWay: Int
}

// MARK: - Live measurements

/// A measurement of the traffic towards a bridge.
public enum TrafficMeasurement: Sendable, Equatable {
    /// Seconds along the approach now, and at free flow; both above 0.
    case travelTime(seconds: Double, freeFlowSeconds: Double)
    /// Vehicles an hour in the busier direction, not negative.
    case volume(vehiclesPerHour: Double)
    /// The degree of saturation itself, 0 ..< 1.
    case saturation(Double)

    /// Coefficient and exponent of the function of the Bureau of Public Roads.
    private static let bprCoefficient = 0.15
    private static let bprExponent = 4.0

    /// The degree of saturation of a bridge's approach; nil if a value is not finite or out of its range.
    ///
    /// It is between 0 and ``TrafficProfile/maxDensity``.
    /// A travel time `t` over the free-flow time `t0` gives the inverse of
    /// `t = t0 (1 + 0.15 (v/c)^4)` (Bureau of Public Roads, Traffic Assignment Manual, 1964):
    /// `v/c = ((t / t0 - 1) / 0.15)^(1/4)`; a trip faster than free flow counts as free. The function is
    /// flat at small ratios, so a few percent of noise in `t` below `t / t0 = 1.02` are half of `v/c`.
    /// A volume is divided by the capacity: lanes x 1,900 vehicles an hour.
    public func density(of bridge: BridgeIndex) -> Double? {
        switch self {
        case .travelTime(let seconds, let freeFlow):
            guard seconds > 0, freeFlow > 0, seconds.isFinite, freeFlow.isFinite else { return nil }
            let excess = max(0, seconds / freeFlow - 1)
            let ratio = pow(excess / Self.bprCoefficient, 1 / Self.bprExponent)
            return min(ratio, TrafficProfile.maxDensity)
        case .volume(let vehiclesPerHour):
            guard vehiclesPerHour >= 0, vehiclesPerHour.isFinite else { return nil }
            let capacity = TrafficProfile.seattle[bridge.rawValue].capacityPerHour
            return min(vehiclesPerHour / capacity, TrafficProfile.maxDensity)
        case .saturation(let density):
            guard density >= 0, density < 1 else { return nil }
            return min(density, TrafficProfile.maxDensity)
        }
    }
}

/// The newest measurement of each bridge.
public struct LiveTraffic: Sendable, Equatable {
    /// A measurement older than this is not used, minutes: the profile takes over.
    public static let stalenessMinutes = 15.0
    private static let freshness = Freshness(limitMinutes: stalenessMinutes)

    private var newest: [BridgeIndex: TrafficReading] = [:]

    /// No measurements.
    public init() {}

    /// Adds readings; of one bridge the newest counts.
    ///
    /// - Returns: The invalid readings: not finite, negative, or above capacity.
    @discardableResult
    public mutating func add(_ readings: [TrafficReading]) -> [TrafficReading] {
        readings.filter { reading in
            guard reading.measurement.density(of: reading.bridge) != nil else { return true }
            if newest[reading.bridge].map({ $0.measuredAt <= reading.measuredAt }) ?? true {
                newest[reading.bridge] = reading
            }
            return false
        }
    }

    /// Age of a bridge's measurement in minutes; nil without one.
    public func ageMinutes(of bridge: BridgeIndex, at now: Timestamp) -> Double? {
        newest[bridge].map { now.minutes(since: $0.measuredAt) }
    }

    /// The measured density of a bridge, if it is recent enough and was known by then.
    public func density(of bridge: BridgeIndex, at now: Timestamp) -> Double? {
        guard let reading = newest[bridge], Self.freshness.holds(reading.measuredAt, at: now)
        else { return nil }
        return reading.measurement.density(of: bridge)
    }

    /// Densities for a forecast: measured where that is recent, else the profile's.
    public func densities(at now: Timestamp) -> TrafficDensity {
        var result = TrafficDensity()
        for bridge in newest.keys {
            guard let density = density(of: bridge, at: now) else { continue }
            _ = result.set(density, for: bridge)
        }
        return result
    }
}

/// A measurement of the traffic towards a bridge.
public struct TrafficReading: Sendable, Equatable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// The measured value.
    public var measurement: TrafficMeasurement
    /// The time of the measurement.
    public var measuredAt: Timestamp

    /// Creates a reading.
    public init(bridge: BridgeIndex, measurement: TrafficMeasurement, measuredAt: Timestamp) {
        self.bridge = bridge
        self.measurement = measurement
        self.measuredAt = measuredAt
    }
}
