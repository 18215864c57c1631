// swift-tools-version: 6.2
import PackageDescription

// What every Swift target is compiled with; targets below stay one-liners.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
]
// The observable models live on the main actor unless they say otherwise.
let mainActorSettings = settings + [.defaultIsolation(MainActor.self)]

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")

let package = Package(
    name: "bridgecast",
    products: [
        .library(name: "Bridgecast", targets: ["Bridgecast"]),
        .library(name: "BridgecastData", targets: ["BridgecastData"]),
        .executable(name: "bridgecast", targets: ["BridgecastCLI"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(
            name: "COpenBLAS", pkgConfig: "openblas", providers: [.apt(["libopenblas-dev"])]),
        .target(name: "CBridgecastKernels"),
        .target(name: "BridgecastCore", swiftSettings: settings),
        .target(
            name: "BridgecastEngine",
            dependencies: ["BridgecastCore", "CBridgecastKernels", "COpenBLAS", crypto],
            swiftSettings: settings),
        .target(
            name: "BridgecastTraining",
            dependencies: ["BridgecastCore", "BridgecastEngine"],
            swiftSettings: settings),
        .target(
            name: "BridgecastBench",
            dependencies: ["BridgecastCore", "BridgecastEngine", "BridgecastTraining"],
            swiftSettings: settings),
        .target(
            name: "BridgecastData",
            dependencies: ["BridgecastCore", grdb, crypto],
            swiftSettings: settings),
        .target(
            name: "BridgecastObservation",
            dependencies: ["BridgecastCore"],
            swiftSettings: mainActorSettings),
        .target(
            name: "Bridgecast",
            dependencies: ["BridgecastCore", "BridgecastEngine", "BridgecastObservation"],
            swiftSettings: settings),
        .executableTarget(
            name: "BridgecastCLI",
            dependencies: [
                "Bridgecast", "BridgecastBench", "BridgecastTraining", "BridgecastData",
                argumentParser,
            ],
            resources: [.embedInCode("Resources/seattle-commutes.json")],
            swiftSettings: settings),

        // A plain target under Tests: what several test targets share.
        .target(
            name: "BridgecastTestSupport",
            dependencies: [
                "BridgecastCore", "BridgecastEngine", "BridgecastTraining", "BridgecastData",
            ],
            path: "Tests/BridgecastTestSupport", swiftSettings: settings),
        .testTarget(
            name: "BridgecastCoreTests", dependencies: ["BridgecastCore", "BridgecastTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastEngineTests",
            dependencies: ["BridgecastEngine", "BridgecastTestSupport"], exclude: ["Rejected"],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastTrainingTests",
            dependencies: ["BridgecastTraining", "BridgecastTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "BridgecastDataTests", dependencies: ["BridgecastData", "BridgecastTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastObservationTests",
            dependencies: ["BridgecastObservation", "BridgecastTestSupport"],
            swiftSettings: mainActorSettings),
        .testTarget(
            name: "BridgecastTests", dependencies: ["Bridgecast", "BridgecastTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastCLITests", dependencies: ["BridgecastCLI", "BridgecastTestSupport"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
