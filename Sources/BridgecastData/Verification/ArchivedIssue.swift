// A forecast of all bridges as the archive keeps it, and its packed form.
public import BridgecastCore
private import Foundation

/// The forecasts of one issue time: every bridge at every lead of ``leadsMinutes``.
public struct ArchivedIssue: Sendable, Equatable {
    /// The archived lead times in minutes, those of the evaluation.
    public static let leadsMinutes: [Double] = [2, 5, 10, 15, 20, 30, 45, 60]
    /// One issue time is archived in every interval of this length, which begin at full five minutes of the clock.
    public static let intervalSeconds: Int64 = 300

    /// When the forecasts were made.
    public let issueTime: Timestamp
    /// Whether each bridge's state was known, by ``BridgeIndex``.
    public let isKnown: [Bool]
    /// Whether each bridge was known to be up, by ``BridgeIndex``.
    public let isRaised: [Bool]
    /// [bridge][lead], 7 x 8.
    public let forecasts: [ArchivedForecast]

    /// Creates an issue.
    ///
    /// - Precondition: One state per bridge, one forecast per bridge and lead.
    public init(
        issueTime: Timestamp, isKnown: [Bool], isRaised: [Bool], forecasts: [ArchivedForecast]
    ) {
        precondition(isKnown.count == BridgeCatalogue.count && isRaised.count == isKnown.count)
        precondition(forecasts.count == Self.forecastCount, "one forecast per bridge and lead")
        self.issueTime = issueTime
        self.isKnown = isKnown
        self.isRaised = isRaised
        self.forecasts = forecasts
    }

    /// The number of the interval that a time is in; an interval has one issue at most.
    public static func slot(of time: Timestamp) -> Int64 {
        let (quotient, rest) = time.secondsSinceEpoch.quotientAndRemainder(
            dividingBy: intervalSeconds)
        return rest < 0 ? quotient - 1 : quotient
    }

    /// The forecast of a bridge at a lead, an index into ``leadsMinutes``.
    public subscript(bridge: BridgeIndex, lead: Int) -> ArchivedForecast {
        forecasts[bridge.rawValue * Self.leadsMinutes.count + lead]
    }

    static let forecastCount = BridgeCatalogue.count * leadsMinutes.count
}

/// What was forecast for one bridge and arrival, and what climatology said.
public struct ArchivedForecast: Sendable, Equatable {
    /// P(the span is up on arrival), 0 < p < 1.
    public let probabilityRaised: Double
    /// P(time is lost on arrival) at ``density``, 0 < p < 1.
    public let probabilityStopped: Double
    /// P(the span is up on arrival) by the model's climatology, 0 < p < 1.
    public let climatologyRaised: Double
    /// P(time is lost on arrival) by the model's climatology at ``density``, 0 < p < 1.
    public let climatologyStopped: Double
    /// The degree of saturation that the delay was forecast for, 0 ..< 1.
    public let density: Double
    /// The shares of bins 1 to 11 of ``DelayBins`` in ``probabilityStopped``, in 255ths, which they add up to.
    let shares: [UInt8]

    /// Creates a forecast, rounded as the archive keeps it.
    ///
    /// - Parameters:
    ///   - raised: P(up on arrival) by model and climatology, 0...1.
    ///   - climatologyStopped: P(time is lost) by climatology, 0...1.
    ///   - delay: The model's delay at the density.
    public init(
        raised: (model: Double, climatology: Double), climatologyStopped: Double,
        density: Double, delay: DelayDistribution
    ) {
        self.init(
            codes: [
                Self.code(raised.model), Self.code(delay.probabilityDelayed),
                Self.code(raised.climatology), Self.code(climatologyStopped),
            ],
            density: UInt8((min(max(density, 0), 0.999) * 255).rounded(.down)),
            shares: Self.shares(delay))
    }

    private init(codes: [UInt16], density: UInt8, shares: [UInt8]) {
        probabilityRaised = Self.probability(codes[0])
        probabilityStopped = Self.probability(codes[1])
        climatologyRaised = Self.probability(codes[2])
        climatologyStopped = Self.probability(codes[3])
        // The middle of the step that the density is in.
        self.density = density == 0 ? 0 : (Double(density) + 0.5) / 255
        self.shares = shares
    }

