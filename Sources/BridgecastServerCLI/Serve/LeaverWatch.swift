// People who have left a service: their alerts are removed, and streams that their tokens opened end.
import BridgecastAlertCarriers
import BridgecastAlerts
import BridgecastCLI
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
internal import BridgecastSupport
import Foundation
import Logging
import Synchronization

/// Compares the people of a service with those of its file of alerts.
///
/// `bridgecast token remove` may run while no service does, so that the service itself looks: at its start, after each change
/// of the file of people, and now and then.
final class LeaverWatch: Sendable {
    private let people: PeopleStore
    /// A connection of its own: what it changes is a change of another for those who read the rules.
    private let alerts: AlertStore
    private let streams: AlertStreams
    private let log: Logger
    private let seen = Mutex(Seen())

    private struct Seen: Sendable {
        var version: Int?
        var looks = 0
        /// Why they could not be compared when that was last tried: each reason is logged once.
        var problem = ""
    }

    /// A request may add what belongs to a person who is being removed: looks from one comparison to the next without a
    /// change of the file of people, also after one that failed.
    private static let looksBetween = 60
    private static let secondsBetweenLooks = 1.0

    /// Looks each second until the task is cancelled.
    func run() async {
        while (try? await Task.sleep(for: .seconds(Self.secondsBetweenLooks))) != nil { look() }
    }

    /// - Throws: ``AlertStoreError``.
    init(
        of people: PeopleStore, _ alerts: URL, streams: AlertStreams, log: Logger
    ) throws {
        self.people = people
        self.alerts = try AlertStore(alerts, .writing, emptiesLogRegularly: true)
        self.streams = streams
        self.log = log
    }

    deinit { alerts.close() }

    /// Compares them if that is due.
    func look() {
        do {
            let version = try people.version()
            let isDue = seen.withLock { seen in
                seen.looks += 1
                return seen.version != version || seen.looks >= Self.looksBetween
            }
            guard isDue else { return }
            try compare()
            seen.withLock { $0 = Seen(version: version) }
        } catch {
            let version = try? people.version()
            let isNew = seen.withLock { seen in
                defer { seen = Seen(version: version, problem: "\(error)") }
                return seen.problem != "\(error)"
            }
            guard isNew else { return }
            log.error(
                "people not compared", metadata: ["reason": "\(printable("\(error)"))"])
        }
    }

    private func compare() throws {
        let owners = try alerts.owners()
        let tokens = Dictionary(
            uniqueKeysWithValues: try people.people().map { ($0.id, $0.tokenMadeAt) })
        streams.endStreams(except: tokens)
        guard
            let count = try alerts.removeLeavers(
                among: owners, except: tokens, of: people.folderPath)
        else {
            throw CommandFailure(
                .usage,
                "the file of alerts has people of another folder than --people; nothing of them is removed"
            )
        }
        guard count > 0 else { return }
        log.info("alerts of people who have left removed", metadata: ["people": "\(count)"])
    }
}
