// The address of a client as 16 bytes, for counting and comparing; limits are kept by it.
package import NIOCore

/// An IPv6 address, or an IPv4 one in its mapped form (`::ffff:a.b.c.d`).
package struct ClientAddress: Hashable, Sendable {
    /// The first eight bytes, the most significant first.
    package let high: UInt64
    /// The last eight bytes.
    package let low: UInt64

    /// What the mapped form of IPv4 has before its four bytes.
    private static let mappedPrefix: UInt64 = 0xffff << 32

    /// The address of what has none, such as a local socket.
    package static let none = ClientAddress(high: 0, low: 0)

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// The address of the other end of a connection.
    package init(peer: SocketAddress?) {
        switch peer {
        case .v4:
            // Behind family and port, in the order in which it is written.
            let bytes = peer?.bytes(UInt32.self, at: 4) ?? 0
            self.init(high: 0, low: Self.mappedPrefix | UInt64(UInt32(bigEndian: bytes)))
        case .v6:
            // Behind family, port and flow label.
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

    /// Whether it is one of IPv4.
    package var isFour: Bool { high == 0 && low >> 32 == 0xffff }

    /// What its owner's addresses have in common: all of IPv4, the first 64 bits of IPv6.
    package var counted: ClientAddress { isFour ? self : ClientAddress(high: high, low: 0) }
}

extension SocketAddress {
    /// Bytes of the system's form of the address, zero where it has none there.
    fileprivate func bytes<Word: FixedWidthInteger & BitwiseCopyable>(
        _ type: Word.Type, at offset: Int
    ) -> Word {
        // Safe: only what lies inside of the stated size is read.
        unsafe withSockAddr { address, size in
            guard offset + MemoryLayout<Word>.size <= size else { return 0 }
            return unsafe UnsafeRawPointer(address).loadUnaligned(
                fromByteOffset: offset, as: Word.self)
        }
    }
}
