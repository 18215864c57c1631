// An address as messages and documents may show it; used by requests and by routers.
private import Foundation

/// Addresses of feeds.
package enum FeedAddress {
    /// An address without its query and user, which may hold keys.
    package static func shown(_ url: String) -> String {
        let plain = String(url.prefix { $0 != "?" })
        guard let scheme = plain.range(of: "://") else { return plain }
        let host = plain[scheme.upperBound...].prefix { $0 != "/" }
        // Name and password stand before an @.
        guard let at = host.lastIndex(of: "@") else { return plain }
        return String(plain[..<scheme.upperBound] + plain[plain.index(after: at)...])
    }
}
