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
// Optimising what only reads options and prints, and tests that compute little, takes longer than running it as it is.
// No library product has these flags, so that other packages may depend on it.
let quick = [SwiftSetting.unsafeFlags(["-Onone"])]
let quickSettings = settings + quick
let mainActorQuickSettings = mainActorSettings + quick

// What the library product `Bridgecast` does without: a package that depends on it with `traits: []` downloads none of these.
func external(_ product: String, in package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Service"]))
}

// Built with the trait PostgreSQL alone.
let postgreSQL = Target.Dependency.target(
    name: "BridgecastPostgreSQL", condition: .when(traits: ["PostgreSQL"]))
let libpq = Target.Dependency.target(
    name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"]))

let argumentParser = external("ArgumentParser", in: "swift-argument-parser")
let grdb = external("GRDB", in: "GRDB.swift")
let grdbSQLite = external("GRDBSQLite", in: "GRDB.swift")
let logging = external("Logging", in: "swift-log")
let metrics = external("Metrics", in: "swift-metrics")
let nioCore = external("NIOCore", in: "swift-nio")
let nioEmbedded = external("NIOEmbedded", in: "swift-nio")
let nioHTTP1 = external("NIOHTTP1", in: "swift-nio")
let nioPosix = external("NIOPosix", in: "swift-nio")
let hummingbird = external("Hummingbird", in: "hummingbird")
let hummingbirdCore = external("HummingbirdCore", in: "hummingbird")
let httpTypes = external("HTTPTypes", in: "swift-http-types")
let lifecycle = external("ServiceLifecycle", in: "swift-service-lifecycle")
let configuration = external("Configuration", in: "swift-configuration")
let tracing = external("Tracing", in: "swift-distributed-tracing")
let protobuf = external("SwiftProtobuf", in: "swift-protobuf")
let crypto = external("Crypto", in: "swift-crypto")
let coreMetrics = external("CoreMetrics", in: "swift-metrics")

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
    traits: [
        .trait(
            name: "Service",
            description: "The programs, the store, the feeds, transit and the live service"
        ),
        .trait(
            name: "PostgreSQL",
            description:
                "bridgecast-server may keep its history in a PostgreSQL database; needs libpq"
        ),
        .default(enabledTraits: ["Service"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
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
        // Without pkg-config, which would warn where they are missing: `bridgecast` alone is built without them.
        .systemLibrary(name: "CArchive"),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CMosquitto"),
        .systemLibrary(name: "CPicture"),
        .systemLibrary(name: "CPostgreSQL"),
        .target(name: "CBridgecastKernels"),
        .target(
            name: "BridgecastSupport",
            dependencies: ["CBridgecastKernels", "CNettle", "CZlib"],
            swiftSettings: settings),
        .target(
            name: "BridgecastCore",
            dependencies: ["BridgecastSupport"], swiftSettings: settings),
        .target(
            name: "BridgecastRoads",
            dependencies: ["BridgecastCore", "BridgecastSupport"],
            swiftSettings: settings),
        .target(
            name: "BridgecastEngine",
            dependencies: [
                "BridgecastCore", "BridgecastSupport", "CBridgecastKernels", "COpenBLAS",
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastRouting",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastEngine", "BridgecastRoads",
                "BridgecastSupport", "CBridgecastKernels",
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastTraining",
            dependencies: ["BridgecastCore", "BridgecastEngine", "BridgecastSupport"],
            swiftSettings: settings),
        .target(
            name: "BridgecastBench",
            dependencies: [
                "BridgecastCore", "BridgecastEngine", "BridgecastJourneys", "BridgecastRoads",
                "BridgecastRouting", "BridgecastSupport", "BridgecastTraining",
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastData",
            dependencies: ["BridgecastCore", "BridgecastSupport"],
            swiftSettings: settings),
        .target(
            name: "BridgecastStore",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastSupport", grdb, grdbSQLite,
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastPostgreSQL",
            dependencies: [
                "BridgecastCore", "BridgecastLive", "BridgecastStore", "BridgecastSupport", libpq,
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastJourneys",
            dependencies: [
                "BridgecastCore", "BridgecastEngine", "BridgecastRouting", "BridgecastStore",
                "BridgecastSupport", grdb,
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastAlerts",
            dependencies: [
                "BridgecastCore", "BridgecastJourneys", "BridgecastStore", "BridgecastSupport",
                grdb,
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastFeeds",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastRoads", "BridgecastRouting",
                "BridgecastSupport", "BridgecastTransit", "CCurl", logging, metrics,
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastAlertCarriers",
            dependencies: [
                "BridgecastAlerts", "BridgecastCore", "BridgecastFeeds", "BridgecastSupport",
                "CMosquitto", crypto,
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastRoadImport",
            dependencies: ["BridgecastCore", "BridgecastRoads", "BridgecastSupport", protobuf],
            exclude: ["Extract/map_blocks.proto"],
            swiftSettings: settings),
        // Generated: it does not say `unsafe` where our own code does.
        .target(name: "BridgecastRealtimeWire", dependencies: [protobuf]),
        .target(
            name: "BridgecastTransit",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastRealtimeWire", "BridgecastSupport",
                "CArchive", protobuf,
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastObservation",
            dependencies: ["BridgecastCore", "BridgecastSupport"],
            swiftSettings: mainActorSettings),
        .target(
            name: "Bridgecast",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastEngine", "BridgecastObservation",
                "BridgecastRoads", "BridgecastRouting", "BridgecastSupport",
            ],
            swiftSettings: settings),
        .target(name: "CBridgecast"),
        .target(
            name: "BridgecastABI",
            dependencies: [
                "Bridgecast", "BridgecastData", "BridgecastEngine", "BridgecastRouting",
                "CBridgecast",
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastLive",
            dependencies: [
                "Bridgecast", "BridgecastData", "BridgecastStore", "BridgecastSupport",
                coreMetrics, logging, metrics,
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastAnswers",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastEngine", "BridgecastObservation",
                "BridgecastRoads", "BridgecastRouting", "BridgecastSupport",
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastTransitAnswers",
            dependencies: [
                "BridgecastAnswers", "BridgecastCore", "BridgecastSupport", "BridgecastTransit",
            ],
            swiftSettings: settings),
        .target(
            name: "BridgecastService",
            dependencies: [
                "Bridgecast", "BridgecastAlerts", "BridgecastAnswers", "BridgecastCore",
                "BridgecastData", "BridgecastEngine", "BridgecastJourneys", "BridgecastLive",
                "BridgecastObservation", "BridgecastRoads", "BridgecastRouting",
                "BridgecastStore", "BridgecastSupport", "BridgecastTransit",
                "BridgecastTransitAnswers", "CPicture",
                "CZlib", coreMetrics, httpTypes, hummingbird,
                hummingbirdCore, lifecycle, logging, metrics, nioCore, nioHTTP1, tracing,
            ],
            resources: [.copy("Resources/page"), .copy("Resources/openapi.json")],
            swiftSettings: settings),
        .target(
            name: "BridgecastCLI",
            dependencies: [
                "Bridgecast", "BridgecastAlerts", "BridgecastAnswers", "BridgecastBench",
                "BridgecastCore", "BridgecastData", "BridgecastEngine", "BridgecastJourneys",
                "BridgecastLive", "BridgecastRoads", "BridgecastRouting", "BridgecastStore",
                "BridgecastSupport", "BridgecastTraining", argumentParser, logging, metrics,
            ],
            swiftSettings: quickSettings),
        .target(
            name: "BridgecastServerCLI",
            dependencies: [
                "Bridgecast", "BridgecastAlertCarriers", "BridgecastAlerts", "BridgecastAnswers",
                "BridgecastCLI", "BridgecastCore", "BridgecastData", "BridgecastEngine",
                "BridgecastFeeds", "BridgecastJourneys", "BridgecastLive",
                "BridgecastObservation", "BridgecastRoadImport", "BridgecastRoads",
                "BridgecastRouting", "BridgecastService", "BridgecastStore",
                "BridgecastSupport", "BridgecastTransit",
                "BridgecastTransitAnswers", argumentParser, configuration, lifecycle, logging,
                metrics, nioCore, postgreSQL,
            ],
            swiftSettings: quickSettings),
        .executableTarget(
            name: "BridgecastMain",
            dependencies: ["BridgecastCLI"], swiftSettings: settings),
        .executableTarget(
            name: "BridgecastServerMain",
            dependencies: ["BridgecastCLI", "BridgecastServerCLI"],
            swiftSettings: settings),

        // A plain target under Tests: what several test targets share.
        .target(
            name: "BridgecastTestSupport",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastEngine", "BridgecastRoadImport",
                "BridgecastRoads", "BridgecastSupport", "BridgecastTraining",
            ],
            path: "Tests/BridgecastTestSupport", swiftSettings: settings),
        .testTarget(
            name: "BridgecastCoreTests",
            dependencies: ["BridgecastCore", "BridgecastSupport", "BridgecastTestSupport"],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastSupportTests",
            dependencies: ["BridgecastCore", "BridgecastSupport", "BridgecastTestSupport"],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastRoadsTests",
            dependencies: ["BridgecastCore", "BridgecastRoads", "BridgecastTestSupport"],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastEngineTests",
            dependencies: [
                "BridgecastCore", "BridgecastEngine", "BridgecastRoads", "BridgecastRouting",
                "BridgecastSupport", "BridgecastTestSupport", "BridgecastTraining", "COpenBLAS",
            ],
            exclude: ["Rejected", "Golden"],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastRoutingTests",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastEngine", "BridgecastRoads",
                "BridgecastRouting", "BridgecastSupport", "BridgecastTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastTrainingTests",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastEngine", "BridgecastSupport",
                "BridgecastTestSupport", "BridgecastTraining",
            ], swiftSettings: settings),
        .testTarget(
            name: "BridgecastDataTests",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastSupport", "BridgecastTestSupport",
            ],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastStoreTests",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastStore", "BridgecastSupport",
                "BridgecastTestSupport", grdb, postgreSQL,
            ],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastPostgreSQLTests",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastLive", "BridgecastStore",
                "BridgecastSupport",
                "BridgecastTestSupport", postgreSQL,
            ],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastJourneysTests",
            dependencies: [
                "BridgecastCore", "BridgecastJourneys", "BridgecastRouting", "BridgecastStore",
                "BridgecastSupport", "BridgecastTestSupport", grdb,
            ],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastAlertsTests",
            dependencies: [
                "BridgecastAlertCarriers", "BridgecastAlerts", "BridgecastCore",
                "BridgecastJourneys", "BridgecastStore", "BridgecastSupport",
                "BridgecastTestSupport", grdb,
            ],
            exclude: ["Receivers"],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastFeedsTests",
            dependencies: [
                "BridgecastCore", "BridgecastData", "BridgecastFeeds", "BridgecastRoads",
                "BridgecastRouting", "BridgecastSupport", "BridgecastTestSupport", logging,
            ],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastRoadImportTests",
            dependencies: [
                "BridgecastCore", "BridgecastRoadImport", "BridgecastRoads", "BridgecastSupport",
                "BridgecastTestSupport", "CZlib", protobuf,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BridgecastTransitTests",
            dependencies: [
                "BridgecastAnswers", "BridgecastCore", "BridgecastData", "BridgecastEngine",
                "BridgecastRealtimeWire", "BridgecastSupport", "BridgecastTestSupport",
                "BridgecastTransit", "BridgecastTransitAnswers", protobuf,
            ],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastObservationTests",
            dependencies: [
                "BridgecastCore", "BridgecastObservation", "BridgecastSupport",
                "BridgecastTestSupport",
            ],
            swiftSettings: mainActorQuickSettings),
        .testTarget(
            name: "BridgecastTests",
            dependencies: [
                "Bridgecast", "BridgecastRouting", "BridgecastSupport", "BridgecastTestSupport",
            ],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastABITests",
            dependencies: ["Bridgecast", "BridgecastABI", "BridgecastTestSupport", "CBridgecast"],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastLiveTests",
            dependencies: [
                "Bridgecast", "BridgecastCore", "BridgecastData", "BridgecastLive",
                "BridgecastRouting", "BridgecastStore", "BridgecastTestSupport", coreMetrics,
                logging,
            ],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastServiceTests",
            dependencies: [
                "Bridgecast", "BridgecastAlertCarriers", "BridgecastAlerts", "BridgecastAnswers",
                "BridgecastCLI", "BridgecastCore",
                "BridgecastData", "BridgecastEngine", "BridgecastJourneys", "BridgecastLive",
                "BridgecastObservation", "BridgecastRoads", "BridgecastRouting",
                "BridgecastService", "BridgecastStore", "BridgecastSupport",
                "BridgecastTestSupport", "BridgecastTransit", "BridgecastTransitAnswers", "CZlib",
                httpTypes, hummingbird, lifecycle,
                logging, nioCore, nioEmbedded, nioPosix,
            ],
            swiftSettings: quickSettings),
        .testTarget(
            name: "BridgecastCLITests",
            dependencies: [
                "Bridgecast", "BridgecastAlertCarriers", "BridgecastAlerts", "BridgecastBench",
                "BridgecastCLI",
                "BridgecastCore", "BridgecastData", "BridgecastEngine", "BridgecastFeeds",
                "BridgecastJourneys", "BridgecastLive", "BridgecastServerCLI", "BridgecastStore",
                "BridgecastSupport", "BridgecastTestSupport", "BridgecastTraining",
                "BridgecastTransit", "BridgecastTransitAnswers", argumentParser, logging,
            ],
            exclude: ["Roads"],
            swiftSettings: quickSettings),
    ],
    swiftLanguageModes: [.v6]
)
