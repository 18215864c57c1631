// Brings a SODA data set into the store, page by page, from where the last run stopped.
public import BridgecastCore
public import BridgecastData
public import BridgecastStore
public import Logging

/// Reads what has changed in a data set since the last time.
///
/// Rows are asked for in the order of their last change. Each page is committed with the cursor behind
/// it in one transaction, so that an interrupted run, killed or cut off, goes on where it stopped and
/// neither loses a row nor stores one twice.
public struct HistorySync: Sendable {
    private let source: SODASource
    private let store: HistoryStore
    private let client: FeedClient
    private let clock: any WallClock
    private let log: Logger
    /// How failures are met.
    public var retries = RetryPolicy()

    /// Rows that move while they are read: stretches are read again at most so often in a run, so that
    /// a host that always gives the same page does not keep it for ever.
    private static let mostRereads = 20

    /// Creates a sync.
    public init(
        _ source: SODASource, into store: HistoryStore, client: FeedClient,
        clock: any WallClock = SystemWallClock(), log: Logger
    ) {
        (self.source, self.store, self.client) = (source, store, client)
        (self.clock, self.log) = (clock, log)
    }

    /// Reads to the end of the data set.
    ///
    /// - Parameter progress: Called behind every page that is committed.
    /// - Throws: ``FeedError``, ``HistoryStoreError``, `CancellationError`; what was committed stays.
    public func run(progress: (SyncReport) -> Void = { _ in }) async throws -> SyncReport {
        var report = SyncReport(source: source.name)
        var cursor = try store.cursor(of: source.name)
        while true {
            let request = source.request(after: cursor)
            let (page, reply) = try await client.get(request, retrying: retries) {
                [clock] body throws(DocumentProblem) in
                try body.map { body throws(DocumentProblem) in try SODAPage(body, now: clock.now) }
            }
            guard let page else {
                report.isNotModified = true
                try store.markComplete(source.name, at: clock.now)
                break
            }
            guard isContinuous(page, cursor) else {
                guard report.rereads < Self.mostRereads else {
                    throw FeedError.refused(
                        url: request.publicURL,
                        reason: "its rows move faster than they can be read; try again later")
                }
                // Rows moved away: everything changed at this moment is read again.
                report.rereads += 1
                cursor = SyncCursor(updatedAt: cursor.updatedAt)
                continue
            }
            let isLast = page.marks.count < source.rows(after: cursor)
            let next = try advanced(cursor, by: page, request)
            var committed = next
            committed.etag = isLast && next == cursor.withoutETag ? reply.etag : nil
            let counts = try store.commit(
                page, cursor: committed, of: source.name, completedAt: isLast ? clock.now : nil)
            report.add(page, counts, isContinued: cursor.seen > 0)
            log.info(
                "page stored",
                metadata: [
                    "source": "\(source.name)", "rows": "\(page.marks.count)",
                    "cursor": "\(committed.updatedAt ?? "-")",
                ])
            progress(report)
            cursor = committed
            if isLast { break }
        }
        return report
    }

    /// Whether the page begins with the row that the cursor stands on.
    private func isContinuous(_ page: SODAPage, _ cursor: SyncCursor) -> Bool {
        guard cursor.seen > 0 else { return true }
        return page.marks.first?.id == cursor.lastRow
            && page.marks.first?.updatedAt == cursor.updatedAt
    }

    /// The cursor behind a page.
    private func advanced(
        _ cursor: SyncCursor, by page: SODAPage, _ request: FeedRequest
    ) throws -> SyncCursor {
        var next = cursor.withoutETag
        // The first row of a page that continues is the one the cursor counts already.
        for mark in page.marks.dropFirst(cursor.seen > 0 ? 1 : 0) {
            if let last = next.updatedAt, mark.updatedAt < last {
                throw FeedError.refused(
                    url: request.publicURL, reason: "its rows are not in the order asked for")
            }
            next.seen = mark.updatedAt == next.updatedAt ? next.seen + 1 : 1
            (next.updatedAt, next.lastRow) = (mark.updatedAt, mark.id)
        }
        return next
    }
}

extension SyncReport {
    init(source: String) {
        self.source = source
    }

    /// Counts a page; the first row of one that continues has been counted before.
    fileprivate mutating func add(
        _ page: SODAPage, _ counts: HistoryStore.PageCounts, isContinued: Bool
    ) {
        pages += 1
        rows += page.marks.count
        added += counts.added
        changed += counts.changed
        unchanged += counts.unchanged
        for (reason, count) in page.rejections { rejections[reason, default: 0] += count }
        for (flag, count) in page.flags { flags[flag, default: 0] += count }
        guard isContinued else { return }
        rows -= 1
        if let known = page.firstRejection {
            rejections[known, default: 1] -= 1
        } else {
            unchanged -= 1
        }
        for flag in page.firstFlags { flags[flag, default: 1] -= 1 }
        rejections = rejections.filter { $0.value > 0 }
        flags = flags.filter { $0.value > 0 }
    }
}
