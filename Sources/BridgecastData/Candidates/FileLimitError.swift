// Limits of a file as a whole; thrown by LineReader and CandidateCollector.
internal import BridgecastCore

/// A limit is passed: the file is refused, whereas any other problem of a candidate costs that candidate only.
struct FileLimitError: Error {
    let problem: DocumentProblem
}
