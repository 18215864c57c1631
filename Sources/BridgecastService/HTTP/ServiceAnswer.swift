// What a handler answers, and the HTTP response made of it: ETag, compression, caching, security headers.
package import BridgecastCore
internal import BridgecastLive
package import HTTPTypes
internal import Hummingbird
package import NIOCore

package struct ServiceAnswer: Sendable {
    /// How long an answer may be cached.
    package enum Keeping: Sendable, Equatable {
        case never
        /// By nothing, not even by the browser of the person whose answer it is.
        case privately
        /// Only after revalidation with the service.
        case ifUnchanged
        /// Until the next reading of the bridges may change it.
        case untilNextReading
        case seconds(Int)
        /// Until a time of the service's clock.
        case until(Timestamp)
    }

    package var status = HTTPResponse.Status.ok
    /// The form; nil for a file of the page.
    package let mediaType: MediaType?
    package let contentType: String
    package var content: Content
    /// How long it may be cached.
    package var keeping = Keeping.untilNextReading
    package var fields = HTTPFields()

    package enum Content: Sendable {
        case bytes([UInt8])
        /// Bytes that many requests share.
        case shared(SharedDocument)
        /// Events, until the service or the client ends the stream.
        case stream(EventStream)
    }

    package init(_ mediaType: MediaType, _ bytes: [UInt8], keeping: Keeping = .untilNextReading) {
        self.init(mediaType, .bytes(bytes), keeping: keeping)
    }

    package init(_ mediaType: MediaType, _ content: Content, keeping: Keeping = .untilNextReading) {
        self.mediaType = mediaType
        contentType = mediaType.contentType
        self.content = content
        self.keeping = keeping
    }

    package init(contentType: String, _ content: Content, keeping: Keeping) {
        mediaType = nil
        self.contentType = contentType
        self.content = content
        self.keeping = keeping
    }
}

// MARK: - Response

enum ResponseFields {
    /// Readings come no more often than this, so nothing changes sooner, seconds.
    private static let readingSeconds = Int(RefreshInterval.minSeconds)
    /// Larger answers are compressed fast rather than well.
    private static let maxWellPackedBytes = 64 << 10

    /// The level of compression of an answer that is made for one request, or for few.
    static func packingLevel(byteCount: Int) -> Int32 { byteCount > maxWellPackedBytes ? 1 : 4 }

    /// The response of an answer.
    ///
    /// - Parameter ended: Called when a stream has ended.
    static func response(
        _ answer: ServiceAnswer, to request: Request, _ accepted: ServiceRequest,
        ended: @escaping @Sendable () -> Void = {}
    ) -> Response {
        var fields = answer.fields
        fields[.contentType] = answer.status == .noContent ? nil : answer.contentType
        fields[.cacheControl] = cacheControl(answer.keeping, accepted)
        let takesGzip = acceptsGzip(request.headers[.acceptEncoding])
        switch answer.content {
        case .shared(let document):
            let packed = takesGzip ? document.packed : nil
            let tag = packed == nil ? document.tag : document.packedTag
            fields[.eTag] = tag
            // An error is no version of what was asked for (RFC 9110, 13.2.1).
            if answer.status == .ok, isKnown(document, request.headers[.ifNoneMatch]) {
                fields[.contentType] = nil
                return Response(status: .notModified, headers: fields)
            }
            if packed != nil { fields[.contentEncoding] = "gzip" }
            return Response(
                status: answer.status, headers: fields,
                body: ResponseBody(byteBuffer: packed ?? document.identity))
        case .bytes(let bytes):
            let level = packingLevel(byteCount: bytes.count)
            let packed = takesGzip ? Gzip.packed(bytes, level: level) : nil
            if packed != nil { fields[.contentEncoding] = "gzip" }
            return Response(
                status: answer.status, headers: fields,
                body: ResponseBody(byteBuffer: packed ?? ByteBuffer(bytes: bytes)))
        case .stream(let stream):
            return Response(status: answer.status, headers: fields, body: body(stream, ended))
        }
    }

    /// Adds the header fields that every answer has.
    ///
    /// - Parameter isPage: Whether it is a file of the page, which has one form and header fields of its own.
    static func complete(
        _ response: inout Response, id: String, for request: Request, isPage: Bool = false
    ) {
        // An answer's own field takes precedence: a widget may be framed.
        let isPrivate = PrivateResources.contains(request.uri.path)
        let fields =
            isPage
            ? SecurityFields.ofPage(request.uri.path)
            : isPrivate ? SecurityFields.privately : SecurityFields.all
        for field in fields where response.headers[field.name] == nil {
            response.headers.append(field)
        }
        // A visit requests a hundred files: an id each would be larger than some of them.
        if !isPage || response.status.code >= 400 { response.headers[.requestID] = id }
        let varying = isPage ? response.headers[.vary] ?? "Accept-Encoding" : nil
        response.headers[.vary] =
            varying
            ?? (isPrivate ? "Accept, Accept-Encoding, Authorization" : "Accept, Accept-Encoding")
    }

