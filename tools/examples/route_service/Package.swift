// swift-tools-version: 6.2
// A route service as an outside user would write it: depends on Bridgecast by its path.
import PackageDescription

let package = Package(
    name: "route-service",
    dependencies: [.package(name: "bridgecast", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "RouteService",
            dependencies: [.product(name: "Bridgecast", package: "bridgecast")])
    ]
)
