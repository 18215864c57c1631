// What the formats of others have in common; used by CandidateDocument and CandidateCollector.
// Belongs here: replies of route services and other forms of lines, as types; not: our own routes, or the geometry.

/// A document of candidates in a format that others write.
protocol CandidateFormat: Decodable {
    /// Reads its candidates.
    ///
    /// - Throws: ``DocumentProblem`` if it holds none, ``FileLimitError``.
    func collect(into collector: inout CandidateCollector) throws
}
