// Holds the description that the service serves against the table of its endpoints.
import BridgecastAnswers
import BridgecastCore
import HTTPTypes
import Testing

@testable import BridgecastService

@Suite struct OpenAPITests {
    private let description: ServiceDescription

    init() throws { description = try ServiceDescription() }

    @Test func everyEndpointIsDescribedAndNothingElse() {
        let endpoints = EndpointTable.all.map { "\($0.method.rawValue) \($0.path)" }
        #expect(Set(endpoints) == Set(description.operations.keys))
        #expect(endpoints.count == Set(endpoints).count)
    }

    @Test func parametersAreThoseThatEndpointsTake() throws {
        for endpoint in EndpointTable.all {
            let name = "\(endpoint.method.rawValue) \(endpoint.path)"
            let operation = try #require(description.operations[name])
            #expect(operation.parameters(in: "query") == Set(endpoint.parameters ?? []), "\(name)")
            let inPath = endpoint.path.split(separator: "/").filter { $0.hasPrefix("{") }
                .map { String($0.dropFirst().prefix { $0 != "}" }) }
            #expect(operation.parameters(in: "path") == Set(inPath), "\(name)")
        }
    }

    @Test func bodiesAreThoseThatEndpointsRead() throws {
        for endpoint in EndpointTable.all {
            let name = "\(endpoint.method.rawValue) \(endpoint.path)"
            let operation = try #require(description.operations[name])
            #expect(operation.bodyTypes == Set(endpoint.bodyTypes), "\(name)")
        }
    }

    @Test func codesOfProblemsAreThoseThereAre() {
        let codes = description.schema("Problem")?["properties"]?["code"]?["enum"]?.texts ?? []
        #expect(Set(codes) == Set(Problem.Code.allCases.map(\.rawValue)))
        let reasons = description.schema("Reason")?["properties"]?["code"]?["enum"]?.texts ?? []
        #expect(Set(reasons) == Set(Reason.Code.allCases.map(\.rawValue)))
        let rules = description.schema("Rule")?["properties"]?["code"]?["enum"]?.texts ?? []
        #expect(Set(rules) == Set(BridgeRule.Code.allCases.map(\.rawValue)))
    }

    @Test func bridgesAreThoseOfTheCatalogue() {
        let names = description.schema("BridgeName")?["enum"]?.texts
        #expect(names == BridgeCatalogue.seattle.map(\.name))
        let numbers = description.schema("BridgeNumber")?["enum"]?.values
        #expect(numbers == BridgeCatalogue.seattle.map { .number(Double($0.id.rawValue)) })
    }

    @Test func everyReferenceLeadsSomewhere() {
        let references = Self.references(in: description.document)
        #expect(references.count > 100)
        let lost = references.filter { description.validator.resolve(.text($0)) == nil }
        #expect(lost.isEmpty, "\(lost)")
    }

    private static func references(in value: JSONValue) -> Set<String> {
        switch value {
        case .object(let fields):
            let own = fields["$ref"]?.text.map { [$0] } ?? []
            return fields.values.reduce(into: Set(own)) { $0.formUnion(references(in: $1)) }
        case .list(let values):
            return values.reduce(into: []) { $0.formUnion(references(in: $1)) }
        default: return []
        }
    }

    @Test func theValidatorSeesWhatIsWrong() throws {
        let schema = try JSONValue.read(
            Array(
                #"""
                {"type": "object", "required": ["at"], "additionalProperties": false, "properties": {
                  "at": {"type": ["string", "null"], "format": "date-time"},
                  "chance": {"type": "number", "minimum": 0, "maximum": 1},
                  "kind": {"oneOf": [{"const": "a"}, {"type": "integer"}]},
                  "list": {"type": "array", "items": {"enum": [1, 2]}, "minItems": 1, "maxItems": 2}}}
                """#.utf8))
        let rows: [(text: String, count: Int)] = [
            (#"{"at": null}"#, 0),
            (#"{"at": "2026-02-20T18:02:00-08:00", "chance": 1, "kind": 3, "list": [1, 2]}"#, 0),
            (#"{}"#, 1), (#"[]"#, 1), (#"{"at": 5}"#, 1), (#"{"at": "2026-02-20T18:02"}"#, 1),
            (#"{"at": "2026-02-30T18:02:00-08:00"}"#, 1), (#"{"at": null, "more": 1}"#, 1),
            (#"{"at": null, "chance": 1.01}"#, 1), (#"{"at": null, "kind": "b"}"#, 1),
            (#"{"at": null, "list": []}"#, 1), (#"{"at": null, "list": [1, 3]}"#, 1),
            (#"{"at": null, "list": [1, 2, 1]}"#, 1), (#"{"chance": "1", "list": 1}"#, 3),
        ]
        for row in rows {
            let problems = description.validator.problems(
                try JSONValue.read(Array(row.text.utf8)), schema)
            #expect(problems.count == row.count, "\(row.text): \(problems)")
        }
        let odd = try JSONValue.read(Array(#"{"minimun": 1}"#.utf8))
        #expect(description.validator.problems(.null, odd).count == 1)
    }
}
