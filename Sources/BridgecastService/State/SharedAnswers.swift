// Answers that many clients ask for at once, made once: thousands of open pages ask for few trips and few stops.
package import BridgecastCore
internal import BridgecastTransit
internal import NIOCore
private import Synchronization

/// For how long the answer to a question is the same for all clients, unless a newer reading of the bridges comes first.
package struct SharedPeriod: Sendable {
    /// Seconds of the service's clock.
    package let seconds: Int64

    /// For answers that count down.
    package static let second = SharedPeriod(seconds: 1)

    /// When the period ends that a time is in: the time itself where it is a multiple of the length.
    package func end(at time: Timestamp) -> Timestamp {
        let over = time.secondsSinceEpoch % seconds
        return over == 0 ? time : time.adding(seconds: (over > 0 ? seconds : 0) - over)
    }
}

/// A cache of the answers of one epoch; those of the epoch before are dropped with its first request.
///
/// Requests for an answer that is being made wait for it. A failure reaches all that wait, and is not kept.
final class SharedAnswers: Sendable {
    /// What answers are made from besides the request: equal epochs, equal answers.
    struct Epoch: Sendable {
        let bridges: BridgesSnapshot?
        let vehicles: TransitSnapshot?
        /// The end of the period.
        let end: Timestamp

        fileprivate func isSame(as other: Epoch) -> Bool {
            bridges === other.bridges && vehicles === other.vehicles && end == other.end
        }
    }

    private enum Entry {
        case made(ServiceAnswer)
        case making(Task<ServiceAnswer, any Error>)
    }

    private struct Kept {
        var epoch: Epoch?
        var entries: [String: Entry] = [:]
        var bytes = 0
    }

    private let kept = Mutex(Kept())

    /// An epoch with more answers or bytes than this keeps no further ones.
    private static let maxAnswers = 4096
    private static let maxBytes = 32 << 20

    /// The answer to a request; nil if it has not been made in this epoch.
    func answer(_ key: String, in epoch: Epoch) -> ServiceAnswer? {
        kept.withLock { kept in
            guard kept.epoch?.isSame(as: epoch) == true, case .made(let answer) = kept.entries[key]
            else { return nil }
            return answer
        }
    }

    /// The answer to a request, made if it has not been made in this epoch.
    ///
    /// It is made to its end even if the client that asked first goes away.
    /// - Throws: What making it throws.
    func answer(
        _ key: String, in epoch: Epoch,
        _ make: @escaping @Sendable () async throws -> ServiceAnswer
    ) async throws -> ServiceAnswer {
        let entry = kept.withLock { kept in
            if kept.epoch?.isSame(as: epoch) != true { kept = Kept(epoch: epoch) }
            if let entry = kept.entries[key] { return entry }
            let entry = Entry.making(Task { try await self.made(key, in: epoch, make) })
            if kept.entries.count < Self.maxAnswers { kept.entries[key] = entry }
            return entry
        }
        switch entry {
        case .made(let answer): return answer
        case .making(let task): return try await task.value
        }
    }

    private func made(
        _ key: String, in epoch: Epoch, _ make: () async throws -> ServiceAnswer
    ) async throws -> ServiceAnswer {
        do {
            let answer = try await make().shared
            keep(answer, key, in: epoch)
            return answer
        } catch {
            keep(nil, key, in: epoch)
            throw error
        }
    }

    private func keep(_ answer: ServiceAnswer?, _ key: String, in epoch: Epoch) {
        kept.withLock { kept in
            guard kept.epoch?.isSame(as: epoch) == true, kept.entries[key] != nil else { return }
            guard let answer, kept.bytes + answer.byteCount <= Self.maxBytes else {
                kept.entries[key] = nil
                return
            }
            kept.entries[key] = .made(answer)
            kept.bytes += answer.byteCount
        }
    }
}

extension ServiceAnswer {
    /// The answer with a document in place of its bytes, compressed once for all.
    fileprivate var shared: ServiceAnswer {
        guard case .bytes(let bytes) = content else { return self }
        var answer = self
        answer.content = .shared(SharedDocument(bytes))
        return answer
    }

    fileprivate var byteCount: Int {
        guard case .shared(let document) = content else { return 0 }
        return document.identity.readableBytes + (document.packed?.readableBytes ?? 0)
    }
}

extension ServiceRequest {
    /// What a shared answer is made from.
    func epoch(_ period: SharedPeriod) -> SharedAnswers.Epoch {
        SharedAnswers.Epoch(
            bridges: try? snapshot(), vehicles: state.transit?.timetable.snapshot,
            end: period.end(at: now))
    }
}
