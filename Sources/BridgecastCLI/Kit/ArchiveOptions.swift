// The options that name an archive of issued forecasts, and the archiver that commands make of it.
package import ArgumentParser
package import BridgecastCore
package import BridgecastData
package import BridgecastLive
package import BridgecastStore
private import BridgecastTraining
package import Foundation
package import Logging

extension SkillReference {
    /// The published evaluation; nil without the shipped files.
    package static var shipped: SkillReference? {
        ShippedFiles.documentIfAny("models/bridgecast.skill.json").flatMap { SkillReference($0) }
    }
}

/// `--archive` and `--no-archive` of commands that forecast live.
package struct ArchiveOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "The archive of issued forecasts. Default: archive.sqlite next to the store.")
    var archive: String?

    @Flag(name: .long, help: "Do not archive forecasts.")
    var noArchive = false

    package init() {}

    package func validate() throws {
        guard archive == nil || !noArchive else {
            throw ValidationError("--archive and --no-archive contradict each other")
        }
    }

    /// The archive's URL; nil if nothing is archived.
    ///
    /// - Parameter store: The history store; nil if observations are not kept, and forecasts then neither unless an archive is
    ///   named.
    package func url(nextTo store: URL?) -> URL? {
        guard !noArchive else { return nil }
        return archive.map { URL(fileURLWithPath: $0) }
            ?? store.map { ForecastArchive.url(nextTo: $0) }
    }
}

extension ForecastArchiver {
    /// An archiver of a file, by the published evaluation.
    ///
    /// - Parameters:
    ///   - days: How long forecasts are kept; nil for ever.
    ///   - reference: nil for the shipped one.
    ///   - outcomes: All openings that are known now.
    package static func archiving(
        to url: URL, _ kind: ForecastArchive.Kind, keepingDays days: Int? = nil,
        reference: SkillReference? = nil, clock: any WallClock, log: Logger,
        outcomes: @escaping @Sendable () throws -> OpeningHistory
    ) -> ForecastArchiver {
        let scored = { @Sendable in try outcomes().doubtingEdgeStarts }
        var parts = Parts(clock: clock, log: log, outcomes: scored) {
            () throws(ForecastArchiveError) in try ForecastArchive(url, writing: kind)
        }
        parts.days = days
        parts.reference = reference ?? SkillReference.shipped
        return ForecastArchiver(parts)
    }
}
