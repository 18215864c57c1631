// Reloads the model when its file changes or on request; if the new file is refused, the old model stays in use.
package import BridgecastCore
package import BridgecastEngine
internal import BridgecastLive
internal import BridgecastSupport
private import Foundation
private import Logging
internal import ServiceLifecycle
private import Synchronization

package final class ModelWatch: Service {
    package enum Outcome: Sendable, Equatable {
        case loaded(digest: String)
        /// The file is the one in use.
        case unchanged
        /// The old model stays in use.
        case refused(String)
        /// The model was not read from a file.
        case noFile
    }

    /// An element for each model loaded, buffering the newest; for one listener.
    package let changes: AsyncStream<Void>

    private let parts: ServiceParts
    private let meters: FileMeters
    private let changed: AsyncStream<Void>.Continuation
    private let shown: Mutex<ModelStatus>
    /// The file as last seen; locked while it is read, so that two checks do not overlap.
    private let seen = Mutex(Sight.none)

    /// The file as seen by a check.
    private enum Sight: Equatable {
        /// Not checked yet: the file may have been replaced since the model in use was read.
        case none
        /// This file; nil if it is missing.
        case file(FileStamp?)
    }

    /// Seconds between two checks.
    private static let checkSeconds = 1.0

    package init(_ parts: ServiceParts) {
        self.parts = parts
        meters = FileMeters("bridgecast_model", in: parts.metrics)
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let status = ModelStatus(digest: parts.modelDigest, loadedAt: parts.live.clock.now)
        shown = Mutex(status)
        record(status)
    }

    package var status: ModelStatus { shown.withLock { $0 } }

    /// The model in use and the SHA-256 of its file, nil if it was not read from one.
    package var named: (model: LoadedModel, digest: String?) {
        shown.withLock { (parts.inference.model, $0.digest) }
    }

    /// Checks the file regularly until the service stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await self.checkRegularly() }
        changed.finish()
    }

    /// Not on the event loops of connections: a file is read whole.
    @concurrent private func checkRegularly() async {
        repeat { look() } while (try? await Task.sleep(for: .seconds(Self.checkSeconds))) != nil
    }

    /// Loads the file, whether or not it has changed; for a signal and for administrators.
    ///
    /// It blocks while the file is read and checked.
    @discardableResult package func reload() -> Outcome {
        guard let url = parts.modelURL else { return .noFile }
        return seen.withLock { seen in
            // Before it is read: a write in between is then seen as another change.
            seen = .file(FileStamp(url.path))
            return take(url, isForced: true)
        }
    }

    /// Loads the file if it has changed since the last check.
    @discardableResult package func look() -> Outcome {
        guard let url = parts.modelURL else { return .noFile }
        return seen.withLock { seen in
            let found = Sight.file(FileStamp(url.path))
            guard found != seen else { return .unchanged }
            seen = found
            return take(url, isForced: false)
        }
    }

    private func take(_ url: URL, isForced: Bool) -> Outcome {
        do {
            let (model, digest) = try ModelFile.readNamed(url)
            let isInUse = status.digest == digest
            if isInUse, !isForced {
                // The refused file is gone, and the old one is back.
                show { $0.refusal = nil }
                return .unchanged
            }
            meters.countReload()
            show { status in
                // Together with its digest, under one lock.
                parts.inference.use(model)
                status.digest = digest
                status.loadedAt = parts.live.clock.now
                status.refusal = nil
                status.reloads += 1
            }
            parts.live.log.info(
                "model loaded", metadata: ["model": "\(model.header.name)", "sha256": "\(digest)"])
            changed.yield()
            return .loaded(digest: digest)
        } catch { return refuse(error) }
    }

    private func refuse(_ error: ModelFileError) -> Outcome {
        let reason = Self.publicDescription(error)
        meters.countRefusal()
        show { status in
            status.refusal = ModelStatus.Refusal(reason: reason, at: parts.live.clock.now)
            status.refusals += 1
        }
        parts.live.log.error(
            "model refused, the old one stays in use", metadata: ["reason": "\(error)"])
        return .refused(reason)
    }

    /// What is wrong, without a path, for clients.
    private static func publicDescription(_ error: ModelFileError) -> String {
        switch error {
        case .unreadable(_, isMissing: true): "there is no model file"
        case .unreadable: "the model file cannot be read"
        default: printable("\(error)", maxLength: 300)
        }
    }

    private func record(_ status: ModelStatus) {
        meters.record(isRefused: status.refusal != nil, loadedAt: status.loadedAt)
    }

    private func show(_ change: (inout ModelStatus) -> Void) {
        let status = shown.withLock { status in
            change(&status)
            return status
        }
        record(status)
    }
}

/// The state of the model's file since the service began; shown by readiness and administration.
package struct ModelStatus: Sendable, Equatable {
    package struct Refusal: Sendable, Equatable {
        /// What is wrong with it, without a path.
        package let reason: String
        package let at: Timestamp
    }

    /// SHA-256 of the file of the model in use; nil if it was not read from one.
    package var digest: String?
    package var loadedAt: Timestamp
    package var reloads = 0
    package var refusals = 0
    /// The refusal of the current file; nil if the current file is the one in use.
    package var refusal: Refusal?
}
