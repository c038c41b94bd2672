// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Apps download only the packages that they use: each product CurlewX needs the trait X for its packages other than
// swift-http-types.
let traits: [Trait] = [
  .trait(name: "AsyncHTTPClient", description: "The packages that CurlewAsyncHTTPClient needs"),
  .trait(name: "Brotli", description: "Brotli in CurlewAsyncHTTPClient, with the system's library"),
  .trait(name: "Digest", description: "The packages that CurlewDigest needs"),
  .trait(name: "FaultServer", description: "The packages that CurlewFaultServer needs"),
  .trait(name: "Live", description: "The packages that CurlewLive and CurlewLiveTesting need"),
  .trait(name: "Observability", description: "The packages that CurlewObservability needs"),
  .trait(
    name: "Redis", description: "The packages that CurlewRedis needs, with the system's hiredis"),
  .trait(name: "SQLite", description: "The packages that CurlewSQLite needs"),
  .trait(
    name: "Zstandard", description: "Zstandard in CurlewAsyncHTTPClient, with the system's library"),
]

// Whether this is a clone, where `swift build` builds and tests everything, and no package that an app depends on, whose
// traits the app chooses. SwiftPM and Xcode check dependencies out into these folders; an archive has no Git folder. A
// dependency by path or an edited one is a clone, too: its app names the traits, or gets all packages.
//
// `swift package update` of Swift 6.4.0 fails if a dependency is only needed with a trait (SwiftPM #10397).
let isClone =
  Context.gitInformation != nil
  && ["/.build/checkouts/", "/SourcePackages/checkouts/", "/registry/downloads/"].allSatisfy {
    !"\(Context.packageDirectory)/".contains($0)
  }

// SQLite's header is not in all of Swift's images for Linux. In a clone without it, CurlewSQLite is built without SQLite:
// its storage stores nothing, and reports which package to install.
#if os(Linux)
  let lacksSQLite = isClone && !FileManager.default.fileExists(atPath: "/usr/include/sqlite3.h")
#else
  let lacksSQLite = false
#endif

#if os(Linux)
  let hiredis: String? = nil
#else
  let hiredis: String? = "hiredis"
#endif

// Libraries of the system for a trait, without which a clone is built, too: there, their headers are looked for.
let systemLibraries = [
  "Brotli": "brotli/decode.h", "Redis": "hiredis/hiredis.h", "Zstandard": "zstd.h",
].filter { _, header in
  !isClone
    || ["/usr/include", "/opt/homebrew/include", "/usr/local/include"].contains {
      FileManager.default.fileExists(atPath: "\($0)/\(header)")
    }
}

