// What was measured of a timetable, as lines for people; printed by `feed check --timings`.
import BridgecastCLI
import BridgecastTransit

/// Puts timings into lines.
enum FeedTimingsText {
    /// A line for each measurement.
    static func lines(_ timings: FeedTimings) -> [StyledLine] {
        [
            StyledLine(),
            line("read", "\(seconds(timings.readSeconds)) for \(timings.stopTimes) stop times"),
            line("keep", "\(seconds(timings.keepSeconds)), \(timings.cacheBytes >> 10) KB"),
            line("read what was kept", seconds(timings.cachedSeconds)),
            line("find crossings", seconds(timings.crossingsSeconds)),
            line("index \(timings.places) stations", seconds(timings.finderSeconds)),
            line("nearest station", microseconds(timings.nearestMicroseconds)),
            line("board of the busiest stop", microseconds(timings.boardMicroseconds)),
        ]
    }

    private static func line(_ name: String, _ value: String) -> StyledLine {
        var line = StyledLine("  ")
        line.append(name, .dim, width: 28)
        line.append(value)
        return line
    }

    private static func seconds(_ value: Double) -> String {
        "\((max(0, value) * 10_000).rounded() / 10_000) s"
    }

    private static func microseconds(_ value: Double) -> String {
        "\((value * 100).rounded() / 100) microseconds"
    }
}
