// The description of the service as its tests look at it: operations, what they take, what they answer.
import HTTPTypes
import NIOCore

@testable import BridgecastService

/// The OpenAPI file that the service serves.
struct ServiceDescription: Sendable {
    let document: JSONValue
    let validator: SchemaValidator

    /// Reads the file as it is part of the program.
    init() throws {
        document = try JSONValue.read(DescriptionEndpoint.document.identity.readableBytesView)
        validator = SchemaValidator(document: document)
    }

    /// What there is at a path for a method.
    struct Operation {
        let name: String
        let content: JSONValue
        let parameters: [JSONValue]

        /// The names of parameters that stand in a part of a request: `path`, `query` or `header`.
        func parameters(in part: String) -> Set<String> {
            Set(parameters.filter { $0["in"]?.text == part }.compactMap { $0["name"]?.text })
        }

        /// The media types of a body; empty where none is taken.
        var bodyTypes: Set<String> {
            Set(content["requestBody"]?["content"]?.fields?.keys.map(\.self) ?? [])
        }
    }

    /// All operations by method and path, such as `GET /api/v1/bridges`.
    var operations: [String: Operation] {
        var found: [String: Operation] = [:]
        for (path, methods) in document["paths"]?.fields ?? [:] {
            for (method, content) in methods.fields ?? [:] {
                let name = "\(method.uppercased()) \(path)"
                found[name] = Operation(
                    name: name, content: content,
                    parameters: (content["parameters"]?.values ?? []).map(resolved))
            }
        }
        return found
    }

    /// A value, or what it refers to.
    func resolved(_ value: JSONValue) -> JSONValue {
        value["$ref"].flatMap { validator.resolve($0) } ?? value
    }

    /// A schema by its name.
    func schema(_ name: String) -> JSONValue? { document["components"]?["schemas"]?[name] }

    /// What is wrong with an answer to an operation: its status, its form, its content.
    func problems(
        _ operation: Operation, status: Int, mediaType: String?, body: ByteBuffer
    ) throws -> [String] {
        guard let answer = operation.content["responses"]?[String(status)].map(resolved) else {
            return ["\(operation.name) says nothing of \(status)"]
        }
        guard let forms = answer["content"]?.fields else {
            return body.readableBytes == 0 ? [] : ["\(operation.name), \(status): a body"]
        }
        guard let mediaType, let form = forms[mediaType] else {
            return [
                "\(operation.name), \(status): \(mediaType ?? "no form") is none of \(forms.keys)"
            ]
        }
        let value: JSONValue =
            // Lines of JSON are no JSON.
            mediaType.hasSuffix("json") && mediaType != "application/x-ndjson"
            ? try .read(body.readableBytesView) : .text(String(buffer: body))
        return validator.problems(value, form["schema"] ?? .bool(true))
            .map { "\(operation.name), \(status)\($0)" }
    }
}
