// What a live service counts while it runs, for reports, `bench` and tests.

extension LiveService {
    /// What has happened so far, for reports and tests.
    public struct Counts: Sendable, Equatable {
        /// Requests to the bridge feed.
        public var requests = 0
        /// Those that failed.
        public var failures = 0
        /// Inference batches.
        public var batches = 0
        /// Changes of state.
        public var changes = 0
        /// Readings that the store did not take, and why the last of them.
        public var unstored = 0
        /// See ``unstored``.
        public var storeProblem: String?
        /// From the last byte of a reading that changed a state to the models, seconds.
        public var latencies: [Double] = []
    }
}
