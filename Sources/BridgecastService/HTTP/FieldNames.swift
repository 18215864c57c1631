// Names of head fields that HTTPTypes does not have.
internal import HTTPTypes

extension HTTPField.Name {
    /// `X-Request-Id`.
    static let requestID = known("X-Request-Id")
    /// `X-Service-Time`: when an answer was sent, by the service's clock, which a replay has a fast one of.
    static let serviceTime = known("X-Service-Time")
    /// `Last-Event-ID`.
    static let lastEventID = known("Last-Event-ID")

    /// A name that is written in this program.
    ///
    /// - Precondition: It is a token (RFC 9110, 5.6.2).
    static func known(_ text: String) -> Self {
        guard let name = Self(text) else { preconditionFailure("\(text) is no name of a field") }
        return name
    }
}
