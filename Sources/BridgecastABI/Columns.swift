// Columns of rows in the caller's memory, as bridgecast_column describes them: where they are read, and nowhere else.
import Bridgecast
import CBridgecast

/// A column of a C caller; null where a row has no value.
@unsafe struct ColumnInC<Element: BitwiseCopyable> {
    private let values: UnsafePointer<Element>?
    private let validity: UnsafePointer<UInt8>?
    private let offset: Int

    /// - Parameter name: For the message.
    /// - Throws: `ABIFailure` for a column that is needed and missing, or begins before its memory.
    init(_ column: bridgecast_column, _ name: String, mayBeMissing: Bool = false) throws {
        guard unsafe column.values != nil || mayBeMissing else {
            throw ABIFailure(BRIDGECAST_USAGE, "\(name).values must not be NULL")
        }
        guard unsafe column.offset >= 0 else {
            throw ABIFailure(BRIDGECAST_USAGE, unsafe "\(name).offset \(column.offset) is negative")
        }
        unsafe values = unsafe column.values?.assumingMemoryBound(to: Element.self)
        unsafe validity = unsafe column.validity
        unsafe offset = unsafe Int(column.offset)
    }

    /// Whether the caller has such a column.
    var isPresent: Bool { unsafe values != nil }

    /// The value of a row; nil for null.
    @inline(__always)
    subscript(row: Int) -> Element? {
        guard let values = unsafe values, unsafe isValid(row) else { return nil }
        return unsafe values[offset + row]
    }

    /// The element of an array of offsets, which has one more than there are rows and is never null itself.
    @inline(__always)
    func offset(at index: Int) -> Element? { unsafe values?[offset + index] }

    @inline(__always)
    func isValid(_ row: Int) -> Bool {
        guard let validity = unsafe validity else { return true }
        let bit = unsafe offset + row
        return unsafe validity[bit >> 3] >> UInt8(bit & 7) & 1 == 1
    }
}

extension ColumnInC<Int32> {
    /// Checks an array of offsets: from 0 on, not decreasing, up to `end`.
    func checkOffsets(rows: Int, end: Int, _ name: String) throws {
        var before: Int32 = 0
        for index in 0...rows {
            guard let next = unsafe offset(at: index), next >= before, Int(next) <= end else {
                throw ABIFailure(
                    BRIDGECAST_USAGE,
                    "\(name)[\(index)] is less than the one before it, or more than the \(end) elements that there are"
                )
            }
            before = next
        }
    }
}

/// The status of a row, `BRIDGECAST_ROW_…` of bridgecast.h.
enum RowStatus: Int32 {
    case ok = 0
    case missing, time, bridge, past, far, saturation, mode, candidates, steps, stretch,
        notRecorded, failed
}

/// A row that is not answered, and why.
struct RowRefusal: Error {
    let status: RowStatus

    init(_ status: RowStatus) { self.status = status }
}

// MARK: - Values of rows

extension ColumnInC<Int64> {
    /// A time, of microseconds since 1970.
    func time(_ row: Int) throws(RowRefusal) -> Timestamp {
        guard let microseconds = unsafe self[row] else { throw RowRefusal(.missing) }
        // Up to the year 2100, as Handle.State.time has it.
        guard microseconds >= 0, microseconds < 4_102_444_800_000_000 else {
            throw RowRefusal(.time)
        }
        return Timestamp(secondsSinceEpoch: microseconds / 1_000_000)
    }
}

extension ColumnInC<Int32> {
    func bridge(_ row: Int) throws(RowRefusal) -> BridgeIndex {
        guard let id = unsafe self[row] else { throw RowRefusal(.missing) }
        guard let bridge = BridgeIDs.index(of: id) else { throw RowRefusal(.bridge) }
        return bridge
    }
}

extension ColumnInC<Double> {
    /// A degree of saturation; by default that of the hour.
    func saturation(
        _ row: Int, of bridge: BridgeIndex, at time: Timestamp
    ) throws(RowRefusal) -> Float {
        guard let rho = unsafe self[row] else {
            return Float(TrafficProfile.density(of: bridge, at: time))
        }
        // Compared as the engine stores it: a double just below 1 may round to 1.
        guard rho >= 0, Float(rho) < 1 else { throw RowRefusal(.saturation) }
        return Float(rho)
    }
}

/// Bridges by the city's ids, without a search.
enum BridgeIDs {
    private static let indices: [BridgeIndex?] = {
        let largest = BridgeCatalogue.seattle.map(\.id.rawValue).max() ?? 0
        return (0...largest).map { BridgeCatalogue.index(of: BridgeID($0)) }
    }()

    static func index(of id: Int32) -> BridgeIndex? {
        indices.indices.contains(Int(id)) ? indices[Int(id)] : nil
    }
}
