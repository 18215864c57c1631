private import Foundation

package enum FeedAddress {
    /// An address without its query and user, which may hold keys.
    package static func shown(_ url: String) -> String {
        let plain = String(url.prefix { $0 != "?" })
        guard let scheme = plain.range(of: "://") else { return plain }
        let host = plain[scheme.upperBound...].prefix { $0 != "/" }
        // User and password are before an @.
        guard let at = host.lastIndex(of: "@") else { return plain }
        return String(plain[..<scheme.upperBound] + plain[plain.index(after: at)...])
    }
}
