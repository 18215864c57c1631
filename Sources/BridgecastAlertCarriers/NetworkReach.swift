// Which addresses a message may be sent to: those of the internet, not of private networks or of this machine.
private import Foundation
internal import Glibc

/// The addresses that may be connected to.
public enum NetworkReach: Sendable {
    /// Only addresses of the internet, and none of this machine.
    case publicOnly
    /// All addresses.
    case everywhere

    /// Whether an address may be connected to.
    ///
    /// - Parameter address: 4 or 16 bytes in network order.
    func allows(_ address: [UInt8]) -> Bool {
        switch self {
        case .everywhere: true
        case .publicOnly:
            PublicAddress.isPublic(address) && !OwnAddresses.current().contains(address)
        }
    }

    /// Whether a browser's push service may be at an address that a person has sent, as far as its text says.
    ///
    /// Names are looked up when something is sent, and the addresses that are found then are checked again: a name may
    /// lead elsewhere by then.
    public func allows(endpoint text: String) -> Bool {
        guard let url = URL(string: text), let host = url.host?.lowercased(), url.user == nil else {
            return false
        }
        switch self {
        case .everywhere: return ["http", "https"].contains(url.scheme?.lowercased())
        case .publicOnly:
            guard url.scheme?.lowercased() == "https", url.port ?? 443 == 443 else { return false }
            let bare = host.trimmingCharacters(in: ["[", "]"])
            if let address = Self.address(bare) { return allows(address) }
            // A name of the internet has a domain; a number in another notation is no name.
            let labels = bare.split(separator: ".", omittingEmptySubsequences: true)
            guard labels.count > 1, let last = labels.last, last.contains(where: \.isLetter),
                !last.hasPrefix("0x")
            else { return false }
            return !Self.localDomains.contains(String(last))
        }
    }

    /// Domains that are never of the internet (RFC 6761, RFC 6762, RFC 8375, and `internal` of ICANN).
    private static let localDomains: Set = [
        "localhost", "local", "internal", "invalid", "test", "arpa", "onion",
    ]

    /// The bytes of a numeric address; nil for a name.
    private static func address(_ text: String) -> [UInt8]? {
        var four = in_addr()
        // Safe: both functions write a structure of the family's size.
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            return unsafe withUnsafeBytes(of: &four) { unsafe Array($0) }
        }
        var six = in6_addr()
        if unsafe inet_pton(AF_INET6, text, &six) == 1 {
            return unsafe withUnsafeBytes(of: &six) { unsafe Array($0) }
        }
        return nil
    }
}

/// Tells public addresses from others by the registries of IANA: "IPv4 Special-Purpose Address Registry" and "IPv6
/// Special-Purpose Address Registry" (RFC 6890).
enum PublicAddress {
    /// Whether an address, 4 or 16 bytes in network order, is one of the internet.
    static func isPublic(_ address: [UInt8]) -> Bool {
        switch address.count {
        case 4: !reservedIPv4.contains { $0.contains(address) }
        case 16: isPublicIPv6(address)
        default: false
        }
    }

    /// The first bits of addresses.
    private struct Block {
        let prefix: [UInt8]
        let bits: Int

        func contains(_ address: [UInt8]) -> Bool {
            for index in 0..<(bits + 7) / 8 {
                let mask = UInt8(truncatingIfNeeded: 0xff00 >> min(8, bits - index * 8))
                guard (address[index] ^ prefix[index]) & mask == 0 else { return false }
            }
            return true
        }
    }

    private static func block(_ bytes: UInt8..., bits: Int) -> Block {
        Block(prefix: bytes + [UInt8](repeating: 0, count: 16 - bytes.count), bits: bits)
    }

    private static let reservedIPv4 = [
        // This network, private ones, those behind a provider's address translation, loopback, link-local.
        block(0, bits: 8), block(10, bits: 8), block(100, 64, bits: 10), block(127, bits: 8),
        block(169, 254, bits: 16), block(172, 16, bits: 12), block(192, 168, bits: 16),
        // Protocol assignments, documentation, relays of 6to4, measurement.
        block(192, 0, 0, bits: 24), block(192, 0, 2, bits: 24), block(192, 88, 99, bits: 24),
        block(198, 18, bits: 15), block(198, 51, 100, bits: 24), block(203, 0, 113, bits: 24),
        // Multicast, reserved, broadcast.
        block(224, bits: 4), block(240, bits: 4),
    ]

    private static let reservedIPv6 = [
        // Protocol assignments with Teredo, documentation, 6to4 and its other documentation block.
        block(0x20, 0x01, 0, bits: 23), block(0x20, 0x01, 0x0d, 0xb8, bits: 32),
        block(0x20, 0x02, bits: 16), block(0x3f, 0xff, bits: 20),
    ]
    /// Global unicast addresses; no other block is of the internet.
    private static let globalUnicast = block(0x20, bits: 3)
    /// IPv4 addresses in the notation of IPv6, and those that a gateway translates (RFC 6052).
    private static let mapped = block(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, bits: 96)
    private static let translated = block(0, 0x64, 0xff, 0x9b, bits: 96)

    private static func isPublicIPv6(_ address: [UInt8]) -> Bool {
        if mapped.contains(address) || translated.contains(address) {
            return isPublic(Array(address.suffix(4)))
        }
        return globalUnicast.contains(address) && !reservedIPv6.contains { $0.contains(address) }
    }
}

/// The addresses of this machine's interfaces.
enum OwnAddresses {
    /// As of now: interfaces come and go.
    static func current() -> Set<[UInt8]> {
        var list: UnsafeMutablePointer<ifaddrs>?
        // Safe: the list is only read until it is freed.
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var addresses: Set<[UInt8]> = []
        var entry = unsafe list
        while let current = unsafe entry {
            if let address = unsafe current.pointee.ifa_addr {
                addresses.insert(unsafe bytes(of: address))
            }
            unsafe entry = current.pointee.ifa_next
        }
        return addresses
    }

    /// Empty for an address of another family.
    static func bytes(of address: UnsafeMutablePointer<sockaddr>) -> [UInt8] {
        // Safe: the family says which structure it is.
        switch Int32(unsafe address.pointee.sa_family) {
        case AF_INET:
            unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                var value = unsafe pointer.pointee.sin_addr
                return unsafe withUnsafeBytes(of: &value) { unsafe Array($0) }
            }
        case AF_INET6:
            unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                var value = unsafe pointer.pointee.sin6_addr
                return unsafe withUnsafeBytes(of: &value) { unsafe Array($0) }
            }
        default: []
        }
    }
}
