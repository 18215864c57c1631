// An answer as a handler gives it; the gate adds what all answers have: ETag, compression, security.
package import HTTPTypes
package import NIOCore

/// What a handler answers.
package struct ServiceAnswer: Sendable {
    /// How long an answer may be kept.
    package enum Keeping: Sendable, Equatable {
        /// Not at all.
        case never
        /// For as long as the service says that it is the same when asked.
        case ifUnchanged
        /// Until the next reading of the bridges may change it.
        case untilNextReading
        /// So many seconds.
        case seconds(Int)
    }

    /// The status; 200 unless something else is said.
    package var status = HTTPResponse.Status.ok
    /// The form; nil for a file of the page.
    package let mediaType: MediaType?
    /// The value of Content-Type.
    package let contentType: String
    /// The content.
    package let content: Content
    /// How long it may be kept.
    package var keeping = Keeping.untilNextReading
    /// More fields of the head.
    package var fields = HTTPFields()

    /// What is sent.
    package enum Content: Sendable {
        /// Bytes made for this request.
        case bytes(ByteBuffer)
        /// Bytes that many requests share, packed and named once.
        case shared(SharedDocument)
        /// What goes on until one of both ends it.
        case stream(EventStream)
    }

    /// An answer of bytes made for this request.
    package init(_ mediaType: MediaType, _ bytes: [UInt8], keeping: Keeping = .untilNextReading) {
        self.init(mediaType, .bytes(ByteBuffer(bytes: bytes)), keeping: keeping)
    }

    /// An answer.
    package init(_ mediaType: MediaType, _ content: Content, keeping: Keeping = .untilNextReading) {
        (self.mediaType, contentType) = (mediaType, mediaType.contentType)
        (self.content, self.keeping) = (content, keeping)
    }

    /// A file of the page.
    package init(contentType: String, _ content: Content, keeping: Keeping) {
        (mediaType, self.contentType) = (nil, contentType)
        (self.content, self.keeping) = (content, keeping)
    }
}