    /// The delay: none, or one of the shares.
    public var delay: DelayDistribution {
        DelayDistribution(
            [Float(1 - probabilityStopped)]
                + shares.map { Float(Double($0) / 255 * probabilityStopped) })
    }

    /// The probability that a delay, given that there is one, is at most `seconds`.
    func cumulativeIfStopped(atSeconds seconds: Double) -> Double {
        let limits = DelayBins.edgesMinutes + [DelayBins.longestMinutes]
        var sum = 0.0
        for (bin, share) in shares.enumerated() {
            let low = limits[bin] * 60
            guard seconds > low else { break }
            let width = limits[bin + 1] * 60 - low
            sum += Double(share) / 255 * min(1, (seconds - low) / width)
        }
        return min(1, sum)
    }

    // MARK: Packed

    /// Log-odds from -16 to 16 in 65,535 steps: a chance of 1 % is off by 0.03 % of itself at most.
    private static let maxLogOdds = 16.0
    private static let codesPerLogOdds = 65_535 / (2 * maxLogOdds)

    private static func code(_ probability: Double) -> UInt16 {
        let logOdds = log(probability / (1 - probability))
        let bounded = min(max(logOdds.isNaN ? 0 : logOdds, -maxLogOdds), maxLogOdds)
        return UInt16(((bounded + maxLogOdds) * codesPerLogOdds).rounded())
    }

    private static func probability(_ code: UInt16) -> Double {
        1 / (1 + exp(maxLogOdds - Double(code) / codesPerLogOdds))
    }

    /// Rounded so that no cumulated share is off by more than half a 255th.
    private static func shares(_ delay: DelayDistribution) -> [UInt8] {
        let whole = (1..<DelayBins.count).reduce(0) { $0 + delay[$1] }
        guard whole > 0 else { return [255] + Array(repeating: 0, count: DelayBins.count - 2) }
        var sum = 0.0
        var written = 0
        return (1..<DelayBins.count).map { bin in
            sum += delay[bin]
            let reached = min(255, Int((sum / whole * 255).rounded()))
            defer { written = reached }
            return UInt8(max(0, reached - written))
        }
    }

    fileprivate static let byteCount = 4 * 2 + 1 + DelayBins.count - 1

    fileprivate func append(to bytes: inout [UInt8]) {
        for probability in [
            probabilityRaised, probabilityStopped, climatologyRaised, climatologyStopped,
        ] {
            let code = Self.code(probability)
            bytes.append(UInt8(code & 255))
            bytes.append(UInt8(code >> 8))
        }
        bytes.append(UInt8(density * 255))
        bytes += shares
    }

    /// Nil if the shares do not add up.
    fileprivate init?(_ bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex
        let codes = (0..<4).map { index in
            UInt16(bytes[start + 2 * index]) | UInt16(bytes[start + 2 * index + 1]) << 8
        }
        let shares = Array(bytes[(start + 9)...])
        guard shares.reduce(0, { $0 + Int($1) }) == 255 else { return nil }
        self.init(codes: codes, density: bytes[start + 8], shares: shares)
    }
}

extension ArchivedIssue {
    /// The forecasts in 20 bytes each.
    package var packedForecasts: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.forecastCount * ArchivedForecast.byteCount)
        for forecast in forecasts { forecast.append(to: &bytes) }
        return bytes
    }

    /// Reads what ``packedForecasts`` gives; nil for anything else.
    package static func forecasts(packed bytes: [UInt8]) -> [ArchivedForecast]? {
        let size = ArchivedForecast.byteCount
        guard bytes.count == forecastCount * size else { return nil }
        var forecasts: [ArchivedForecast] = []
        forecasts.reserveCapacity(forecastCount)
        for start in stride(from: 0, to: bytes.count, by: size) {
            guard let forecast = ArchivedForecast(bytes[start..<start + size]) else { return nil }
            forecasts.append(forecast)
        }
        return forecasts
    }

    /// Flags as bits, that of the first bridge the lowest.
    package static func mask(_ flags: [Bool]) -> Int64 {
        flags.enumerated().reduce(0) { $0 | ($1.element ? 1 << Int64($1.offset) : 0) }
    }

    package static func flags(_ mask: Int64) -> [Bool] {
        (0..<BridgeCatalogue.count).map { mask >> Int64($0) & 1 == 1 }
    }
}
