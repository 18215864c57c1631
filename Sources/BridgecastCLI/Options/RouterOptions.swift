// `--router`, `--router-fallback`: candidates of a running route server; options of `predict` and `depart`.
package import ArgumentParser
import BridgecastCore
package import BridgecastData

/// Options for a route server that is asked for candidates.
package struct RouterOptions: ParsableArguments {
    /// Asks a route server for the routes of a trip.
    package typealias Asking = (RouterTrip, Router) async throws -> RouterRoutes

    @Option(
        name: .long,
        help:
            "Ask a running route server for the ways, by the crossings that our roads know: osrm=URL or valhalla=URL. Needs --from and --to."
    )
    package var router: String?

    @Flag(name: .long, help: "Where the route server gives no route, take our own roads.")
    package var routerFallback = false

    /// Creates the usual options.
    package init() {}

    /// Checks what they say.
    package func validate() throws {
        guard router == nil || server != nil else {
            throw ValidationError(
                "--router '\(printable(router ?? ""))': write osrm=URL or valhalla=URL, such as "
                    + "osrm=http://localhost:5000")
        }
        guard !routerFallback || router != nil else {
            throw ValidationError("--router-fallback needs --router")
        }
    }

    /// The server named.
    package var server: Router? { router.flatMap { Router($0) } }
}