let package = Package(
  name: "curlew",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Curlew", targets: ["Curlew"]),
    .library(name: "CurlewAsyncHTTPClient", targets: ["CurlewAsyncHTTPClient"]),
    .library(name: "CurlewDigest", targets: ["CurlewDigest"]),
    .library(name: "CurlewFleet", targets: ["CurlewFleet"]),
    .library(name: "CurlewJSON", targets: ["CurlewJSON"]),
    .library(name: "CurlewScreens", targets: ["CurlewScreens"]),
    .library(name: "CurlewStore", targets: ["CurlewStore"]),
    .library(name: "CurlewLive", targets: ["CurlewLive"]),
    .library(name: "CurlewLiveTesting", targets: ["CurlewLiveTesting"]),
    .library(name: "CurlewRecording", targets: ["CurlewRecording"]),
    .library(name: "CurlewObservability", targets: ["CurlewObservability"]),
    .library(name: "CurlewRedis", targets: ["CurlewRedis"]),
    .library(name: "CurlewSQLite", targets: ["CurlewSQLite"]),
    .library(name: "CurlewSwiftUI", targets: ["CurlewSwiftUI"]),
    .library(name: "CurlewUIKit", targets: ["CurlewUIKit"]),
    .library(name: "CurlewTerminal", targets: ["CurlewTerminal"]),
    .library(name: "CurlewTesting", targets: ["CurlewTesting"]),
    .library(name: "CurlewFaultServer", targets: ["CurlewFaultServer"]),
  ],
  // `Development` stands for all traits, so that a single one is enabled in a clone: with several, SwiftPM passes their
  // names to the compiler in an order that varies between processes, which causes a full rebuild.
  traits: Set(traits).union([
    .trait(
      name: "Development",
      description: "Everything that a clone builds, tests and runs; not for apps")
  ]).union(isClone ? [.default(enabledTraits: ["Development"])] : []),
  dependencies: [
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
    .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // The library: an endpoint becomes a typed value, a screen becomes a sequence of states.
    .target(name: "Curlew", dependencies: ["CurlewJSON", "CurlewSupport", .httpTypes]),
    .target(
      name: "CurlewAsyncHTTPClient",
      dependencies: [
        "CCurlewZlib", "Curlew", .httpTypes, .asyncHTTPClient, .nioCore, .nioPosix, .nioHTTP1,
        .nioHPACK, .nioHTTP2, .nioFoundation, .nioSSL, .crypto,
      ]
    ),
    // Features that need hashes or zlib: digest fields, Digest authentication, gzip for requests.
    .target(
      name: "CurlewDigest",
      dependencies: ["CCurlewZlib", "Curlew", .httpTypes, .crypto]),
    // The system's zlib, which gets the system's security updates: part of Apple's systems, `zlib1g-dev` on Debian and
    // Ubuntu.
    .systemLibrary(name: "CCurlewZlib"),
    .systemLibrary(
      name: "CCurlewBrotli", pkgConfig: "libbrotlidec",
      providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
    .systemLibrary(
      name: "CCurlewZstandard", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    // A faster JSON decoder without dependencies, not even on Curlew.
    .target(name: "CurlewJSON"),
    .target(name: "CurlewScreens", dependencies: ["CurlewJSON", "CurlewSupport"]),
    // Server data shared by screens: entries, entities, edits.
    .target(
      name: "CurlewStore",
      dependencies: ["Curlew", "CurlewJSON", "CurlewScreens", "CurlewSupport", .httpTypes]),
    // Code shared by the client and screens, which both re-export it, so that neither imports the other.
    .target(name: "CurlewSupport"),
    // Values, news, quotas and leases that the servers of an app share; in one process without an engine.
    .target(name: "CurlewFleet", dependencies: ["CurlewSupport"]),
    .target(
      name: "CurlewLive",
      dependencies: [
        "CCurlewLiveAssets", "CCurlewZlib", "CurlewJSON", "CurlewScreens", "CurlewSupport",
        .coreMetrics, .crypto, .httpTypes, .hummingbird, .hummingbirdCore, .logging, .mustache,
        .nioCore, .nioHTTP1,
        .nioHTTPTypesHTTP1, .nioPosix,
        .serviceLifecycle,
      ],
      exclude: ["Assets", "Inspector/Assets"]
    ),
    // Embeds the scripts and styles in these folders.
    .target(name: "CCurlewLiveAssets"),
    // Live pages in tests, without a server and a browser.
    .target(
      name: "CurlewLiveTesting",
      dependencies: [
        "CurlewLive", "CurlewTesting", .httpTypes, .hummingbird, .logging, .nioCore, .nioEmbedded,
      ]),
    // HAR: recordings of real responses, their replay, and drift reports.
    .target(
      name: "CurlewRecording", dependencies: ["Curlew", "CurlewJSON", "CurlewSupport", .httpTypes]),
    // Request observers for logs, metrics and traces.
    .target(
      name: "CurlewObservability",
      dependencies: ["Curlew", .coreMetrics, .httpTypes, .logging, .tracing]),
    // Redis or Valkey as the engine of a fleet, with hiredis' parser.
    // On Linux without pkg-config: SwiftPM warns of a flag in hiredis' file (-D), and the header needs none.
    .systemLibrary(
      name: "CCurlewRedis", pkgConfig: hiredis,
      providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]),
    .target(
      name: "CurlewRedis",
      dependencies: [
        "Curlew", "CurlewFleet", "CurlewSupport", .crypto, .httpTypes, .nioCore, .nioPosix, .nioSSL,
      ]),
    // A cache in a file, with the system's SQLite: part of Apple's systems, `libsqlite3-dev` on Debian and Ubuntu.
    .target(
      name: "CurlewSQLite", dependencies: ["Curlew", .grdb, .httpTypes],
      exclude: lacksSQLite ? [] : ["WithoutSQLite"],
      sources: lacksSQLite
        ? ["ResponseCache+SQLite.swift", "SQLiteCacheFailure.swift", "WithoutSQLite"] : nil),
    // Empty without SwiftUI or UIKit.
    .target(name: "CurlewSwiftUI", dependencies: ["CurlewScreens"]),
    .target(name: "CurlewUIKit", dependencies: ["CurlewScreens"]),
    // Screens in a terminal, with POSIX alone: no NIO.
    .target(name: "CurlewTerminal", dependencies: ["CurlewScreens"]),
    .target(
      name: "CurlewTesting",
      dependencies: ["Curlew", "CurlewScreens", "CurlewTerminal", .httpTypes]),
    // A separate target, so that users who only stub don't compile NIO.
    .target(
      name: "CurlewFaultServer",
      dependencies: ["Curlew", "CurlewTesting", .httpTypes, .nioCore, .nioPosix]),

    // Tests: one folder per target. Those without package access see what users see. The others can't: they test internal
    // parts alone (parsers, pools, tables, HTTP dates), or need the executor that orders tasks (CurlewStoreTests) or
    // names that are made on demand (CurlewObservabilityTests).
    // Shared by several test targets; not in a product.
    .target(name: "ParallelTests", path: "Tests/ParallelTests"),
    .target(
      name: "TestSupport",
      dependencies: [
        "CCurlewZlib", "ParallelTests", "Curlew", "CurlewAsyncHTTPClient", "CurlewFaultServer",
        "CurlewTesting",
        .crypto, .httpTypes, .nioSSL, .swiftASN1, .x509,
      ],
      path: "Tests/TestSupport"),
    .testTarget(
      name: "CurlewTests",
      dependencies: [
        "Curlew", "CurlewJSON", "CurlewRecording", "CurlewTesting", "TestSupport", .httpTypes,
        .structuredFields,
      ]),
    .testTarget(
      name: "CurlewRecordingTests",
      dependencies: [
        "Curlew", "CurlewRecording", "CurlewTesting", "TestSupport", .httpTypes,
      ], packageAccess: false),
    .testTarget(
      name: "CurlewAsyncHTTPClientTests",
      dependencies: [
        "Curlew", "CurlewAsyncHTTPClient", "CurlewFaultServer", "CurlewTesting", "TestSupport",
        .asyncHTTPClient,
      ]),
    // Transports, caches and streams on real sockets.
    .testTarget(
      name: "WireTests",
      dependencies: [
        "Curlew", "CurlewAsyncHTTPClient", "CurlewDigest", "CurlewFaultServer", "CurlewRecording",
        "CurlewSQLite", "CurlewTesting", "TestSupport", .asyncHTTPClient, .crypto, .httpTypes,
        .nioCore, .nioHPACK, .nioHTTP1, .nioHTTP2, .nioPosix, .nioSSL,
      ], exclude: ["Caching/CacheCases.txt"]),
    .testTarget(
      name: "CurlewDigestTests",
      dependencies: ["Curlew", "CurlewDigest", "CurlewTesting", "TestSupport", .httpTypes],
      packageAccess: false),
    .testTarget(
      name: "CurlewJSONTests",
      dependencies: ["Curlew", "CurlewJSON", "CurlewTesting", "TestSupport", .httpTypes],
      packageAccess: false),
    .testTarget(
      name: "CurlewFleetTests",
      dependencies: [
        "Curlew", "CurlewFleet", "CurlewScreens", "CurlewStore", "CurlewTesting", "TestSupport",
        .httpTypes,
      ]),
    .testTarget(
      name: "CurlewRedisTests",
      dependencies: [
        "Curlew", "CurlewFleet", "CurlewRedis", "CurlewSupport", "CurlewTesting", "TestSupport",
        .crypto, .httpTypes, .nioCore, .nioEmbedded, .nioPosix, .nioSSL,
      ]),
    .testTarget(
      name: "CurlewScreensTests",
      dependencies: ["CurlewScreens", "CurlewTesting", "TestSupport", "shared-process"]),
    // A process for tests to kill.
    .executableTarget(
      name: "shared-process", dependencies: ["CurlewScreens"], path: "Tests/shared-process"),
    .testTarget(
      name: "CurlewTerminalTests",
      dependencies: [
        "CurlewScreens", "CurlewTerminal", "CurlewTesting", "TestSupport", "terminal-process",
      ]),
    // A process for tests in a real terminal.
    .executableTarget(
      name: "terminal-process", dependencies: ["CurlewScreens", "CurlewTerminal"],
      path: "Tests/terminal-process"),
    .testTarget(
      name: "CurlewStoreTests",
      dependencies: [
        "Curlew", "CurlewScreens", "CurlewStore", "CurlewTesting", "TestSupport", "outbox-process",
        .httpTypes,
      ]),
    // A process that kills itself.
    .executableTarget(
      name: "outbox-process", dependencies: ["Curlew", "CurlewScreens", "CurlewStore", .httpTypes],
      path: "Tests/outbox-process"),
    // An app that uses a third-party API, and that API.
    .target(
      name: "LibraryApp",
      dependencies: [
        "Curlew", "CurlewAsyncHTTPClient", "CurlewLive", "CurlewSQLite", "CurlewScreens",
        "CurlewStore", .hummingbird,
      ],
      path: "Tests/LibraryApp", exclude: ["library.py"]),
    .testTarget(
      name: "CurlewLiveTests",
      dependencies: [
        "Curlew", "CurlewAsyncHTTPClient", "CurlewFleet", "CurlewLive", "CurlewScreens",
        "CurlewTesting", "LibraryApp", "TestSupport",
        "live-process", .asyncHTTPClient, .httpTypes,
        .hummingbird, .hummingbirdCore, .hummingbirdTesting, .logging, .mustache, .nioCore,
        .nioHTTP1, .nioHTTPCompression, .nioPosix, .serviceLifecycle,
      ]),
    // A process that tests start several times and kill.
    .executableTarget(
      name: "live-process",
      dependencies: [
        "Curlew", "CurlewAsyncHTTPClient", "CurlewFleet", "CurlewLive", "CurlewScreens",
        "CurlewStore", "CurlewSupport", .hummingbird, .hummingbirdCore, .logging, .nioCore,
      ],
      path: "Tests/live-process"),
    .testTarget(
      name: "CurlewLiveTestingTests",
      dependencies: [
        "Curlew", "CurlewLive", "CurlewLiveTesting", "CurlewScreens", "CurlewTesting",
        "TestSupport", .httpTypes, .hummingbird,
      ], packageAccess: false),
    .testTarget(
      name: "CurlewObservabilityTests",
      dependencies: [
        "Curlew", "CurlewAsyncHTTPClient", "CurlewFaultServer", "CurlewObservability",
        "CurlewRecording", "CurlewTesting", "TestSupport", .coreMetrics, .httpTypes,
        .inMemoryLogging, .inMemoryTracing, .logging,
        .metricsTestKit, .tracing,
      ], exclude: ["Observations.txt"]),
    .testTarget(
      name: "CurlewSQLiteTests",
      dependencies: [
        "Curlew", "CurlewSQLite", "CurlewTesting", "TestSupport", "cache-process", .grdb,
        .httpTypes,
      ]),
    // A process that tests start several times and kill.
    .executableTarget(
      name: "cache-process",
      dependencies: ["Curlew", "CurlewSQLite", "CurlewTesting", "TestSupport", .httpTypes],
      path: "Tests/cache-process"),
    .testTarget(
      name: "CurlewTestingTests",
      dependencies: [
        "Curlew", "CurlewAsyncHTTPClient", "CurlewFaultServer", "CurlewScreens",
        "CurlewRecording", "CurlewTesting", "TestSupport", .httpTypes,
      ], packageAccess: false),
    // The code in README and the documentation pages, with the settings of Xcode 26's app template.
    .testTarget(
      name: "PagesTests",
      dependencies: [
        "Curlew", "CurlewAsyncHTTPClient", "CurlewDigest", "CurlewFaultServer", "CurlewFleet",
        "CurlewJSON", "CurlewLive", "CurlewObservability", "CurlewRecording", "CurlewSQLite",
        "CurlewScreens",
        "CurlewStore", "CurlewTerminal", "CurlewTesting", "TestSupport", .coreMetrics, .httpTypes,
        .hummingbird, .hummingbirdTesting, .inMemoryLogging, .inMemoryTracing, .logging,
        .metricsTestKit,
        .mustache, .tracing,
      ], packageAccess: false),
    .testTarget(
      name: "CurlewFaultServerTests",
      dependencies: [
        "Curlew", "CurlewFaultServer", "CurlewTesting", .httpTypes, .nioCore, .nioPosix,
      ], packageAccess: false),
  ],
  swiftLanguageModes: [.v6]
)

