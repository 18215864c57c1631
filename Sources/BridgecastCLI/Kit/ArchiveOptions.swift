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
    /// - Throws: ``CommandFailure`` for the store itself, or an error of the archive if the named one cannot be used.
    package func url(nextTo store: URL?) throws -> URL? {
        guard !noArchive else { return nil }
        guard let archive else { return store.map { ForecastArchive.url(nextTo: $0) } }
        let url = URL(fileURLWithPath: archive)
        try ForecastArchive.checkApart(url, fromStore: store)
        guard try HistoryStore.fileExists(at: url) else { return url }
        do throws(ForecastArchiveError) {
            try ForecastArchive.check(url, for: .live)
        } catch {
            // The name is wrong. An archive that fails is logged, and forecasting goes on.
            switch error.problem {
            case .foreign, .usedOtherwise: throw error
            default: break
            }
        }
        return url
    }
}

extension ForecastArchive {
    /// - Throws: ``CommandFailure`` if an archive and a store are to be one file.
    package static func checkApart(_ archive: URL, fromStore store: URL?) throws {
        guard archive.standardizedFileURL == store?.standardizedFileURL else { return }
        throw CommandFailure(
            .usage, "--archive: \(archive.path) is the store; forecasts are in a file of their own")
    }

    /// Checks that forecasts of a kind can go into an existing file; an empty one is filled.
    ///
    /// - Throws: ``ForecastArchiveError``.
    package static func check(_ url: URL, for kind: Kind) throws(ForecastArchiveError) {
        do throws(ForecastArchiveError) {
            let archive = try ForecastArchive(reading: url)
            defer { archive.close() }
            guard archive.kind == kind else {
                throw ForecastArchiveError(path: url.path, otherThan: kind)
            }
        } catch {
            guard error.problem == .empty else { throw error }
        }
    }
}

extension ForecastArchiver {
    /// An archiver of a file, by the published evaluation.
    ///
    /// - Parameters:
    ///   - days: How long forecasts are kept; nil for ever.
    ///   - reference: The published evaluation of the model; nil for none.
    ///   - outcomes: All openings that are known now.
    package static func archiving(
        to url: URL, _ kind: ForecastArchive.Kind, keepingDays days: Int? = nil,
        reference: SkillReference?, clock: any WallClock, log: Logger,
        outcomes: @escaping @Sendable () throws -> OpeningHistory
    ) -> ForecastArchiver {
        let scored = { @Sendable in try outcomes().doubtingEdgeStarts }
        var parts = Parts(clock: clock, log: log, outcomes: scored) {
            () throws(ForecastArchiveError) in try ForecastArchive(url, writing: kind)
        }
        parts.days = days
        parts.reference = reference
        return ForecastArchiver(parts)
    }
}
