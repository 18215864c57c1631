// Addresses of clients, and the proxies that may state them. Limits are counted by address.
public import BridgecastCore
public import BridgecastSupport
package import HTTPTypes
package import NIOCore

/// An IPv6 address, or an IPv4 one in its mapped form (`::ffff:a.b.c.d`).
package struct ClientAddress: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    /// The bytes before the four of a mapped IPv4 address.
    private static let mappedPrefix: UInt64 = 0xffff << 32

    /// The address of a peer that has none, such as a local socket.
    package static let none = ClientAddress(high: 0, low: 0)

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(peer: SocketAddress?) {
        switch peer {
        case .v4:
            // After family and port, in network byte order.
            let bytes = peer?.bytes(UInt32.self, at: 4) ?? 0
            self.init(high: 0, low: Self.mappedPrefix | UInt64(UInt32(bigEndian: bytes)))
        case .v6:
            // After family, port and flow label.
            self.init(
                high: UInt64(bigEndian: peer?.bytes(UInt64.self, at: 8) ?? 0),
                low: UInt64(bigEndian: peer?.bytes(UInt64.self, at: 16) ?? 0))
        default: self = .none
        }
    }

    /// Reads `192.0.2.1`, `192.0.2.1:8080`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:8080`.
    package init?(_ text: some StringProtocol) {
        var name = Substring(text).drop { $0 == " " || $0 == "\t" }
        while let last = name.last, last == " " || last == "\t" { name.removeLast() }
        if name.first == "[" {
            guard let end = name.firstIndex(of: "]") else { return nil }
            name = name[name.index(after: name.startIndex)..<end]
        } else if name.contains("."), let colon = name.lastIndex(of: ":"),
            name.firstIndex(of: ":") == colon
        {
            name = name[..<colon]
        }
        guard let address = try? SocketAddress(ipAddress: String(name), port: 0) else { return nil }
        self.init(peer: address)
    }

    package var isFour: Bool { high == 0 && low >> 32 == 0xffff }

    /// The part by which clients are counted: all of an IPv4 address, the first 64 bits of an IPv6 one.
    package var counted: ClientAddress { isFour ? self : ClientAddress(high: high, low: 0) }
}

extension SocketAddress {
    /// Bytes of the system's form of the address, zero where it has none there.
    fileprivate func bytes<Word: FixedWidthInteger & BitwiseCopyable>(
        _ type: Word.Type, at offset: Int
    ) -> Word {
        // Safe: only bytes within the stated size are read.
        unsafe withSockAddr { address, size in
            guard offset + MemoryLayout<Word>.size <= size else { return 0 }
            return unsafe UnsafeRawPointer(address).loadUnaligned(
                fromByteOffset: offset, as: Word.self)
        }
    }
}

// MARK: - Proxies

/// The proxies that are trusted, and the header field that they set.
package struct ProxyTrust: Sendable {
    /// Addresses with a common prefix.
    private struct Network {
        let address: ClientAddress
        let bits: Int

        init?(_ text: String) {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, let address = ClientAddress(first) else { return nil }
            let width = address.isFour ? 32 : 128
            guard let stated = parts.count == 2 ? Int(parts[1]) : width else { return nil }
            guard (0...width).contains(stated) else { return nil }
            self.address = address
            bits = stated + 128 - width
        }

        func contains(_ other: ClientAddress) -> Bool {
            let highMask = bits >= 64 ? ~0 : ~(~UInt64(0) >> UInt64(bits))
            let lowMask = bits <= 64 ? 0 : ~(~UInt64(0) >> UInt64(bits - 64))
            return (address.high ^ other.high) & highMask == 0
                && (address.low ^ other.low) & lowMask == 0
        }
    }

    private let field: HTTPField.Name?
    private let networks: [Network]

    /// Reads the settings; addresses may be networks such as `10.0.0.0/8`.
    ///
    /// Without a field no proxy is trusted.
    /// - Throws: ``ProxyTrustError`` for an invalid address or field name.
    package init(_ settings: ServiceSettings) throws(ProxyTrustError) {
        networks = try settings.trustedProxies.map { text throws(ProxyTrustError) in
            guard let network = Network(text) else { throw .noAddress(text) }
            return network
        }
        guard let name = settings.trustedHeader else {
            field = nil
            return
        }
        guard let name = HTTPField.Name(name) else { throw .noField(name) }
        field = name
    }

    package func contains(_ address: ClientAddress) -> Bool {
        field != nil && networks.contains { $0.contains(address) }
    }

    /// The address of the client that sent a request.
    ///
    /// Each proxy appends the address that it saw on the right, so that the right-most that is not a trusted proxy is
    /// the last that a trusted one has seen; addresses left of it may be forged.
    package func client(peer: ClientAddress, fields: HTTPFields) -> ClientAddress {
        guard let field, !networks.isEmpty, contains(peer) else { return peer }
        guard let value = fields[field] else { return peer }
        var seen = peer
        for text in value.split(separator: ",").reversed() {
            guard let address = ClientAddress(text) else { return seen }
            seen = address
            if !contains(address) { return seen }
        }
        return seen
    }
}

/// What is wrong with the settings of proxies.
public enum ProxyTrustError: Failure, Equatable {
    /// Neither an address nor a network.
    case noAddress(String)
    /// Not the name of a header field.
    case noField(String)

    /// An error of usage.
    public var kind: FailureKind { .usage }

    /// What is wrong, and what is expected.
    public var description: String {
        switch self {
        case .noAddress(let text):
            "trusted_proxies: '\(printable(text, maxLength: 60))' is neither an address nor a network such as 10.0.0.0/8"
        case .noField(let text):
            "trusted_header: '\(printable(text, maxLength: 60))' is not the name of a header field such as X-Forwarded-For"
        }
    }
}
