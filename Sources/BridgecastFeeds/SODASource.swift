// A data set behind a SODA interface and the requests for its pages; used by HistorySync.
public import BridgecastData
internal import BridgecastStore
private import Foundation

/// A data set on a Socrata host, by default the city's bridge openings.
public struct SODASource: Sendable, Equatable {
    /// Scheme and host, such as `https://data.seattle.gov`.
    public var host: String
    /// The data set's id, four letters or digits, a dash, four more.
    public var dataset: String
    /// Sent as `X-App-Token`, which raises the limit on requests.
    public var appToken: String?
    /// Rows asked for at a time, 1...49,999.
    public var pageRows: Int

    /// Creates a source.
    ///
    /// - Throws: ``FeedError/refused(url:reason:)`` if host or id cannot be one.
    public init(
        host: String = "https://data.seattle.gov", dataset: String = "gm8h-9449",
        appToken: String? = nil, pageRows: Int = 5_000
    ) throws(FeedError) {
        let full = host.contains("://") ? host : "https://" + host
        guard (try? FeedRequest.check(full)) != nil, !full.contains("?"), !full.contains("#") else {
            throw .address(url: host)
        }
        let halves = dataset.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2,
            halves.allSatisfy({ $0.count == 4 && $0.allSatisfy(\.isLetterOrDigit) })
        else {
            throw .refused(url: full, reason: "'\(dataset)' is no data set id such as gm8h-9449")
        }
        guard (1...49_999).contains(pageRows) else {
            throw .refused(url: full, reason: "a page has 1 to 49999 rows (--page-rows)")
        }
        self.host = full.hasSuffix("/") ? String(full.dropLast()) : full
        (self.dataset, self.appToken, self.pageRows) = (dataset, appToken, pageRows)
    }

    /// The name under which the store keeps the data set's rows and cursor.
    public var name: String { "\(host)/resource/\(dataset)" }

    /// The request for the page behind a cursor.
    ///
    /// Rows come in the order of their last change, then of their ids. Behind the cursor are the rows
    /// changed at its moment, of which the first so many are known, and all changed later. The last
    /// known row is asked for again: if it is not the first of the page, rows have moved.
    func request(after cursor: SyncCursor) -> FeedRequest {
        var parameters = [
            ("$select", ":id,:updated_at,*"), ("$order", ":updated_at,:id"),
            ("$limit", "\(rows(after: cursor))"), ("$offset", "\(max(0, cursor.seen - 1))"),
        ]
        if let updatedAt = cursor.updatedAt {
            parameters.append(("$where", ":updated_at >= '\(updatedAt)'"))
        }
        let query = parameters.map { "\($0.0)=\(Self.escaped($0.1))" }.joined(separator: "&")
        var request = FeedRequest(feed: "soda", url: "\(name).json?\(query)")
        request.timeoutSeconds = 60
        request.mostBytes = 1_000 * pageRows + 65_536
        request.etag = cursor.etag
        if let appToken { request.headers["X-App-Token"] = appToken }
        return request
    }

    /// Rows of a full page behind a cursor: the one it stands on comes again.
    func rows(after cursor: SyncCursor) -> Int { pageRows + (cursor.seen > 0 ? 1 : 0) }

    private static func escaped(_ text: String) -> String {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~:*,")
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text
    }
}

extension Character {
    fileprivate var isLetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