// The same settings for every target. Warnings are errors only in Curlew's CI, so that new warnings of newer compilers
// don't break users' builds; `CI` is also set by Xcode Cloud and in users' CI.
let isStrict = Context.environment["CURLEW_WARNINGS_ARE_ERRORS"] != nil
for target in package.targets where target.type != .system {
  target.swiftSettings =
    [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])
}
package.targets.first { $0.name == "PagesTests" }?.swiftSettings?.append(contentsOf: [
  .defaultIsolation(MainActor.self), .enableUpcomingFeature("InferIsolatedConformances"),
])

// Apple requires libraries to declare why they read file metadata (required-reason APIs): the files are inside the
// app's container (C617.1). Only Apple's tools read the declaration.
for target in package.targets where ["Curlew", "CurlewSQLite"].contains(target.name) {
  #if os(macOS)
    target.resources = [.process("PrivacyInfo.xcprivacy")]
  #else
    target.exclude.append("PrivacyInfo.xcprivacy")
  #endif
}

// A package is downloaded only if a trait in the condition of one of its uses is enabled. Each condition has a single
// trait, because Swift 6.2 requires all traits of a condition and Swift 6.3 any of them.
for target in package.targets {
  let own = traits.map(\.name).filter {
    ["Curlew\($0)", "Curlew\($0)Testing"].contains(target.name)
  }
  target.dependencies = target.dependencies.flatMap { dependency -> [Target.Dependency] in
    guard case .productItem(let name, let package?, let aliases, _) = dependency,
      package != "swift-http-types"
    else { return [dependency] }
    // Apple's systems have CryptoKit instead of swift-crypto.
    let isOnLinuxOnly = package == "swift-crypto" && !own.isEmpty
    let clone = package == "GRDB.swift" && lacksSQLite ? [] : ["Development"]
    return (own + clone).map { trait in
      .productItem(
        name: name, package: package, moduleAliases: aliases,
        condition: isOnLinuxOnly
          ? .when(platforms: [.linux], traits: [trait]) : .when(traits: [trait]))
    }
  }
}

