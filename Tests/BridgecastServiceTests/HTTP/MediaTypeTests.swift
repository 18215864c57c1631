import HTTPTypes
import Testing

@testable import BridgecastService

@Suite struct MediaTypeTests {
    private let forms: [MediaType] = [.json, .csv, .ndjson]

    @Test(
        arguments: [
            (nil, MediaType.json), ("", .json), ("*/*", .json), ("text/csv", .csv),
            ("text/*", .csv), ("application/json;q=0.5, text/csv", .csv),
            ("text/csv;q=0.1, application/*;q=0.9", .json),
            ("application/json;q=0, */*", .csv), ("TEXT/CSV", .csv),
            ("text/html, application/xhtml+xml, */*;q=0.8", .json),
            ("application/x-ndjson ; q=1.0 , text/csv;q=0.9", .ndjson),
        ] as [(String?, MediaType)])
    func theFormThatAClientLikesBestIsChosen(accept: String?, form: MediaType) throws {
        #expect(try MediaType.chosen(of: forms, accept: accept) == form)
    }

    @Test(arguments: ["text/html", "application/json;q=0", "image/*", "nonsense", ";;;", "*/*;q=0"])
    func whereNoneIsTakenTheFormsAreNamed(accept: String) {
        do {
            let form = try MediaType.chosen(of: forms, accept: accept)
            Issue.record("\(form) was chosen")
        } catch {
            #expect(error.status == .notAcceptable)
            #expect(error.near == forms.map(\.rawValue))
        }
    }
}
