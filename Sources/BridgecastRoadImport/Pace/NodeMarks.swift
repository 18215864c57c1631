// What stands at a node that makes people wait: signals, signs, humps; read from its tags by JunctionControls.

/// Signals, signs and humps of a node.
struct NodeMarks {
    /// Along the drawing of the way, or against it.
    enum Direction {
        case unsaid, forward, backward, both
    }

    var isSignal = false
    var isRampMeter = false
    var signalDirection = Direction.unsaid
    var isStop = false
    var isGiveWay = false
    var isForAll = false
    var isForMinor = false
    var direction = Direction.unsaid
    /// Where people on foot stop the cars with a button.
    var hasButton = false
    /// Seconds that a hump costs.
    var calming = 0.0

    /// Nil if there is nothing to wait for.
    init?(_ tags: RoadTags) {
        let highway = tags["highway"] ?? ""
        let signals = tags["traffic_signals"]
        isSignal =
            highway.hasPrefix("traffic_signals")
            && !["blinker", "emergency", "continuous_green", "no"].contains(signals)
        isRampMeter = signals == "ramp_meter"
        isStop = highway.hasPrefix("stop")
        isGiveWay = highway == "give_way"
        calming =
            (tags["traffic_calming"] ?? "").split(separator: ";").map {
                Self.calmingSeconds[String($0)] ?? 0
            }.max() ?? 0
        hasButton =
            highway == "crossing"
            && (tags["crossing"]?.contains("traffic_signals") ?? false
                || tags["crossing:signals"] == "yes")
        guard isSignal || isStop || isGiveWay || hasButton || calming > 0 else { return nil }
        isForAll = tags["stop"] == "all"
        isForMinor = tags["stop"] == "minor"
        direction = Self.direction(tags["direction"])
        signalDirection = Self.direction(tags["traffic_signals:direction"] ?? tags["direction"])
    }

    private static func direction(_ text: String?) -> Direction {
        switch text {
        case "forward": .forward
        case "backward": .backward
        case "both": .both
        default: .unsaid
        }
    }

    /// Judgement.
    private static let calmingSeconds = [
        "hump": 2.5, "table": 2.0, "bump": 2.5, "cushion": 1.5, "chicane": 1.0, "choker": 1.0,
        "island": 0.5,
    ]
}