    /// A body that ends with the stream, or when the client disconnects.
    private static func body(
        _ stream: EventStream, _ ended: @escaping @Sendable () -> Void
    ) -> ResponseBody {
        ResponseBody { writer in
            defer { ended() }
            for await chunk in stream.chunks { try await writer.write(chunk) }
            try await writer.finish(nil)
        }
    }

    private static func cacheControl(
        _ keeping: ServiceAnswer.Keeping, _ accepted: ServiceRequest
    ) -> String {
        switch keeping {
        case .never: return "no-store"
        case .privately: return "private, no-store"
        case .ifUnchanged: return "no-cache"
        case .seconds(let seconds): return "public, max-age=\(seconds)"
        case .until(let end):
            return "public, max-age=\(maxAge(until: end, accepted))"
        case .untilNextReading:
            let madeAt = (try? accepted.state.snapshot())?.madeAt ?? accepted.now
            let age = Int(accepted.now.secondsSinceEpoch - madeAt.secondsSinceEpoch)
            return "public, max-age=\(max(1, min(readingSeconds, readingSeconds - age)))"
        }
    }

    /// Whole seconds by the clock of caches that are surely left until a time of the service's clock.
    private static func maxAge(until end: Timestamp, _ accepted: ServiceRequest) -> Int {
        // The current second may be almost over.
        let left = Double(end.secondsSinceEpoch - accepted.now.secondsSinceEpoch - 1)
        let rate = accepted.state.parts.live.clock.pace.rate ?? 1
        return Int(max(0, rate > 1 ? left / rate : left))
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

    /// Whether a client accepts gzip (RFC 9110, 12.5.3); its own name has precedence over `*`.
    private static func acceptsGzip(_ field: String?) -> Bool {
        guard let field else { return false }
        if field == "gzip" { return true }
        var own: Bool?
        var any: Bool?
        for coding in WeightedList.elements(of: field) {
            switch coding.name {
            case "gzip", "x-gzip": own = coding.quality > 0
            case "*": any = coding.quality > 0
            default: break
            }
        }
        return own ?? any ?? false
    }
}

// MARK: - Header fields

package enum SecurityFields {
    /// For all answers except files of the page.
    package static let all: HTTPFields = [
        .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
        .known("Referrer-Policy"): "no-referrer",
        .crossOriginResourcePolicy: "cross-origin",
        .accessControlAllowOrigin: "*",
        .accessControlExposeHeaders:
            "Age, ETag, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id, X-Service-Time",
    ]

    /// For resources of a person: no other site reads them, and no cache keeps even a refusal.
    package static let privately: HTTPFields = [
        .cacheControl: "private, no-store",
        .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
        .known("Referrer-Policy"): "no-referrer",
        .crossOriginResourcePolicy: "same-origin",
    ]

    /// For the page and its service worker, which load modules and data from this service and no other host.
    package static let page: HTTPFields = [
        .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy:
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
            + "connect-src 'self'; frame-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
            + "form-action 'self'; frame-ancestors 'none'",
        .known("Referrer-Policy"): "same-origin",
        .known("Permissions-Policy"):
            "geolocation=(self), camera=(), microphone=(), payment=(), usb=()",
        .known("Cross-Origin-Opener-Policy"): "same-origin",
        .crossOriginResourcePolicy: "same-origin",
    ]

    /// For the modules of the page: a policy applies to a document or a worker, and with one each a hundred modules would
    /// be fifty kilobytes larger.
    package static let pageFile: HTTPFields = [
        .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "same-origin",
    ]

    static func ofPage(_ path: String) -> HTTPFields {
        let isDocument = path.hasSuffix("/") || path.hasSuffix(".html") || path.hasSuffix("/sw.js")
        return isDocument ? page : pageFile
    }
}

extension HTTPField.Name {
    static let requestID = known("X-Request-Id")
    /// `X-Service-Time`: when an answer was sent, by the service's clock, which runs fast in a replay.
    static let serviceTime = known("X-Service-Time")
    static let lastEventID = known("Last-Event-ID")

    /// A name that is a literal of this program.
    ///
    /// - Precondition: It is a token (RFC 9110, 5.6.2).
    static func known(_ text: String) -> Self {
        guard let name = Self(text) else {
            preconditionFailure("\(text) is not the name of a header field")
        }
        return name
    }
}
