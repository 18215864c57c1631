// Candidate routes from elsewhere, in whatever format they come; each format has a file here.
public import BridgecastCore
public import BridgecastSupport
public import Foundation

/// Reads candidates: our JSON, GeoJSON lines, and the route replies of OSRM, Mapbox, Valhalla, GraphHopper,
/// OpenTripPlanner and openrouteservice, distinguished by their content.
///
/// Crossings are found by geometry, and when they are reached by the reply's own durations. A candidate that
/// cannot be used is set aside with its reason in the notes; only a file of which nothing is left is refused.
public enum CandidateFile {
    /// Points a file may hold in all.
    package static let maxPoints = 1_000_000

    /// What is read, for messages.
    static let formats =
        "our own routes, GeoJSON lines, and replies of OSRM, Mapbox, Valhalla, GraphHopper, "
        + "OpenTripPlanner and openrouteservice"

    /// Reads a file.
    ///
    /// - Parameter mode: The mode of travel on lines, which have none.
    /// - Throws: ``DocumentError``.
    public static func read(_ url: URL, mode: Route.Mode) throws(DocumentError) -> CandidateRoutes {
        try read(InputFile(url), mode: mode)
    }

    /// Reads candidates that are in memory, such as the reply of a route service.
    ///
    /// - Parameters:
    ///   - mode: The mode of travel on lines, which have none.
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
            throw error.location == DocumentProblem.wholeFile
                ? DocumentProblem(whole, error.problem) : error
        }
    }

    /// Why a route server gives no route, as it says itself; nil if a reply does not say.
    package static func refusal(in bytes: [UInt8]) -> String? {
        (try? JSONDecoder().decode(ForeignReply.self, from: Data(bytes)))?.message
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
            whole: DocumentProblem(DocumentProblem.wholeFile, "is not valid JSON, or is cut short"))
        switch document {
        case .own(let document):
            return CandidateRoutes(routes: try document.checkedRoutes(), notes: [])
        case .foreign(let format):
            var collector = CandidateCollector(mode: mode)
            return try collector.routes(of: format)
        }
    }
}

/// Candidate routes as read.
public struct CandidateRoutes: Sendable {
    /// The routes.
    public let routes: [Route]
    /// What was corrected, estimated or set aside, for people.
    public let notes: [String]
    /// The bridges of each route by name, those that never open among them; none for routes of our own format.
    package var decks: [[String]] = []
}

// MARK: - Formats

enum CandidateDocument: Decodable {
    /// Our own routes.
    case own(RoutesDocument)
    /// What others write.
    case foreign(any CandidateFormat)

    init(from decoder: any Decoder) throws {
        try Self.checkObject(decoder)
        let reply = try ForeignReply(from: decoder)
        if reply.names.hasAny(of: "trip") {
            self = .foreign(try ValhallaReply(from: decoder))
        } else if reply.type.flatMap(GeoJSONType.init) != nil {
            self = .foreign(try GeoJSONDocument(from: decoder))
        } else if let paths = try? GraphHopperReply(from: decoder) {
            self = .foreign(paths)
        } else if let plan = reply.plan, !plan.itineraries.isEmpty {
            self = .foreign(plan)
        } else if let refusal = reply.refusal {
            throw DocumentProblem(DocumentProblem.wholeFile, refusal)
        } else if reply.isLikeOSRM {
            self = .foreign(try OSRMReply(from: decoder))
        } else if reply.hasRoutes {
            self = .own(try StrictObject<RoutesDocument>(from: decoder).object)
        } else {
            throw DocumentProblem(
                DocumentProblem.wholeFile,
                "holds no \"routes\"; Bridgecast reads \(CandidateFile.formats)")
        }
    }

    private static func checkObject(_ decoder: any Decoder) throws {
        if (try? FieldNames(from: decoder)) != nil { return }
        let what = (try? decoder.unkeyedContainer()) == nil ? "a bare JSON value" : "a JSON array"
        throw DocumentProblem(
            DocumentProblem.wholeFile,
            "is \(what), not an object with routes; Bridgecast reads \(CandidateFile.formats)")
    }
}

/// A document of candidates in a format that others write.
protocol CandidateFormat: Decodable {
    /// Reads its candidates.
    ///
    /// - Throws: ``DocumentProblem`` if it holds none, ``FileLimitError``.
    func collect(into collector: inout CandidateCollector) throws
}

/// A limit is passed: the file is refused, whereas any other problem of a candidate costs that candidate only.
struct FileLimitError: Error {
    let problem: DocumentProblem
}
