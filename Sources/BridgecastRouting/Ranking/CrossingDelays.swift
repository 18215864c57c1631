// The delays at bridges for any arrival, drawn alone or together with that of an earlier arrival.
internal import BridgecastCore

/// The delays at a few bridges by minute of arrival, with what ties those of two arrivals together.
///
/// At an opening of length D the delay a minutes after its begin is max(0, D - (1 - rho) a) (``QueueingDelay``). So a delay of w
/// implies for an arrival d later a delay of w - (1 - rho) d at the same opening, if that is
/// positive. What the forecast says of the later arrival beyond that belongs to the cases in which no opening lasts
/// from the one to the other: there was none, or its queue is gone. Where the forecast says less of a delay than
/// the earlier arrival's would imply, only as much of it lasts as the forecast says. So both keep their forecasts.
struct CrossingDelays {
    /// An arrival at a bridge and its delay; minutes after the departure and minutes.
    struct Arrival {
        let minutes, delay: Float
    }

    /// The probabilities of the bins, and zeros.
    private typealias Shares = SIMD16<Float>

    /// By table and minute after the departure: [table][minute].
    private var rows: [Shares] = []
    /// Arrivals after the last minute count as in that one.
    private let lastMinute: Int
    /// By table: how much a delay shrinks with every minute that one comes later, 1 - rho.
    private let melting: [Float]
    /// Lower edges of the bins from 1 on, and the end of the last, minutes; by bin one divided by its width.
    private let edges, perMinute: Shares

    private static let bins = DelayBins.count

    /// - Parameters:
    ///   - tables: The tables that delays are wanted of; they are named by their indices here.
    ///   - start: Minutes from the issue time to the departure.
    ///   - density: Degrees of saturation of the approaches, 0 ..< 1; 0 for modes that do not queue.
    init(
        _ tables: [RouteSet.DelayKey], from forecasts: ForecastTable, startMinutes start: Double,
        lastMinute: Int, density: [Double]
    ) {
        self.lastMinute = max(1, lastMinute)
        melting = density.map { Float(1 - $0) }
        let limits = DelayBins.edgesMinutes + [DelayBins.longestMinutes]
        var edges = Shares.zero
        var perMinute = Shares.zero
        for bin in 0..<Self.bins { edges[bin] = Float(limits[bin]) }
        for bin in 1..<Self.bins { perMinute[bin] = 1 / (edges[bin] - edges[bin - 1]) }
        self.edges = edges
        self.perMinute = perMinute
        rows.reserveCapacity(tables.count * (self.lastMinute + 1))
        for table in tables {
            for minute in 0...self.lastMinute {
                let delay = forecasts.delayWithin(
                    at: table.bridge, leadMinutes: start + Double(minute), queues: table.queues
                ).floats
                var row = Shares.zero
                for bin in 0..<Self.bins { row[bin] = delay[bin] }
                rows.append(row)
            }
        }
    }

    /// The delay in minutes that is not exceeded with a probability, for an arrival by itself.
    @inline(__always)
    func delay(at minutes: Float, of table: Int, _ probability: Float) -> Float {
        let shares = shares(at: minutes, table)
        let left = probability - shares[0]
        return left > 0 ? delay(of: shares, left) : 0
    }

    /// As above after an earlier arrival, whose delay leaves some possible; `probability` picks one.
    @inline(__always)
    func delay(
        at minutes: Float, of table: Int, after earlier: Arrival, _ probability: Float
    ) -> Float {
        let melted = melting[table] * (minutes - earlier.minutes)
        let shares = shares(at: minutes, table)
        // Without a delay to carry over no more is left than the forecast's own.
        if earlier.delay <= melted, probability <= shares[0] { return 0 }
        return delay(
            of: shares, after: self.shares(at: earlier.minutes, table),
            earlierDelay: earlier.delay, melted: melted, probability)
    }

    /// The forecast for an arrival: a mixture of two rows.
    @inline(__always)
    private func shares(at minutes: Float, _ table: Int) -> Shares {
        let within = min(minutes, Float(lastMinute))
        let minute = min(Int(within), lastMinute - 1)
        let row = table * (lastMinute + 1) + minute
        return rows[row] + (within - Float(minute)) * (rows[row + 1] - rows[row])
    }

    /// The delay below which so much of the probability of any delay is.
    private func delay(of shares: Shares, _ probability: Float) -> Float {
        var left = probability
        for bin in 1..<Self.bins {
            if left <= shares[bin] {
                return edges[bin - 1] + (edges[bin] - edges[bin - 1]) * left / shares[bin]
            }
            left -= shares[bin]
        }
        return edges[Self.bins - 1]
    }

    private func delay(
        of shares: Shares, after before: Shares, earlierDelay: Float, melted: Float,
        _ probability: Float
    ) -> Float {
        let densities = shares * perMinute
        let implied = before * perMinute
        var probability = probability
        if earlierDelay > melted {
            let same = earlierDelay - melted
            let all = implied[bin(of: earlierDelay)]
            let kept = all > 0 ? min(1, densities[bin(of: same)] / all) : 1
            if probability < kept { return same }
            probability = (probability - kept) / (1 - kept)
        }
        if probability <= shares[0] { return 0 }
        let rest = rest(of: densities, beyond: implied, melted: melted)
        let left = probability * (shares[0] + rest.probability) - shares[0]
        return left > 0 ? rest.delay(left) : 0
    }

    /// The bin of a delay, which is positive.
    private func bin(of minutes: Float) -> Int {
        var bin = 1
        while bin < Self.bins - 1, minutes > edges[bin] { bin += 1 }
        return bin
    }

    /// What a forecast has beyond the delays that are carried over from an earlier arrival, both as densities.
    private func rest(of densities: Shares, beyond implied: Shares, melted: Float) -> DelayPieces {
        var rest = DelayPieces()
        var low = Float(0)
        var bin = 1
        var other = melted > 0 ? self.bin(of: melted) : 1
        while bin < Self.bins {
            // Beyond the longest delay nothing is carried over: there are zeros.
            let otherEnd = other < Self.bins ? edges[other] - melted : .infinity
            let end = min(edges[bin], otherEnd)
            rest.append(densities[bin] - implied[other], from: low, to: end)
            low = max(low, end)
            if edges[bin] <= end { bin += 1 }
            if otherEnd <= end { other += 1 }
        }
        return rest
    }
}

// MARK: - Pieces

/// Delays as pieces of constant density, the shortest first; there is room for two grids of ``DelayBins``.
struct DelayPieces {
    private var ends = InlineArray<24, Float>(repeating: 0)
    private var shares = InlineArray<24, Float>(repeating: 0)
    private var count = 0
    /// Of all pieces.
    private(set) var probability: Float = 0

    /// Adds the next piece; a density below zero is none, and so is a piece that ends before it begins.
    @inline(__always)
    mutating func append(_ density: Float, from low: Float, to end: Float) {
        let share = max(0, density) * max(0, end - low)
        ends[count] = max(low, end)
        shares[count] = share
        count += 1
        probability += share
    }

    /// The delay in minutes below which so much of the probability is.
    func delay(_ probability: Float) -> Float {
        var left = probability
        var low = Float(0)
        for piece in 0..<count {
            if left <= shares[piece], shares[piece] > 0 {
                return low + (ends[piece] - low) * left / shares[piece]
            }
            left -= shares[piece]
            low = ends[piece]
        }
        return low
    }
}