for trait in ["Brotli", "Redis", "Zstandard"] {
  let user = trait == "Redis" ? "CurlewRedis" : "CurlewAsyncHTTPClient"
  if systemLibraries[trait] == nil {
    package.targets.removeAll { $0.name == "CCurlew\(trait)" }
  } else {
    package.targets.first { $0.name == user }?.dependencies += [trait, "Development"].map {
      .target(name: "CCurlew\(trait)", condition: .when(traits: [$0]))
    }
  }
}

// A clone without hiredis has no CurlewRedis.
if systemLibraries["Redis"] == nil {
  package.products.removeAll { $0.name == "CurlewRedis" }
  package.targets.removeAll { ["CurlewRedis", "CurlewRedisTests"].contains($0.name) }
} else {
  for target in package.targets where ["PagesTests", "live-process"].contains(target.name) {
    target.dependencies.append("CurlewRedis")
  }
}

// `make unit`: without the tests of targets that need sockets or other packages.
if Context.environment["CURLEW_UNIT"] != nil {
  let kept = ["", "Fleet", "Screens", "Store", "Terminal", "Testing"].map { "Curlew\($0)Tests" }
  package.targets.removeAll { $0.type == .test && !kept.contains($0.name) }
}

if lacksSQLite {
  package.targets.removeAll { ["CurlewSQLiteTests", "cache-process"].contains($0.name) }
  for target in package.targets where target.type == .test {
    target.swiftSettings?.append(.define("WITHOUT_SQLITE"))
  }
}

