// What HelperThreads can divide: one mechanism for rows of networks and for routes.

/// Work on a number of things that threads divide into ranges.
///
/// One type for all kinds of it: handing one over allocates nothing.
enum DividedJob: Sendable {
    /// Rows of a network.
    case rows(RowJob)
    /// Routes of a set.
    case routes(RouteJob)

    /// How many things there are.
    var count: Int {
        switch self {
        case .rows(let job): job.rows
        case .routes(let job): job.count
        }
    }

    /// A range has a multiple of so many things, but for the last one.
    var step: Int {
        switch self {
        case .rows: RowJob.step
        case .routes: RouteJob.step
        }
    }

    /// From so many things on waking a thread that sleeps takes less time than it saves.
    var leastWorthWaking: Int {
        switch self {
        case .rows: RowJob.leastWorthWaking
        case .routes: RouteJob.leastWorthWaking
        }
    }

    /// Does a range of the work; 0 is the caller's thread.
    func run(_ range: Range<Int>, thread: Int) {
        switch self {
        case .rows(let job): job.run(range, thread: thread)
        case .routes(let job): job.run(range, thread: thread)
        }
    }
}
