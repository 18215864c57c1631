// The state of a C caller's handle: a model, the live states, and the last error.
import Bridgecast
import CBridgecast
import Foundation
import Synchronization

/// A failure of a call, with the code that C sees.
struct ABIFailure: Error {
    let code: Int
    let text: String

    init(_ code: Int, _ text: String) {
        self.code = code
        self.text = text
    }

    init(_ error: any Error) {
        switch error {
        case let failure as ABIFailure: self = failure
        case let error as ModelFileError: self.init(BRIDGECAST_DATA, "\(error)")
        case let error as RoadNetworkError:
            self.init(error.kind == .missing ? BRIDGECAST_MISSING : BRIDGECAST_DATA, "\(error)")
        default: self.init(BRIDGECAST_USAGE, "\(error)")
        }
    }
}

/// One caller's state, protected by a lock.
final class Handle: Sendable {
    struct State {
        var live = LiveSnapshot(asOf: nil)
        var issueTime: Timestamp?
        /// The file of the roads, read into `roads` on first use.
        var roadsFile: URL
        var roads: RoadNetwork?
        /// What rows are answered from; nil until the caller sets it.
        var records: RowRecords?
        var arrivalScratch = ArrivalScratch()
        var tripScratch = TripScratch()
    }

    let inference: TrafficInference
    private let state: Mutex<State>
    /// The last error's text, zero-terminated; C reads it, so its address is fixed for the handle's life.
    private let lastError = ErrorText()

    /// - Parameter roadsFile: The network that plans are made on.
    init(_ inference: TrafficInference, roadsFile: URL) {
        self.inference = inference
        state = Mutex(State(roadsFile: roadsFile))
    }

    /// Runs a call; the text of a failure is kept.
    func call(_ body: (inout State) throws -> Void) -> Int32 {
        state.withLock { state in
            do {
                try body(&state)
                return Int32(BRIDGECAST_OK)
            } catch {
                let failure = ABIFailure(error)
                lastError.set(failure.text)
                return Int32(failure.code)
            }
        }
    }

    var errorText: UnsafePointer<CChar> { unsafe lastError.pointer }
}

/// A text at a fixed address.
///
/// Unchecked because of the pointer: it is written only inside the handle's lock, and freed with the handle,
/// after which C must not read it.
@safe private final class ErrorText: @unchecked Sendable {
    private let buffer: UnsafeMutableBufferPointer<CChar>

    init() {
        unsafe buffer = UnsafeMutableBufferPointer.allocate(capacity: 512)
        unsafe buffer.initialize(repeating: 0)
    }

    deinit { unsafe buffer.deallocate() }

    func set(_ text: String) { unsafe buffer.fill(text) }

    var pointer: UnsafePointer<CChar> {
        guard let base = unsafe buffer.baseAddress else { preconditionFailure("512 bytes") }
        return unsafe UnsafePointer(base)
    }
}

extension Handle.State {
    func situation() throws -> Situation {
        guard let issueTime else {
            throw ABIFailure(BRIDGECAST_USAGE, "call bridgecast_set_time first")
        }
        return Situation.unknown(at: issueTime).applying(live)
    }

    /// A time that is not later than now by more than clocks may differ.
    func past(_ seconds: Double, _ name: String) throws -> Timestamp {
        let time = try Self.time(seconds, name)
        let latest = issueTime?.adding(minutes: LiveSnapshot.clockToleranceMinutes) ?? .latest
        guard time <= latest else {
            throw ABIFailure(BRIDGECAST_USAGE, "\(name) \(seconds) is after now")
        }
        return time
    }

    static func bridge(_ id: Int32) throws -> BridgeIndex {
        guard let index = BridgeCatalogue.index(of: BridgeID(Int(id))) else {
            throw ABIFailure(
                BRIDGECAST_USAGE, "there is no bridge \(id); known: \(BridgeCatalogue.namesByID)")
        }
        return index
    }

    static func time(_ seconds: Double, _ name: String) throws -> Timestamp {
        // 1970 to 2100.
        guard seconds >= 0, seconds < 4_102_444_800 else {
            throw ABIFailure(
                BRIDGECAST_USAGE, "\(name) \(seconds) is not a time in seconds since 1970")
        }
        return Timestamp(secondsSinceEpoch: Int64(seconds))
    }
}
