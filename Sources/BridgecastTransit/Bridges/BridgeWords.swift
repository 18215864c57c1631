// What is said of bridges on the way, in English: the one place where these words are made.
public import BridgecastCore

extension BridgeAhead {
    /// What the bridge may do to the run; times are Seattle's.
    ///
    /// Such as "Montlake Bridge at 17:42: 8 in 100 to be stopped; if so about 4 min", or "waits before Montlake Bridge, up
    /// for 3 min; about 2 min more", or "in the queue before Montlake Bridge, down for 1 min; about 2 min more". Of a bus that nobody has seen there: "by the timetable now before Montlake Bridge,
    /// ...".
    ///
    /// - Parameter now: The moment from which minutes are counted.
    public func text(at now: Timestamp) -> String {
        let name = BridgeCatalogue[bridge].spokenName
        guard waitsNow else {
            return "\(name) at \(TimeText.clock(arrival)): "
                + (delay.map(BridgeWords.chance) ?? "no forecast so far ahead")
        }
        let since = standing(at: now)
        let more = delay.map { "; \(BridgeWords.minutes($0.expectedSecondsIfDelayed)) more" }
        let waits =
            switch evidence {
            case .vehicle: loweredAt == nil ? "waits before" : "in the queue before"
            case .prediction: "by its prediction now \(place)"
            case .timetable: "by the timetable now \(place)"
            }
        return "\(waits) \(name), \(since)\(more ?? "")"
    }

    private var place: String { loweredAt == nil ? "before" : "in the queue before" }

    /// What the bridge does, and since when.
    private func standing(at now: Timestamp) -> String {
        let minutes = (loweredAt ?? raisedSince).map {
            Int(max(0, now.minutes(since: $0)).rounded())
        }
        return switch (minutes, loweredAt == nil) {
        case (nil, _): "which is up"
        case (0?, true): "which has just gone up"
        case (let minutes?, true): "up for \(minutes) min"
        case (0?, false): "which has just come down"
        case (let minutes?, false): "down for \(minutes) min"
        }
    }
}

extension BridgeOutlookAtStop {
    /// What the bridges may add to an arrival, such as "bridges: 8 in 100 to be held up, 3 in 100 for 3 min and more".
    public var text: String {
        "bridges: \(BridgeWords.share(probabilityDelayed)) to be held up, "
            + "\(BridgeWords.share(probabilityOver3Minutes)) for 3 min and more"
    }
}

/// Chances and lengths of time as people say them.
enum BridgeWords {
    /// Such as "8 in 100 to be stopped; if so about 4 min".
    static func chance(_ delay: DelayDistribution) -> String {
        guard delay.probabilityDelayed > 0 else { return "not to be stopped" }
        return "\(share(delay.probabilityDelayed)) to be stopped; "
            + "if so \(minutes(delay.expectedSecondsIfDelayed))"
    }

    /// A probability, 0...1, such as "8 in 100"; never a certainty.
    static func share(_ probability: Double) -> String {
        let perHundred = Int((probability * 100).rounded())
        if perHundred < 1 { return "under 1 in 100" }
        return perHundred > 99 ? "over 99 in 100" : "\(perHundred) in 100"
    }

    /// Seconds, such as "about 4 min".
    static func minutes(_ seconds: Double) -> String {
        seconds < 45 ? "under a minute" : "about \(Int((seconds / 60).rounded())) min"
    }

    /// Such as "A", "A and B" or "A, B and C"; beyond so many "A, B and 7 others".
    static func list(_ names: [String], most: Int = 8) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        guard names.count > most else {
            return names.dropLast().joined(separator: ", ") + " and " + last
        }
        return names.prefix(most - 1).joined(separator: ", ")
            + " and \(names.count - most + 1) others"
    }
}
