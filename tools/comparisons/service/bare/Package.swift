// swift-tools-version: 6.2
// What Hummingbird does with nothing behind it: the bound that the service is measured against.
import PackageDescription

let package = Package(
    name: "bare",
    dependencies: [
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "Bare",
            dependencies: [.product(name: "Hummingbird", package: "hummingbird")])
    ]
)
