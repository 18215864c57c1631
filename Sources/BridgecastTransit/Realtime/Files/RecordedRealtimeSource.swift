// Recorded messages of one feed, each one from the moment at which it was made.
public import BridgecastCore
private import Synchronization

/// Gives the newest message that had been made by a moment.
public final class RecordedRealtimeSource: RealtimeSource {
    /// Which feed it is.
    public let id: String
    /// In order of their moments.
    private let frames: [RealtimeRecording.Frame]
    private let last = Mutex<Int?>(nil)

    init(_ frames: [RealtimeRecording.Frame], id: String) {
        (self.frames, self.id) = (frames, id)
    }

    /// When its messages were made, in order.
    public var moments: [Timestamp] { frames.map(\.made) }

    /// The newest message made at `now` or before; nil if it is the one that was given last.
    ///
    /// A clock that goes back gets the older message again. After the end the last message stays, and ages.
    ///
    /// - Throws: `DocumentProblem` before the first message, or if its file is gone.
    public func fetch(at now: Timestamp) async throws -> [UInt8]? {
        guard let number = number(at: now) else {
            let first = frames.first?.made ?? now
            throw DocumentProblem(
                "",
                "the recording begins \(first.secondsSinceEpoch - now.secondsSinceEpoch) s later")
        }
        guard last.withLock({ $0 != number }) else { return nil }
        let bytes = try RealtimeFile.bytes(frames[number].url)
        last.withLock { $0 = number }
        return bytes
    }

    /// The last frame made by a moment, by halving.
    private func number(at now: Timestamp) -> Int? {
        var (low, high) = (0, frames.count)
        while low < high {
            let middle = (low + high) / 2
            if frames[middle].made <= now { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : low - 1
    }
}
