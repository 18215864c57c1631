// Candidate routes from elsewhere, in whatever format they come; used by the commands and hosts.
// Belongs here: formats of routes from outside, and routes out of them; not: which of the routes is best (Engine).
public import BridgecastCore
public import Foundation

/// Reads candidates: our JSON, GeoJSON lines, and the route replies of OSRM, Mapbox, Valhalla, GraphHopper,
/// OpenTripPlanner and openrouteservice, told apart by what is in them.
///
/// Crossings are found by geometry, and when they are reached by the reply's own durations. A candidate that
/// cannot be used is set aside with its reason in the notes; only a file of which nothing is left is refused.
public enum CandidateFile {
    /// Points a file may hold in all.
    package static let mostPoints = 1_000_000

    /// What is read, for messages.
    static let formats =
        "our own routes, GeoJSON lines, and replies of OSRM, Mapbox, Valhalla, GraphHopper, "
        + "OpenTripPlanner and openrouteservice"

    /// Reads a file.
    ///
    /// - Parameter mode: How one travels on lines, which do not say.
    /// - Throws: ``DocumentError``.
    public static func read(_ url: URL, mode: Route.Mode) throws(DocumentError) -> CandidateRoutes {
        try read(InputFile(url), mode: mode)
    }

    /// Reads candidates that are in memory, such as the reply of a route service.
    ///
    /// - Parameters:
    ///   - mode: How one travels on lines, which do not say.
    ///   - name: What to call them in messages.
    /// - Throws: ``DocumentError``.
    public static func read(
        _ data: Data, mode: Route.Mode, name: String = "candidates"
    ) throws(DocumentError) -> CandidateRoutes {
        // What is good needs no look at what else it may be, such as text of another encoding.
        if let document = OwnRoutesReader.document(data.span) {
            do throws(DocumentProblem) {
                return CandidateRoutes(routes: try document.checkedRoutes(), notes: [])
            } catch {
                throw DocumentError(error, in: name)
            }
        }
        return try read(InputFile(data, name: name), mode: mode)
    }

    private static func read(
        _ input: InputFile, mode: Route.Mode
    ) throws(DocumentError) -> CandidateRoutes {
        try input.content { data throws(DocumentProblem) in try candidates(data, mode: mode) }
    }

    /// Reads the reply of a route server, or what a client of the service sends.
    ///
    /// - Parameter whole: What to call it in problems that concern all of it.
    package static func reply(
        _ bytes: [UInt8], mode: Route.Mode, called whole: String = "the answer"
    ) throws(DocumentProblem) -> CandidateRoutes {
        do {
            return try candidates(Data(bytes), mode: mode)
        } catch {
            throw error.place == DocumentProblem.wholeFile
                ? DocumentProblem(whole, error.problem) : error
        }
    }

    /// A route server's own words of why it gives no route; nil if a reply has none.
    package static func refusal(in bytes: [UInt8]) -> String? {
        (try? JSONDecoder().decode(ForeignReply.self, from: Data(bytes)))?.words
    }

    /// Reads text that has been checked to be UTF-8.
    static func candidates(
        _ data: Data, mode: Route.Mode
    ) throws(DocumentProblem) -> CandidateRoutes {
        if let document = OwnRoutesReader.document(data.span) {
            return CandidateRoutes(routes: try document.checkedRoutes(), notes: [])
        }
        return try decodedCandidates(data, mode: mode)
    }

    /// What ``candidates(_:mode:)`` reads, by the decoder alone.
    static func decodedCandidates(
        _ data: Data, mode: Route.Mode
    ) throws(DocumentProblem) -> CandidateRoutes {
        let document = try JSONDocument.decoded(
            CandidateDocument.self, from: data,
            whole: DocumentProblem(
                DocumentProblem.wholeFile,
                "is not valid JSON, or is cut short"))
        switch document {
        case .own(let document):
            return CandidateRoutes(routes: try document.checkedRoutes(), notes: [])
        case .foreign(let format):
            var collector = CandidateCollector(mode: mode)
            return try collector.routes(of: format)
        }
    }
}
