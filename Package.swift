// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "belfry",
    // The client's. Everything else is for Linux.
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .executable(name: "belfry", targets: ["belfry"]),
        .library(name: "BelfryClient", targets: ["BelfryClient"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // System libraries: a module map and a shim each, no logic.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLinux"),
        .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
        // Of the program, and of nothing that is loaded into another one, as tests are.
        .target(name: "CHeap", linkerSettings: [.linkedLibrary("jemalloc")]),

        // The leaf that both stems read and write.
        .target(name: "JSON", dependencies: ["CSimdjson"], swiftSettings: settings),

        // Bytes and meaning, then sockets.
        .target(
            name: "WireProtocol",
            dependencies: ["JSON", "CZlib", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings),
        .target(
            name: "Transport",
            dependencies: ["WireProtocol", "CCurl", "CNghttp2", "COpenSSL", "CLinux"],
            swiftSettings: settings),

        // What a person is told, what a phone is told, and where both are kept.
        .target(
            name: "Inbox", dependencies: ["JSON", .product(name: "Yams", package: "Yams")], swiftSettings: settings,
            // The toolchain's ICU, for plural rules and dates; Foundation links it too.
            linkerSettings: [.linkedLibrary("_FoundationICU")]),
        .target(
            name: "Push", dependencies: ["Inbox", "JSON", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings),
        // What a store promises, whatever engine is behind it.
        .target(name: "Store", dependencies: ["Push", "Inbox", "JSON"], swiftSettings: settings),
        // Every rule that a transaction follows, over whatever rows an engine gives.
        .target(name: "Deliveries", dependencies: ["Store", "Push", "Inbox", "JSON"], swiftSettings: settings),
        // Moves a store from one engine to the other.
        .target(name: "Migration", swiftSettings: settings),
        // The invariants of a store, for `belfry verify`.
        .target(
            name: "Verification", dependencies: ["Deliveries", "Inbox", "JSON", "Migration", "Push", "Store"],
            swiftSettings: settings),
        // What nodes that share a store tell each other.
        .target(
            name: "Cluster", dependencies: ["Deliveries", "Store", "Push", "Inbox"], swiftSettings: settings),
        // The engine for one machine.
        .target(
            name: "SQLiteStore",
            dependencies: [
                "Deliveries", "Migration", "Verification", "Store", "Push", "Inbox", "JSON", "CSQLite",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            exclude: ["Schema/current.sql"], swiftSettings: settings),

        // Speaks to PostgreSQL, and knows nothing of what a store keeps there.
        .target(name: "Postgres", dependencies: ["CPostgres"], swiftSettings: settings),
        .target(
            name: "PostgresStore",
            dependencies: [
                "Cluster", "Deliveries", "Migration", "Verification", "Store", "Push", "Inbox", "JSON", "Postgres",
            ],
            swiftSettings: settings),

        // What traces are made of, for the gateway to record and send.
        .target(name: "Tracing", dependencies: ["Inbox", "JSON"], swiftSettings: settings),
        .target(name: "MCP", dependencies: ["JSON"], swiftSettings: settings),

        // The joint, the command line's client and the program.
        .target(
            name: "Gateway",
            dependencies: [
                "Transport", "SQLiteStore", "PostgresStore", "Postgres", "Store", "WireProtocol", "Inbox", "Push",
                "JSON", "Tracing",
                "CLinux",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings),
        .target(name: "EngineClient", dependencies: ["Transport", "WireProtocol", "JSON"], swiftSettings: settings),
        // What apps for Apple's systems add: Foundation alone, no system library.
        .target(name: "BelfryClient", swiftSettings: settings),
        // The load tool behind `belfry bench`.
        .target(
            name: "Bench",
            dependencies: [
                "Transport", "WireProtocol", "JSON", .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "belfry",
            dependencies: [
                "Gateway", "EngineClient", "Bench", "MCP", "Migration", "SQLiteStore", "PostgresStore", "Postgres",
                "Transport", "Verification",
                "WireProtocol", "Push", "Inbox", "JSON", "CHeap",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings),

        .target(name: "Support", path: "Tests/Support", swiftSettings: settings),
        .target(
            name: "ReferenceStore", dependencies: ["Cluster", "Deliveries", "Store", "Push", "Inbox", "JSON"],
            path: "Tests/ReferenceStore", swiftSettings: settings),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "CSimdjson"], swiftSettings: settings),
        .testTarget(
            name: "WireProtocolTests", dependencies: ["WireProtocol", "CZlib", "JSON", "Support"],
            swiftSettings: settings),
        .testTarget(name: "MCPTests", dependencies: ["MCP", "JSON"], swiftSettings: settings),
        .testTarget(name: "TracingTests", dependencies: ["Tracing", "Inbox", "JSON"], swiftSettings: settings),
        .testTarget(
            name: "InboxTests", dependencies: ["Inbox", "JSON", "Support"], swiftSettings: settings),
        .testTarget(
            name: "PushTests",
            dependencies: ["Push", "Inbox", "JSON", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings),
        .testTarget(
            name: "DeliveriesTests",
            dependencies: [
                "ReferenceStore", "SQLiteStore", "Deliveries", "Store", "Push", "Inbox", "JSON", "Support",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "ReferenceStore", "Cluster", "Migration", "Verification", "SQLiteStore", "PostgresStore", "Postgres",
                "Deliveries", "Store", "CSQLite", "Push", "Inbox", "JSON", "Support",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PostgresTests",
            dependencies: ["Postgres", "PostgresStore", "Deliveries", "Store", "Inbox", "Support"],
            swiftSettings: settings),
        // Measures with a release build; no test.
        .executableTarget(
            name: "PostgresFigures",
            dependencies: ["PostgresStore", "Postgres", "Deliveries", "Store", "Push", "Inbox", "JSON"],
            path: "Tests/PostgresFigures", swiftSettings: settings),
        .executableTarget(
            name: "simulate",
            dependencies: [
                "BelfryClient", "Gateway", "ReferenceStore", "Cluster", "Deliveries", "Store", "Push", "Inbox",
                "Transport", "WireProtocol", "Support",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Simulation", swiftSettings: settings),
        .testTarget(
            name: "TransportTests", dependencies: ["Transport", "WireProtocol", "Support"], swiftSettings: settings),
        .testTarget(name: "BelfryClientTests", dependencies: ["BelfryClient", "Support"], swiftSettings: settings),
        .testTarget(
            name: "BenchTests",
            dependencies: [
                "Bench", "Transport", "WireProtocol", "JSON",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Gateway", "BelfryClient", "EngineClient", "Transport", "SQLiteStore", "Postgres", "Store", "Push",
                "Inbox",
                "WireProtocol",
                "JSON",
                "Support",
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
