// What an error of the HTTP library means for a feed; used by FeedClient.
private import AsyncHTTPClient
internal import BridgecastData
private import Foundation
private import NIOCore
private import NIOHTTPCompression

extension FeedError {
    /// The error that one of the transport stands for.
    init(transport error: any Error, _ request: FeedRequest) {
        let url = request.publicURL
        switch error {
        case is NIOTooManyBytesError, is NIOHTTPDecompression.DecompressionError:
            self = .tooLarge(url: url, limitBytes: request.mostBytes)
        case let error as HTTPClientError: self.init(client: error, request)
        case let error as IOError:
            self = .unreachable(
                url: url, reason: unsafe String(cString: strerror(error.errnoCode)))
        default:
            // A host without an address, or one of several errors of connecting, each in a library's words.
            let text = "\(error)"
            let isUnknown = text.contains("UnknownHost") || text.contains("DNS")
            self = .unreachable(url: url, reason: isUnknown ? "no such host" : text)
        }
    }

    private init(client error: HTTPClientError, _ request: FeedRequest) {
        switch error {
        case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .cancelled:
            self = .timedOut(url: request.publicURL, seconds: request.timeoutSeconds)
        case .emptyHost, .emptyScheme, .invalidURL: self = .address(url: request.publicURL)
        default: self = .unreachable(url: request.publicURL, reason: error.shortDescription)
        }
    }
}
