// At which origins a recipe is fitted and scored, and where its files are.
import ArgumentParser
import BridgecastCore
import BridgecastTraining

/// `--origin`, `--days`, `--purge-days`, `--recipe-name`, `--folder`, `--again`.
struct OriginOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "First day that is scored (Seattle); may be repeated. Default: six dates.")
    var origin: [String] = []

    @Option(name: .long, help: "Days from it that are scored.")
    var days = RollingOrigin.usualDays

    @Option(name: .long, help: "Days before it that the fit does not use either.")
    var purgeDays = RollingOrigin.usualPurgeDays

    @Option(name: .long, help: "Name of the recipe, and of its folder.")
    var recipeName: String

    @Option(name: .long, help: "Folder for all recipes; made if need be.")
    var folder: String

    @Flag(name: .long, help: "Make anew what is there of other settings or cannot be read.")
    var again = false

    mutating func validate() throws {
        guard (1...366).contains(days) else { throw ValidationError("--days: 1 to 366") }
        guard (0...366).contains(purgeDays) else { throw ValidationError("--purge-days: 0 to 366") }
        try checkFileName(recipeName, of: "--recipe-name")
    }

    /// The origins in order, each once.
    func origins() throws -> [RollingOrigin] {
        let dates = try origin.map(Self.date)
        return Set(dates.isEmpty ? RollingOrigin.usualDates : dates).sorted().map {
            RollingOrigin($0, days: days, purgeDays: purgeDays)
        }
    }

    /// The date of an `--origin`.
    static func date(_ text: String) throws -> CivilDate {
        guard let date = TimeText.parseDate(text) else {
            throw CommandFailure(.usage, "--origin '\(text)': expected a date, 2026-02-15")
        }
        return date
    }
}
