// What the decoder lets through and a proxy in front may understand differently; the guard asks for each head.
private import NIOCore
import NIOHTTP1

/// The framing of a request, as its head states it.
struct RequestShape {
    /// Fields of a head; the service knows about twenty.
    static let mostFields = 100

    /// Bytes of the body; nil where it comes in chunks or not at all.
    private(set) var bodyBytes: Int?
    /// Bytes of the names and values of all fields.
    private(set) var fieldBytes = 0
    /// Whether the client waits for a word before it sends the body.
    private(set) var expectsContinue = false
    /// Whether the connection would be handed over to another protocol, after which no request is read.
    private(set) var isLast = false
    /// Whether it can be understood in only one way.
    private(set) var isSound = true

    /// Reads a head.
    init(_ head: HTTPRequestHead) {
        var hosts = 0
        var lengths = 0
        var codings = 0
        // Comparing is done for names of the right length only: this runs for every request.
        for (name, value) in head.headers {
            fieldBytes += name.utf8.count + value.utf8.count
            switch name.utf8.count {
            case 4 where name.isSame(as: "host"): hosts += 1
            case 6 where name.isSame(as: "expect"):
                expectsContinue = value.isSame(as: "100-continue")
            case 7 where name.isSame(as: "upgrade"): isLast = true
            case 14 where name.isSame(as: "content-length"):
                lengths += 1
                bodyBytes = Int(value)
                if bodyBytes == nil { isSound = false }
            case 17 where name.isSame(as: "transfer-encoding"):
                codings += 1
                if !value.isSame(as: "chunked") { isSound = false }
            default: break
            }
        }
        if head.method == .CONNECT { isLast = true }
        let isOld = head.version.minor == 0
        if hosts > 1 || (hosts == 0 && !isOld) { isSound = false }
        if lengths + codings > 1 || (codings > 0 && isOld) { isSound = false }
    }
}

extension String {
    /// Whether it is a word of small letters, in whatever case.
    fileprivate func isSame(as word: StaticString) -> Bool {
        guard utf8.count == word.utf8CodeUnitCount else { return false }
        var position = 0
        for byte in utf8 {
            // Safe: the position is below the count that was compared.
            let expected = unsafe word.utf8Start[position]
            let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            guard (isCapital ? byte | 0x20 : byte) == expected else { return false }
            position += 1
        }
        return true
    }
}
