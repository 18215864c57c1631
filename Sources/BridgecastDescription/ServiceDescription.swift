// The description of the service's resources (OpenAPI 3.1); a target of its own because it takes half a minute to
// compile and seldom changes.
// Belongs here: the description as bytes; not: the resources (BridgecastService).

/// The description of the service.
package enum ServiceDescription {
    /// The file `openapi.json`.
    package static let openAPI = PackageResources.openapi_json
}
