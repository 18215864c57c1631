// Which format a document of candidates has, by what is in it; decoded by CandidateFile.
internal import BridgecastCore

/// A document of candidates.
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
            self = .own(try Strict<RoutesDocument>(from: decoder).object)
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
