// Structs that a C caller hands in: they may be those of an older header, or of a later one.
import CBridgecast

/// Sizes of the structs in the first header of this ABI; a caller's are at least as large.
let delaySizeInABI1 = 48
/// See ``delaySizeInABI1``.
let routeSizeInABI1 = 472
/// No header has larger ones: a size beyond comes from memory that was never set.
private let largestSize = 1 << 16

/// A place for a struct of the caller's, whose first member says how large it is there.
@unsafe struct CallerStruct {
    private let place: UnsafeMutableRawPointer
    /// Bytes of the struct as the caller knows it.
    let size: Int

    /// - Parameter advice: What the caller has to set.
    init(_ place: UnsafeMutableRawPointer?, leastSize: Int, _ advice: String) throws {
        guard let place = unsafe place,
            (leastSize...largestSize).contains(unsafe place.load(as: Int.self))
        else { throw ABIFailure(BRIDGECAST_USAGE, "set \(advice)") }
        unsafe (self.place, size) = unsafe (place, place.load(as: Int.self))
    }

    private init(_ place: UnsafeMutableRawPointer, size: Int) {
        unsafe (self.place, self.size) = unsafe (place, size)
    }

    /// The struct so many places on in an array.
    func advanced(by count: Int) -> CallerStruct {
        unsafe CallerStruct(place.advanced(by: count * size), size: size)
    }

    /// Writes as much of a value as the caller knows; what the caller knows and the value has not is set to 0.
    func write<Value: BitwiseCopyable>(_ value: Value) {
        unsafe withUnsafeBytes(of: value) { bytes in
            let known = min(bytes.count, unsafe size)
            if let start = bytes.baseAddress {
                unsafe place.copyMemory(from: start, byteCount: known)
            }
            _ = unsafe place.advanced(by: known).initializeMemory(
                as: UInt8.self, repeating: 0, count: size - known)
        }
    }
}
