// Reads a request's body under its limits; used by the gate.
internal import BridgecastCore
internal import BridgecastData
internal import Hummingbird
internal import HTTPTypes
internal import NIOCore

enum RequestBodyReader {
    /// The body of a request; empty where none is taken.
    ///
    /// - Throws: ``Problem`` 413, 415 or 503.
    static func body(
        of request: Request, for endpoint: Endpoint, _ settings: ServiceSettings,
        _ share: BodyBudget.Share
    ) async throws -> ByteBuffer {
        guard !endpoint.bodyTypes.isEmpty else { return ByteBuffer() }
        let stated = request.headers[.contentType]
        let type = stated?.split(separator: ";").first?.lowercased()
            .filter { $0 != " " && $0 != "\t" }
        guard let type, endpoint.bodyTypes.contains(type) else {
            throw Problem(
                .unsupportedMediaType, .unsupportedMediaType,
                stated.map { "a body of type '\(printable($0, most: 60))' is not read here" }
                    ?? "the body has no Content-Type",
                recovery: "send \(endpoint.bodyTypes.joined(separator: " or "))",
                parameter: "Content-Type", near: endpoint.bodyTypes)
        }
        if let coding = request.headers[.contentEncoding], coding.lowercased() != "identity" {
            throw Problem(
                .unsupportedMediaType, .unsupportedMediaType,
                "a body packed by '\(printable(coding, most: 40))' is not read",
                recovery: "send it unpacked", parameter: "Content-Encoding")
        }
        let most = settings.mostBodyBytes
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > most {
            throw tooLarge(most)
        }
        var bytes = ByteBuffer()
        for try await var piece in request.body {
            guard bytes.readableBytes + piece.readableBytes <= most else { throw tooLarge(most) }
            try share.take(piece.readableBytes)
            if bytes.readableBytes == 0 { bytes = piece } else { bytes.writeBuffer(&piece) }
        }
        return bytes
    }

    private static func tooLarge(_ most: Int) -> Problem {
        Problem(
            .contentTooLarge, .bodyTooLarge, "the body is larger than \(most) bytes",
            recovery: "send less at once")
    }
}
