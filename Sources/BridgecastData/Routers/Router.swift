// A running route server, as a user names it; asked by RouterFeed, named in answers.
// Belongs here: what route servers are asked and what comes of their answers; not: HTTP (BridgecastFeeds), nor how
// a reply is read (Candidates).
internal import Foundation

/// A route server: what it is, and where.
package struct Router: Sendable, Equatable {
    /// What it speaks.
    package enum Kind: String, Sendable, CaseIterable, Codable {
        case osrm, valhalla

        /// For people.
        package var name: String { self == .osrm ? "OSRM" : "Valhalla" }
    }

    /// What it speaks.
    package let kind: Kind
    /// Its address, with whatever path and query stand before and behind its own.
    package let url: String

    /// Reads `osrm=URL` or `valhalla=URL`; nil if a text is neither.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let kind = Kind(rawValue: parts[0].lowercased()) else { return nil }
        (self.kind, url) = (kind, String(parts[1]))
    }

    /// The address without its query and user, which may hold keys.
    package var publicURL: String { FeedAddress.shown(url) }
}
