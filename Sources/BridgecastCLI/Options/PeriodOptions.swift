// Periods on the command line: a date alone means the whole day in Seattle.
import ArgumentParser
import BridgecastCore

/// `--from` and `--to`: the days that are evaluated or exported, by default those of the validation.
struct PeriodOptions: ParsableArguments {
    @Option(name: .long, help: "First day (Seattle), or a time.")
    var from = "2026-02-15"

    @Option(name: .long, help: "Last day (Seattle, the whole of it), or an exclusive time.")
    var to = "2026-02-28"

    /// The period, whose end must lie behind its start.
    func interval() throws -> Range<Timestamp> {
        let start = try PeriodText.start(from)
        let end = try PeriodText.end(to)
        guard start < end else { throw CommandFailure(.usage, "--to lies before --from") }
        return start..<end
    }
}
