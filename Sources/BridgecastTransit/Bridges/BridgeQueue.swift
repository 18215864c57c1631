// The queue that an opening leaves behind: what it still holds of those who came before the bridge was down and it had gone.
internal import BridgecastCore

/// What holds somebody who came to a bridge.
enum BridgeHold: Equatable {
    /// It is up, since before he was over it.
    case raised
    /// It is down again, since a moment, and he is over it at so many seconds since 1970.
    case queue(lowered: Timestamp, until: Double)
}

extension BridgeKnowledge {
    /// What holds somebody who came to a bridge at a moment that is not after ``issueTime``; nil if nothing did, or nothing
    /// is known of it.
    ///
    /// He joins the latest queue that stood when he came (``QueueingDelay``). While the bridge is up again before he is over
    /// it, the queue stands still.
    ///
    /// - Parameter joined: When he came, seconds since 1970.
    func hold(at bridge: BridgeIndex, from joined: Double) -> BridgeHold? {
        let ended = situation[bridge].recent.lazy.compactMap(EndedOpening.init)
        let own = ended.first { self.delay(at: bridge, $0, joined) > 0 }
        var (until, lowered) = (joined, own?.end)
        if let own {
            until += delay(at: bridge, own, joined)
            for next in ended.reversed() where next.start > joined && next.start < until {
                (until, lowered) = (until + next.seconds, next.end)
            }
        }
        if case .some(.some(let since)) = raised(bridge),
            Double(since.secondsSinceEpoch) <= until
        {
            return .raised
        }
        return lowered.map {
            .queue(lowered: Timestamp(secondsSinceEpoch: Int64($0)), until: until)
        }
    }

    /// The moment after which somebody must have come to a bridge whom it holds at a moment, seconds since 1970; nil if it
    /// holds nobody then.
    ///
    /// - Parameter isUp: Whether it is up at the moment, if it is at ``issueTime``.
    func firstHeld(by bridge: BridgeIndex, at moment: Double, isUp: Bool) -> Double? {
        var first: Double?
        if isUp, case .some(.some(let since)) = raised(bridge) {
            first = Double(since.secondsSinceEpoch)
        }
        // The newest first: an older queue counts as far as it reached into what came after it.
        for opening in situation[bridge].recent.lazy.compactMap(EndedOpening.init) {
            let end = first ?? moment
            guard opening.start <= end, delay(at: bridge, opening, end) > 0 else { break }
            first = opening.start
        }
        return first
    }

    /// The delay at an opening of somebody who came at a moment; 0 if he came before it.
    private func delay(at bridge: BridgeIndex, _ opening: EndedOpening, _ joined: Double) -> Double
    {
        guard joined >= opening.start else { return 0 }
        let moment = Timestamp(secondsSinceEpoch: Int64(joined.rounded()))
        return QueueingDelay.seconds(
            openingSeconds: opening.seconds, arrivalSeconds: joined - opening.start,
            density: traffic.density(of: bridge, at: moment))
    }
}

/// An opening that is over, in seconds since 1970.
private struct EndedOpening {
    let start, end: Double
    var seconds: Double { end - start }

    init?(_ opening: KnownOpening) {
        guard let end = opening.end else { return nil }
        (start, self.end) = (
            Double(opening.start.secondsSinceEpoch), Double(end.secondsSinceEpoch)
        )
    }
}

extension DelayDistribution {
    /// A delay that is known but for what half a minute is: the two bins next to it, so that the mean is exact from half a
    /// minute to 45 minutes, and the nearest bin beyond.
    init(aboutSeconds seconds: Double) {
        let limits = (DelayBins.edgesMinutes + [DelayBins.longestMinutes]).map { $0 * 60 }
        let middles = zip(limits, limits.dropFirst()).map { ($0 + $1) / 2 }
        var chances = [Float](repeating: 0, count: DelayBins.count)
        let next = middles.firstIndex { $0 > seconds } ?? middles.count
        if next > 0, next < middles.count {
            let share = (seconds - middles[next - 1]) / (middles[next] - middles[next - 1])
            (chances[next], chances[next + 1]) = (Float(1 - share), Float(share))
        } else {
            chances[next == 0 ? 1 : middles.count] = 1
        }
        self.init(chances)
    }
}
