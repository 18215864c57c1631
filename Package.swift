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
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let nio = ["NIOCore", "NIOHTTP1"].map { Target.Dependency.product(name: $0, package: "swift-nio") }
let nioCompression = Target.Dependency.product(
    name: "NIOHTTPCompression", package: "swift-nio-extras")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(
    name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTesting = Target.Dependency.product(
    name: "HummingbirdTesting", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let lifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")
let configuration = Target.Dependency.product(
    name: "Configuration", package: "swift-configuration")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let serverNIO = ["NIOCore", "NIOPosix", "NIOHTTP1"].map {
    Target.Dependency.product(name: $0, package: "swift-nio")
}
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")

let package = Package(
    name: "bridgecast",
    products: [
        .library(name: "Bridgecast", targets: ["Bridgecast"]),
        .library(name: "BridgecastStore", targets: ["BridgecastStore"]),
        .library(name: "BridgecastLive", targets: ["BridgecastLive"]),
        .library(name: "BridgecastFeeds", targets: ["BridgecastFeeds"]),
        .library(name: "BridgecastTransit", targets: ["BridgecastTransit"]),
        // libBridgecastABI.so; tools/install_library puts it where C finds it, as libbridgecast.so.
        .library(name: "BridgecastABI", type: .dynamic, targets: ["BridgecastABI"]),
        // Two programs: nothing that the first one needs talks to a network, so it is built in minutes.
        .executable(name: "bridgecast", targets: ["BridgecastMain"]),
        .executable(name: "bridgecast-server", targets: ["BridgecastServerMain"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    ],
    targets: [
        .systemLibrary(
            name: "COpenBLAS", pkgConfig: "openblas", providers: [.apt(["libopenblas-dev"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // Without pkg-config: whoever builds `bridgecast` alone need not have it, nor hear of it.
        .systemLibrary(name: "CArchive"),
        .target(name: "CBridgecastKernels"),
        .target(name: "BridgecastDigest", dependencies: ["CNettle"], swiftSettings: settings),
        .target(name: "BridgecastUnpacking", dependencies: ["CZlib"], swiftSettings: settings),
        .target(name: "BridgecastCore", swiftSettings: settings),
        .target(
            name: "BridgecastRoads", dependencies: ["BridgecastCore", "BridgecastDigest"],
            swiftSettings: settings),
        .target(
            name: "BridgecastEngine",
            dependencies: [
                "BridgecastCore", "BridgecastDigest", "BridgecastRoads", "CBridgecastKernels",
                "COpenBLAS",
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastTraining",
            dependencies: [
                "BridgecastCore", "BridgecastDigest", "BridgecastEngine", "BridgecastRoads",
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastBench",
            dependencies: [
                "BridgecastCore", "BridgecastEngine", "BridgecastRoads", "BridgecastTraining",
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastData",
            dependencies: [
                "BridgecastCore", "BridgecastDigest", "BridgecastRoads", "CBridgecastKernels",
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastStore",
            dependencies: ["BridgecastCore", "BridgecastData", grdb],
            swiftSettings: settings),
        .target(
            name: "BridgecastFeeds",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastRoads", "BridgecastStore",
                "BridgecastTransit", httpClient,
                logging, metrics, nioCompression,
            ] + nio,
            swiftSettings: settings),
        .target(
            name: "BridgecastRoadImport",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastDigest", "BridgecastRoads",
                "BridgecastUnpacking", protobuf,
            ],
            exclude: ["Extract/Formats/map_blocks.proto"],
            swiftSettings: settings),
        // Generated: it does not say `unsafe` where our own code does.
        .target(name: "BridgecastRealtimeWire", dependencies: [protobuf]),
        .target(
            name: "BridgecastTransit",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastDigest", "BridgecastRealtimeWire",
                "BridgecastUnpacking", "CArchive", protobuf,
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastTransitAnswers",
            dependencies: ["BridgecastAnswers", "BridgecastCore", "BridgecastTransit"],
            swiftSettings: settings),
        .target(
            name: "BridgecastObservation",
            dependencies: ["BridgecastCore"],
            swiftSettings: mainActorSettings),
        .target(
            name: "Bridgecast",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastEngine", "BridgecastObservation",
                "BridgecastRoads",
            ],
            swiftSettings: settings),
        .target(name: "CBridgecast"),
        .target(
            name: "BridgecastABI", dependencies: ["Bridgecast", "CBridgecast"],
            swiftSettings: settings),
        .target(
            name: "BridgecastLive",
            dependencies: ["Bridgecast", "BridgecastStore", logging, metrics, coreMetrics],
            swiftSettings: settings),
        .target(
            name: "BridgecastAnswers",
            dependencies: [
                "Bridgecast", "BridgecastLive", "BridgecastCore", "BridgecastData",
                "BridgecastEngine", "BridgecastRoads", "BridgecastObservation",
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastDescription", resources: [.embedInCode("Resources/openapi.json")],
            swiftSettings: settings),
        .target(
            name: "BridgecastService",
            dependencies: [
                "Bridgecast", "BridgecastAnswers", "BridgecastCore", "BridgecastData",
                "BridgecastDescription",
                "BridgecastEngine", "BridgecastLive", "BridgecastRoads", "BridgecastStore",
                "BridgecastDigest", "BridgecastObservation", "BridgecastTransit",
                "BridgecastTransitAnswers", "CZlib",
                hummingbird, hummingbirdCore, httpTypes, lifecycle, logging, coreMetrics, tracing,
                nioHTTPTypes,
            ] + serverNIO,
            resources: [.copy("Resources/page")],
            swiftSettings: settings),
        .target(
            name: "BridgecastCLI",
            dependencies: [
                "Bridgecast", "BridgecastAnswers", "BridgecastBench", "BridgecastTraining",
                "BridgecastData", "BridgecastDigest", "BridgecastLive", "BridgecastRoads",
                "BridgecastStore",
                argumentParser, logging, metrics,
            ],
            resources: [.embedInCode("Resources/seattle-commutes.json")],
            swiftSettings: settings),
        .target(
            name: "BridgecastServerCLI",
            dependencies: [
                "Bridgecast", "BridgecastAnswers", "BridgecastCLI", "BridgecastCore",
                "BridgecastData", "BridgecastDigest", "BridgecastEngine", "BridgecastFeeds",
                "BridgecastLive", "BridgecastRoadImport", "BridgecastRoads", "BridgecastService",
                "BridgecastStore", "BridgecastTransit", "BridgecastTransitAnswers", argumentParser,
                configuration, lifecycle, logging, metrics,
            ] + serverNIO,
            swiftSettings: settings),
        .executableTarget(
            name: "BridgecastMain", dependencies: ["BridgecastCLI"], swiftSettings: settings),
        .executableTarget(
            name: "BridgecastServerMain", dependencies: ["BridgecastCLI", "BridgecastServerCLI"],
            swiftSettings: settings),

        // A plain target under Tests: what several test targets share.
        .target(
            name: "BridgecastTestSupport",
            dependencies: [
                "BridgecastCore", "BridgecastDigest", "BridgecastEngine", "BridgecastRoadImport",
                "BridgecastRoads", "BridgecastTraining", "BridgecastData",
            ],
            path: "Tests/BridgecastTestSupport", swiftSettings: settings),
        .testTarget(
            name: "BridgecastCoreTests", dependencies: ["BridgecastCore", "BridgecastTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastRoadsTests",
            dependencies: ["BridgecastCore", "BridgecastRoads", "BridgecastTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastEngineTests",
            dependencies: [
                "BridgecastDigest", "BridgecastEngine", "BridgecastRoads", "BridgecastTraining",
                "BridgecastTestSupport",
            ],
            exclude: ["Rejected", "Golden"],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastTrainingTests",
            dependencies: ["BridgecastTraining", "BridgecastTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "BridgecastDataTests",
            dependencies: ["BridgecastData", "BridgecastDigest", "BridgecastTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastStoreTests",
            dependencies: ["BridgecastStore", "BridgecastTestSupport", grdb],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastFeedsTests",
            dependencies: [
                "BridgecastFeeds", "BridgecastStore", "BridgecastTestSupport", logging,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastRoadImportTests",
            dependencies: [
                "BridgecastCore", "BridgecastRoadImport", "BridgecastRoads",
                "BridgecastDigest", "BridgecastTestSupport", "CZlib", protobuf,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastTransitTests",
            dependencies: [
                "BridgecastCore", "BridgecastEngine", "BridgecastRealtimeWire",
                "BridgecastTestSupport", "BridgecastTransit", "BridgecastTransitAnswers", protobuf,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastObservationTests",
            dependencies: ["BridgecastObservation", "BridgecastTestSupport"],
            swiftSettings: mainActorSettings),
        .testTarget(
            name: "BridgecastTests", dependencies: ["Bridgecast", "BridgecastTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastLiveTests",
            dependencies: [
                "BridgecastLive", "BridgecastStore", "BridgecastTestSupport", logging, coreMetrics,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastServiceTests",
            dependencies: [
                "BridgecastAnswers", "BridgecastCLI", "BridgecastCore", "BridgecastData",
                "BridgecastDescription", "BridgecastEngine", "BridgecastLive",
                "BridgecastObservation", "BridgecastRoads",
                "BridgecastService", "BridgecastStore", "BridgecastTestSupport",
                "BridgecastTransit", "BridgecastTransitAnswers", coreMetrics,
                hummingbird, hummingbirdCore, hummingbirdTesting, httpTypes, lifecycle, logging,
                nioHTTPTypes,
            ] + serverNIO,
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastCLITests",
            dependencies: [
                "BridgecastBench", "BridgecastCLI", "BridgecastCore", "BridgecastDigest",
                "BridgecastEngine", "BridgecastServerCLI", "BridgecastTraining",
                "BridgecastTestSupport", argumentParser,
            ],
            exclude: ["Roads"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
