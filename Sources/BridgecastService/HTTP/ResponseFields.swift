// The head of every answer: caching, packing, security, the request's id; used by the gate.
internal import BridgecastCore
internal import Hummingbird
internal import HTTPTypes
internal import NIOCore

enum ResponseFields {
    /// The city's feed is asked this often, so nothing changes sooner, seconds.
    private static let readingSeconds = 20
    /// Larger answers are packed quickly rather than well.
    private static let wellPackedBytes = 64 << 10

    /// The response that an answer becomes.
    ///
    /// - Parameter ended: Called when a stream has ended.
    static func response(
        _ answer: ServiceAnswer, _ request: Request, _ known: ServiceRequest,
        ended: @escaping @Sendable () -> Void = {}
    ) -> Response {
        var fields = answer.fields
        fields[.contentType] =
            answer.status == .noContent ? nil : answer.contentType
        fields[.cacheControl] = cacheControl(answer.keeping, known)
        let takesGzip = acceptsGzip(request.headers[.acceptEncoding])
        switch answer.content {
        case .shared(let document):
            let packed = takesGzip ? document.packed : nil
            let tag = packed == nil ? document.tag : document.packedTag
            fields[.eTag] = tag
            if isKnown(document, request.headers[.ifNoneMatch]) {
                fields[.contentType] = nil
                return Response(status: .notModified, headers: fields)
            }
            if packed != nil { fields[.contentEncoding] = "gzip" }
            return Response(
                status: answer.status, headers: fields,
                body: ResponseBody(byteBuffer: packed ?? document.identity))
        case .bytes(let bytes):
            if takesGzip, let packed = Self.packed(bytes) {
                fields[.contentEncoding] = "gzip"
                return Response(
                    status: answer.status, headers: fields,
                    body: ResponseBody(byteBuffer: packed))
            }
            return Response(
                status: answer.status, headers: fields, body: ResponseBody(byteBuffer: bytes))
        case .stream(let stream):
            return Response(
                status: answer.status, headers: fields,
                body: StreamBody.body(stream, ended))
        }
    }

    /// Adds what every answer has.
    ///
    /// - Parameter isPage: Whether it is a file of the page, which has one form and a head of its own.
    static func complete(
        _ response: inout Response, id: String, for request: Request, isPage: Bool = false
    ) {
        response.headers.append(
            contentsOf: isPage ? SecurityFields.ofPage(request.uri.path) : SecurityFields.all)
        // A visit is a hundred files: an id each would be more than some of them.
        if !isPage || response.status.code >= 400 { response.headers[.requestID] = id }
        let varying = isPage ? response.headers[.vary] ?? "Accept-Encoding" : nil
        response.headers[.vary] = varying ?? "Accept, Accept-Encoding"
    }

    private static func packed(_ bytes: ByteBuffer) -> ByteBuffer? {
        guard bytes.readableBytes >= Gzip.leastBytes else { return nil }
        let level: Int32 = bytes.readableBytes > wellPackedBytes ? 1 : 4
        return Gzip.packed(Array(bytes.readableBytesView), level: level).map {
            ByteBuffer(bytes: $0)
        }
    }

    private static func cacheControl(
        _ keeping: ServiceAnswer.Keeping, _ known: ServiceRequest
    ) -> String {
        switch keeping {
        case .never: return "no-store"
        case .ifUnchanged: return "no-cache"
        case .seconds(let seconds): return "public, max-age=\(seconds)"
        case .untilNextReading:
            let madeAt = (try? known.state.board())?.madeAt ?? known.now
            let age = Int(known.now.secondsSinceEpoch - madeAt.secondsSinceEpoch)
            return "public, max-age=\(max(1, min(readingSeconds, readingSeconds - age)))"
        }
    }

    /// Whether a client has one of the forms of a document already (RFC 9110, 13.1.2).
    private static func isKnown(_ document: SharedDocument, _ tags: String?) -> Bool {
        guard let tags else { return false }
        if tags == "*" { return true }
        return tags.split(separator: ",").contains { tag in
            let bare = tag.drop { $0 == " " }
            let strong = bare.hasPrefix("W/") ? bare.dropFirst(2) : bare
            return strong == document.tag || strong == document.packedTag
        }
    }

    /// Whether gzip is among the codings that a client takes (RFC 9110, 12.5.3); its own name says more than `*`.
    private static func acceptsGzip(_ field: String?) -> Bool {
        guard let field else { return false }
        if field == "gzip" { return true }
        var (own, any): (Bool?, Bool?) = (nil, nil)
        for coding in field.split(separator: ",") {
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " } }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            let isTaken = quality.map { (Double($0) ?? 0) > 0 } ?? true
            switch parts.first?.lowercased() {
            case "gzip", "x-gzip": own = isTaken
            case "*": any = isTaken
            default: break
            }
        }
        return own ?? any ?? false
    }
}
