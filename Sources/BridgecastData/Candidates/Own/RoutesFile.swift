// Our own form of candidate routes; every mistake is named with the route, the step and the field. Used by
// CandidateFile and by hosts.
public import BridgecastCore
public import Foundation

/// Reads route files: `{"routes": [{id, name, origin, destination, mode, steps}]}`.
///
/// A text `about` beside the routes is for people. A field of another name is refused.
///
/// A step is `{"minutes": mean, "spread": standard deviation, "to": place}` (`spread` and `to` are
/// optional; a missing spread is 15 % of the mean) or `{"bridge": name or id}`.
public enum RoutesFile {
    /// The most routes of one file.
    public static let mostRoutes = 10_000

    /// Reads the content of a file.
    ///
    /// - Parameter path: Named in errors.
    /// - Throws: ``DocumentError``.
    public static func routes(
        _ data: Data, path: String
    ) throws(DocumentError) -> [Route] {
        do throws(DocumentProblem) {
            if let document = OwnRoutesReader.document(data.span) {
                return try document.checkedRoutes()
            }
            return try decodedRoutes(data)
        } catch {
            throw DocumentError(error, in: path)
        }
    }

    /// The routes of a document, by the decoder alone.
    static func decodedRoutes(_ data: Data) throws(DocumentProblem) -> [Route] {
        try JSONDocument.decoded(Strict<RoutesDocument>.self, from: data).object.checkedRoutes()
    }
}
