// JSON documents decoded into types, with one way of saying why not; used by every reader of whole documents.
internal import BridgecastCore
internal import Foundation

/// Documents in JSON.
enum JSONDocument {
    /// Decodes a document.
    ///
    /// - Parameter whole: What to say where the document as a whole is not what it should be.
    /// - Throws: ``DocumentProblem`` with the place.
    static func decoded<Content: Decodable>(
        _ type: Content.Type, from data: Data, whole: DocumentProblem? = nil
    ) throws(DocumentProblem) -> Content {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw DocumentProblem(decoding: error, whole: whole)
        }
    }
}
