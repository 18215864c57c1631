// Whose word about a client's address is believed: the field of a proxy that is named in the settings, and of no other.
package import HTTPTypes

/// The proxies that are trusted, and the field that they set.
package struct ProxyTrust: Sendable {
    /// Addresses that share their first bits.
    private struct Network {
        let address: ClientAddress
        let bits: Int

        init?(_ text: String) {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, let address = ClientAddress(first) else { return nil }
            let width = address.isFour ? 32 : 128
            guard let stated = parts.count == 2 ? Int(parts[1]) : width else { return nil }
            guard (0...width).contains(stated) else { return nil }
            (self.address, bits) = (address, stated + 128 - width)
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
    /// Nobody is trusted where no field is named.
    /// - Throws: ``ProxyTrustError`` for what is no address or no field name.
    package init(_ settings: ServiceSettings) throws(ProxyTrustError) {
        var networks: [Network] = []
        for text in settings.trustedProxies {
            guard let network = Network(text) else { throw .noAddress(text) }
            networks.append(network)
        }
        self.networks = networks
        guard let name = settings.trustedHeader else {
            field = nil
            return
        }
        guard let name = HTTPField.Name(name) else { throw .noField(name) }
        field = name
    }

    /// Whether an address is one of the proxies.
    package func contains(_ address: ClientAddress) -> Bool {
        field != nil && networks.contains { $0.contains(address) }
    }

    /// The address of the client that sent a request.
    ///
    /// Each proxy adds the address it saw on the right, so the right-most that is no proxy of ours is the last that
    /// one of ours has seen; what stands left of it may be the client's invention.
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
