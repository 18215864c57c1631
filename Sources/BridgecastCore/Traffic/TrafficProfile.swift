// Road traffic by hour of the day: the degree of saturation that turns an opening into a delay.

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
    public static let maximumDensity = 0.95

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
        return min(flow / capacityPerHour, Self.maximumDensity)
    }

    /// Vehicles an hour that one direction can carry: its lanes at the saturation flow.
    public var capacityPerHour: Double {
        Double(counts.lanesEachWay) * Self.saturationFlowPerLane
    }

    /// The profiles of all bridges, by ``BridgeIndex``.
    public static let seattle = BridgeCatalogue.seattle.map { TrafficProfile($0.traffic) }

    /// The degree of saturation of a bridge at a moment, 0 ..< 1.
    public static func density(of bridge: BridgeIndex, at moment: Timestamp) -> Double {
        seattle[bridge.rawValue].density(at: SeattleTime.civil(at: moment))
    }

    private static let morningPeakHour = 8
    private static let eveningPeakHour = 17
    private static let weekdayShape: [Double] = [
        9, 6, 4, 4, 7, 17, 38, 62, 66, 55, 50, 52, 55, 55, 60, 67, 74, 77, 65, 48, 38, 33, 26, 16,
    ]
    /// The seven busy hours beside the peak: they rise gently towards it.
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
        scale(
            &shares, hours: plateau, toSum: counts.busiestEightHourShare - shares[peakHour])
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
