// `/openapi.json`: the description of all resources (OpenAPI 3.1), for people and programs.
internal import BridgecastDescription

enum DescriptionEndpoint {
    /// The description, as it is part of the program.
    static let document = SharedDocument(ServiceDescription.openAPI)

    static let all = ["/openapi.json", EndpointTable.base + "/openapi.json"].map { path in
        Endpoint.get(path, forms: [.json, .openAPI]) { request in
            return ServiceAnswer(request.form, .shared(document), keeping: .seconds(3600))
        }
    }
}
