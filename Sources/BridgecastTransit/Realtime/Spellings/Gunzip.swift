// A feed that a server or a person packed by gzip, unpacked within bounds.
internal import BridgecastCore
private import BridgecastUnpacking

/// Unpacks gzip (RFC 1952).
enum Gunzip {
    /// Whether bytes begin as gzip does.
    static func isPacked(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

    /// What is packed; only of the first part where there are several, which no server sends.
    ///
    /// - Throws: `DocumentProblem` if it is damaged, or larger than `most`.
    static func unpacked(_ packed: [UInt8], most: Int) throws(DocumentProblem) -> [UInt8] {
        guard packed.count <= most else { throw tooMuch(most) }
        do throws(Unpacking.Stop) {
            return try Unpacking.firstGzip(packed, most: most)
        } catch {
            switch error {
            case .tooMuch: throw tooMuch(most)
            case .cutShort: throw damaged(at: packed.count)
            case .damaged(_, let place): throw damaged(at: place)
            }
        }
    }

    private static func tooMuch(_ most: Int) -> DocumentProblem {
        DocumentProblem("", "gzip of more than \(most >> 20) MiB: no feed is as large")
    }

    private static func damaged(at byte: Int) -> DocumentProblem {
        DocumentProblem("byte \(byte)", "gzip that is damaged or cut short; fetch it again")
    }
}
