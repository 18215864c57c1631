// Takes a new model over when its file changes or somebody asks for it; a refused file keeps the old one in use.
internal import BridgecastCore
package import BridgecastEngine
internal import BridgecastLive
private import Foundation
private import Logging
internal import ServiceLifecycle
private import Synchronization

/// Watches the model's file.
package final class ModelWatch: Service {
    /// What came of a look at the file.
    package enum Outcome: Sendable, Equatable {
        /// The model is in use now.
        case loaded(digest: String)
        /// The file is the one that is in use.
        case unchanged
        /// The old model stays in use.
        case refused(String)
        /// The model came from no file.
        case noFile
    }

    /// An element for each model taken over, the newest only where nobody awaited it; for one who listens.
    package let changes: AsyncStream<Void>

    private let parts: ServiceParts
    private let meters: ModelMeters
    private let changed: AsyncStream<Void>.Continuation
    private let shown: Mutex<ModelStatus>
    /// The file as it was last looked at; held while it is read, so that two looks do not overtake each other.
    private let seen = Mutex(Sight.none)

    /// What a look at the file's place has shown.
    private enum Sight: Equatable {
        /// Nobody has looked: the file may have been exchanged since the model in use was read.
        case none
        /// This file; nil for none.
        case file(FileIdentity?)
    }

    /// The file is looked at this often, seconds.
    private static let lookSeconds = 1.0

    package init(_ parts: ServiceParts) {
        self.parts = parts
        meters = ModelMeters(parts.metrics)
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let status = ModelStatus(digest: parts.modelDigest, loadedAt: parts.live.clock.now)
        shown = Mutex(status)
        meters.show(status)
    }

    /// How the model stands.
    package var status: ModelStatus { shown.withLock { $0 } }

    /// The model in use and the SHA-256 of its own file, nil if it came from none.
    package var named: (model: LoadedModel, digest: String?) {
        shown.withLock { (parts.inference.model, $0.digest) }
    }

    /// Looks at the file again and again until the service stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await self.lookAgainAndAgain() }
        changed.finish()
    }

    /// Runs on the threads of tasks, not on those of connections: a file is read whole.
    @concurrent
    private func lookAgainAndAgain() async {
        repeat { look() } while (try? await Task.sleep(for: .seconds(Self.lookSeconds))) != nil
    }

    /// Takes the file over, whether or not it has changed; for a signal and for administrators.
    ///
    /// It blocks while the file is read and checked.
    @discardableResult
    package func reload() -> Outcome {
        guard let url = parts.modelURL else { return .noFile }
        return seen.withLock { seen in
            // Before it is read: what is written meanwhile is then seen as another change.
            seen = .file(FileIdentity(url.path))
            return take(url, isAsked: true)
        }
    }

    /// Takes the file over if it has changed since the last look.
    @discardableResult
    package func look() -> Outcome {
        guard let url = parts.modelURL else { return .noFile }
        return seen.withLock { seen in
            let found = Sight.file(FileIdentity(url.path))
            guard found != seen else { return .unchanged }
            seen = found
            return take(url, isAsked: false)
        }
    }

    private func take(_ url: URL, isAsked: Bool) -> Outcome {
        do {
            let (model, digest) = try ModelFile.readNamed(url)
            let isInUse = status.digest == digest
            if isInUse, !isAsked {
                // What was refused is gone, and the old file is back.
                show { $0.refusal = nil }
                return .unchanged
            }
            meters.countReload()
            show { status in
                // At once with its digest: nobody takes one for the other's.
                parts.inference.use(model)
                (status.digest, status.loadedAt, status.refusal) = (
                    digest, parts.live.clock.now, nil
                )
                status.reloads += 1
            }
            parts.live.log.info(
                "model loaded", metadata: ["model": "\(model.header.name)", "sha256": "\(digest)"])
            changed.yield()
            return .loaded(digest: digest)
        } catch {
            return refuse(error)
        }
    }

    private func refuse(_ error: ModelFileError) -> Outcome {
        let reason = Self.words(error)
        meters.countRefusal()
        show { status in
            status.refusal = ModelStatus.Refusal(reason: reason, at: parts.live.clock.now)
            status.refusals += 1
        }
        parts.live.log.error(
            "model refused, the old one stays in use", metadata: ["reason": "\(error)"])
        return .refused(reason)
    }

    /// What is wrong, for those who must not learn where files lie.
    private static func words(_ error: ModelFileError) -> String {
        switch error {
        case .unreadable(_, isMissing: true): "there is no model file"
        case .unreadable: "the model file cannot be read"
        default: printable("\(error)", most: 300)
        }
    }

    private func show(_ change: (inout ModelStatus) -> Void) {
        let status = shown.withLock { status in
            change(&status)
            return status
        }
        meters.show(status)
    }
}
