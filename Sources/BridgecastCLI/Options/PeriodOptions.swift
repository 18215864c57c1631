// Periods on the command line: a date alone means the whole day in Seattle.
import ArgumentParser
import BridgecastCore

/// `--from` and `--to`: the days that are evaluated or exported, by default those of the validation.
struct PeriodOptions: ParsableArguments {
    /// What `--from` is unless said otherwise.
    static let usualFrom = "2026-02-15"
    /// What `--to` is unless said otherwise.
    static let usualTo = "2026-02-28"

    @Option(name: .long, help: "First day (Seattle), or a time.")
    var from = PeriodOptions.usualFrom

    @Option(name: .long, help: "Last day (Seattle, the whole of it), or an exclusive time.")
    var to = PeriodOptions.usualTo

    /// The period, whose end must lie behind its start.
    func interval() throws -> Range<Timestamp> {
        try PeriodText.interval(from, to)
    }
}
