// swift-tools-version: 6.2
// The libFuzzer target for the model reader, apart from the product: it is built with sanitizers only.
import PackageDescription

let package = Package(
    name: "fuzzing",
    dependencies: [
        .package(name: "bridgecast", path: "../../../..")
    ],
    targets: [
        .executableTarget(
            name: "FuzzReader",
            dependencies: [.product(name: "Bridgecast", package: "bridgecast")],
            swiftSettings: [.unsafeFlags(["-parse-as-library", "-sanitize=fuzzer,address"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
    ],
    swiftLanguageModes: [.v6]
)
