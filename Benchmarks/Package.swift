// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "curlew", path: "..", traits: ["AsyncHTTPClient", "Live", "Redis", "SQLite"]),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    // The peer for screens: Combine's operators on platforms without Combine.
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .executableTarget(
      name: "bench",
      dependencies: [
        // BenchServer is a dependency so that `swift run bench` builds it; it is run, not imported.
        "BenchServer", "CMemory", "Documents",
        .product(name: "Curlew", package: "curlew"),
        .product(name: "CurlewAsyncHTTPClient", package: "curlew"),
        .product(name: "CurlewFleet", package: "curlew"),
        .product(name: "CurlewJSON", package: "curlew"),
        .product(name: "CurlewLive", package: "curlew"),
        .product(name: "CurlewRedis", package: "curlew"),
        .product(name: "CurlewSQLite", package: "curlew"),
        .product(name: "CurlewScreens", package: "curlew"),
        .product(name: "CurlewStore", package: "curlew"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOFoundationCompat", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
      ]),
    .target(name: "CMemory"),
    // The documents for serving and decoding.
    .target(name: "Documents"),
    // A separate process, so that its CPU time is not attributed to the clients.
    .executableTarget(
      name: "BenchServer",
      dependencies: [
        "Documents",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CMemory" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
