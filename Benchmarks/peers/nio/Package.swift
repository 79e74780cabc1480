// swift-tools-version: 6.0
import PackageDescription

// A package of its own, so that Belfry's does not depend on SwiftNIO.
let package = Package(
    name: "nio-peer",
    dependencies: [.package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2")],
    targets: [
        .executableTarget(
            name: "nio-peer",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            path: "Sources/NIOPeer")
    ])
