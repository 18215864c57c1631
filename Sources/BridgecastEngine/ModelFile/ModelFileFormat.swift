// The fixed numbers of the .bcm format, shared by its reader and its writer. Specification: models/FORMAT.md.

package enum ModelFileFormat {
    /// First bytes of every model file: "BRIDGECM".
    package static let magic: [UInt8] = Array("BRIDGECM".utf8)
    /// The version this code reads and writes.
    package static let version: UInt32 = 2
    /// Magic, version, four reserved zero bytes, header length.
    package static let preambleBytes = 24
    /// SHA-256 of all bytes before it.
    package static let digestBytes = 32
    /// Tensors start at multiples of this.
    static let alignment = 64

    // Limits: refused before anything is allocated.
    static let largestFileBytes = 64 << 20
    static let largestHeaderBytes = 1 << 20
    static let mostTensors = 64
    static let mostLayers = 16
    static let widestLayer = 4096
    static let longestName = 64
    /// No input may drive an output beyond this: then no forecast can come out as NaN.
    static let largestOutput = 1e30

    /// No sum of an int8 layer, bias included, reaches this.
    static let largestSum = Double(1 << 25)
    /// A hidden int8 layer's sum times its multiplier fits an int32.
    static let largestHiddenMultiplier = 64.0

    package static func aligned(_ offset: Int) -> Int {
        (offset + alignment - 1) / alignment * alignment
    }

    static func bytesPerNumber(_ dtype: String) -> Int? {
        switch dtype {
        case "i8": 1
        case "f16": 2
        case "f32": 4
        default: nil
        }
    }
}
