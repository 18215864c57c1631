// Answers that many clients ask for at once, made once: thousands of open pages ask for few trips and few stops.
package import BridgecastCore
internal import BridgecastTransit
internal import HTTPTypes
internal import NIOCore
private import Synchronization

/// For how long the answer to a question is the same for all clients, unless a newer reading of the bridges comes first.
package struct SharedPeriod: Sendable {
    /// Seconds of the service's clock.
    package let seconds: Int64
    /// Whether a newer reading of the vehicles ends it too.
    package var includesVehicles = false
    /// A period with more bytes of answers than this keeps no further ones.
    package var maxBytes = 16 << 20
    /// Whether its end belongs to the next one: for answers that are valid before it alone.
    package var excludesEnd = false

    /// For boards, which count down.
    package static let second = SharedPeriod(seconds: 1, includesVehicles: true)
    /// For what is made from the timetable alone.
    package static let timetable = SharedPeriod(seconds: 60)

    /// When the period ends that a time is in: where that is a multiple of the length, the time itself, or a length after it
    /// where the period excludes its end.
    package func end(at time: Timestamp) -> Timestamp {
        let over = time.secondsSinceEpoch % seconds
        if over == 0 { return excludesEnd ? time.adding(seconds: seconds) : time }
        return time.adding(seconds: (over > 0 ? seconds : 0) - over)
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

        /// Whether a request that came in it was overtaken by one of another epoch.
        fileprivate func isBefore(_ other: Epoch) -> Bool {
            if end != other.end { return end < other.end }
            guard let bridges, let others = other.bridges else { return false }
            return bridges.madeAt < others.madeAt
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
        /// Counts epochs: what is made late in an epoch before is not kept in this one.
        var number = 0
    }

    private enum Found {
        case entry(Entry)
        /// It is made for the caller alone.
        case overtaken
    }

    private let kept = Mutex(Kept())
    private let maxBytes: Int

    /// An epoch with more answers than this keeps no further ones.
    private static let maxAnswers = 4096

    init(_ period: SharedPeriod) { maxBytes = period.maxBytes }

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
        switch found(key, in: epoch, make) {
        case .overtaken: return try await make()
        case .entry(.made(let answer)): return answer
        case .entry(.making(let task)): return try await task.value
        }
    }

    private func found(
        _ key: String, in epoch: Epoch,
        _ make: @escaping @Sendable () async throws -> ServiceAnswer
    ) -> Found {
        kept.withLock { kept in
            if let current = kept.epoch, !current.isSame(as: epoch) {
                if epoch.isBefore(current) { return .overtaken }
                kept = Kept(epoch: epoch, number: kept.number + 1)
            }
            kept.epoch = epoch
            if let entry = kept.entries[key] { return .entry(entry) }
            guard kept.entries.count < Self.maxAnswers else { return .overtaken }
            let entry = Entry.making(
                Task { [number = kept.number] in try await self.made(key, number, make) })
            kept.entries[key] = entry
            return .entry(entry)
        }
    }

    /// - Parameter number: Of the epoch.
    private func made(
        _ key: String, _ number: Int, _ make: () async throws -> ServiceAnswer
    ) async throws -> ServiceAnswer {
        do {
            let answer = try await make().shared
            // One with a problem is made again: any number of mistakes could be asked for, and crowd out the rest.
            keep(answer.status.code < 400 ? answer : nil, key, number)
            return answer
        } catch {
            keep(nil, key, number)
            throw error
        }
    }

    private func keep(_ answer: ServiceAnswer?, _ key: String, _ number: Int) {
        kept.withLock { kept in
            guard kept.number == number else { return }
            let bytes = key.utf8.count + (answer?.byteCount ?? 0)
            guard let answer, kept.bytes + bytes <= maxBytes else {
                kept.entries[key] = nil
                return
            }
            kept.entries[key] = .made(answer)
            kept.bytes += bytes
        }
    }
}

extension ServiceAnswer {
    /// The answer with a document in place of its bytes, compressed once for all.
    fileprivate var shared: ServiceAnswer {
        guard case .bytes(let bytes) = content else { return self }
        var answer = self
        answer.content = .shared(
            SharedDocument(
                bytes,
                level: mediaType == .png
                    ? nil : ResponseFields.packingLevel(byteCount: bytes.count)))
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
            bridges: try? snapshot(),
            vehicles: period.includesVehicles ? state.transit?.timetable.snapshot : nil,
            end: period.end(at: now))
    }
}