extension Target.Dependency {
  static let asyncHTTPClient = product(name: "AsyncHTTPClient", package: "async-http-client")
  static let coreMetrics = product(name: "CoreMetrics", package: "swift-metrics")
  static let grdb = product(name: "GRDB", package: "GRDB.swift")
  static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
  static let hummingbird = product(name: "Hummingbird", package: "hummingbird")
  static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird")
  static let hummingbirdTesting = product(name: "HummingbirdTesting", package: "hummingbird")
  static let inMemoryLogging = product(name: "InMemoryLogging", package: "swift-log")
  static let inMemoryTracing = product(
    name: "InMemoryTracing", package: "swift-distributed-tracing")
  static let logging = product(name: "Logging", package: "swift-log")
  static let metricsTestKit = product(name: "MetricsTestKit", package: "swift-metrics")
  static let mustache = product(name: "Mustache", package: "swift-mustache")
  static let nioCore = product(name: "NIOCore", package: "swift-nio")
  static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio")
  static let nioFoundation = product(name: "NIOFoundationCompat", package: "swift-nio")
  static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
  static let nioHTTPCompression = product(
    name: "NIOHTTPCompression", package: "swift-nio-extras")
  static let nioHTTPTypesHTTP1 = product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
  static let nioHPACK = product(name: "NIOHPACK", package: "swift-nio-http2")
  static let nioHTTP2 = product(name: "NIOHTTP2", package: "swift-nio-http2")
  static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
  static let crypto = product(name: "Crypto", package: "swift-crypto")
  static let tracing = product(name: "Tracing", package: "swift-distributed-tracing")
  static let structuredFields = product(
    name: "RawStructuredFieldValues", package: "swift-http-structured-headers")
  static let swiftASN1 = product(name: "SwiftASN1", package: "swift-asn1")
  static let x509 = product(name: "X509", package: "swift-certificates")
  static let serviceLifecycle = product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")
  static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
}
