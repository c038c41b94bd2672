// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Curlew has no CurlewRedis without hiredis.
let redis: [Target.Dependency] =
  ["/usr/include", "/opt/homebrew/include", "/usr/local/include"].contains {
    FileManager.default.fileExists(atPath: "\($0)/hiredis/hiredis.h")
  } ? [.product(name: "CurlewRedis", package: "curlew")] : []

// The showcase: Clean Architecture with one target per layer. The apps depend on the layers.
let package = Package(
  name: "showcase",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Domain", targets: ["Domain"]),
    .library(name: "Platform", targets: ["Platform"]),
    .library(name: "Application", targets: ["Application"]),
    .library(name: "Apps", targets: ["AppComposition", "AppViews", "AppControllers"]),
  ],
  dependencies: [
    // The same trait as in `make`, because another trait would recompile everything.
    .package(name: "curlew", path: "..", traits: ["Development"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .target(name: "Domain", path: "Domain"),
    .target(
      name: "Platform",
      dependencies: [
        "Domain", .curlew, .curlewJSON, .curlewScreens, .curlewStore, .httpTypes,
      ],
      path: "Platform"),
    .target(name: "Application", dependencies: ["Domain", .curlewScreens], path: "Application"),
    // The five apps; the view targets are empty on platforms without SwiftUI or UIKit.
    .target(
      name: "AppComposition",
      dependencies: ["Application", "Domain", "Platform", .curlew, .curlewScreens],
      path: "Apps/Composition"),
    .target(
      name: "AppViews",
      dependencies: [
        "AppComposition", "Application", "Domain", .curlew, .curlewScreens, .curlewSwiftUI,
      ],
      path: "Apps/SwiftUI"),
    .target(
      name: "AppControllers",
      dependencies: ["AppComposition", "Application", "Domain", .curlewScreens, .curlewUIKit],
      path: "Apps/UIKit"),
    // Each app in one file, with the settings of Xcode's app template: the code of
    // FromTheTutorials.md.
    .target(
      name: "OneFileApps",
      dependencies: [.curlew, .curlewScreens, .curlewStore, .curlewSwiftUI, .curlewUIKit],
      path: "Apps/OneFile"),
    .target(
      name: "Sandbox",
      dependencies: [
        "CSandboxData", .curlewJSON, .httpTypes, .hummingbird, .logging, .nioCore,
        .serviceLifecycle,
      ],
      path: "Sandbox", exclude: ["Data"]),
    // Embeds the sandbox's data files.
    .target(name: "CSandboxData", path: "CSandboxData"),
    .executableTarget(
      name: "showcase",
      dependencies: [
        "Application", "Domain", "Platform", "Sandbox", .curlew, .curlewAsyncHTTPClient,
        .curlewFleet, .curlewLive, .curlewObservability, .curlewRecording, .curlewSQLite,
        .curlewScreens, .curlewTerminal, .argumentParser, .coreMetrics, .crypto, .httpTypes,
        .hummingbird,
        .hummingbirdCore, .logging, .nioCore,
        .serviceLifecycle, .unixSignals,
      ] + redis,
      path: "showcase",
      // Embeds each file in these folders by its name, for example as
      // PackageResources.page_mustache.
      resources: [.embedInCode("Pages/Templates"), .embedInCode("Pages/Assets")]),

    // Test support for both packages; uses public symbols only.
    .target(name: "ShowcaseParallelTests", path: "Tests/ParallelTests"),
    .target(
      name: "ShowcaseTestSupport",
      dependencies: ["ShowcaseParallelTests", .curlew, .curlewTesting, .httpTypes],
      path: "Tests/TestSupport",
      sources: [
        "Errors.swift", "HAR", "Processes", "Random/Fuzz.swift", "Random/SeededGenerator.swift",
        "Random/Stories.swift", "Recordings.swift", "Waiting/Eventually.swift",
        "Waiting/Gate.swift", "Waiting/Waits.swift",
      ]),
    .testTarget(name: "DomainTests", dependencies: ["Domain"]),
    .testTarget(
      name: "PlatformTests",
      dependencies: [
        "Domain", "Platform", "ShowcaseTestSupport", .curlew, .curlewRecording, .curlewTesting,
        .httpTypes,
      ]),
    .testTarget(
      name: "ApplicationTests",
      dependencies: [
        "Application", "Domain", "ShowcaseTestSupport", .curlewScreens, .curlewTesting,
      ]),
    .testTarget(
      name: "OneFileAppsTests",
      dependencies: ["OneFileApps", .curlew, .curlewScreens, .curlewTesting]),
    .testTarget(
      name: "SandboxTests",
      dependencies: [
        "Sandbox", "ShowcaseTestSupport", .curlew, .curlewRecording, .curlewTesting,
        .asyncHTTPClient, .httpTypes, .nioCore, .nioFoundation, .nioHTTP1, .nioPosix,
      ], exclude: ["Exchanges.txt"]),
    .testTarget(
      name: "showcaseTests",
      dependencies: [
        "Application", "Domain", "Platform", "Sandbox", "ShowcaseTestSupport", "showcase", .curlew,
        .curlewAsyncHTTPClient, .curlewFleet, .curlewLive, .curlewLiveTesting, .curlewRecording,
        .curlewScreens,
        .curlewTerminal, .curlewTesting, .asyncHTTPClient, .httpTypes, .hummingbird, .nioCore,
        .nioHTTP1,
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The same settings as in Curlew's manifest.
let isStrict = Context.environment["CURLEW_WARNINGS_ARE_ERRORS"] != nil
for target in package.targets {
  target.swiftSettings =
    [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
    // The settings of Xcode's app template.
    + (target.name == "OneFileApps"
      ? [.defaultIsolation(MainActor.self), .enableUpcomingFeature("InferIsolatedConformances")]
      : [])
    + (isStrict ? [.treatAllWarnings(as: .error)] : [])
}

extension Target.Dependency {
  static let curlew = product(name: "Curlew", package: "curlew")
  static let curlewAsyncHTTPClient = product(name: "CurlewAsyncHTTPClient", package: "curlew")
  static let curlewFleet = product(name: "CurlewFleet", package: "curlew")
  static let curlewJSON = product(name: "CurlewJSON", package: "curlew")
  static let curlewLive = product(name: "CurlewLive", package: "curlew")
  static let curlewLiveTesting = product(name: "CurlewLiveTesting", package: "curlew")
  static let curlewObservability = product(name: "CurlewObservability", package: "curlew")
  static let curlewRecording = product(name: "CurlewRecording", package: "curlew")
  static let curlewSQLite = product(name: "CurlewSQLite", package: "curlew")
  static let curlewScreens = product(name: "CurlewScreens", package: "curlew")
  static let curlewStore = product(name: "CurlewStore", package: "curlew")
  static let curlewSwiftUI = product(name: "CurlewSwiftUI", package: "curlew")
  static let curlewUIKit = product(name: "CurlewUIKit", package: "curlew")
  static let curlewTerminal = product(name: "CurlewTerminal", package: "curlew")
  static let curlewTesting = product(name: "CurlewTesting", package: "curlew")
  static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
  static let asyncHTTPClient = product(name: "AsyncHTTPClient", package: "async-http-client")
  static let coreMetrics = product(name: "CoreMetrics", package: "swift-metrics")
  // Apple's systems have CryptoKit.
  static let crypto = product(
    name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux]))
  static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
  static let hummingbird = product(name: "Hummingbird", package: "hummingbird")
  static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird")
  static let logging = product(name: "Logging", package: "swift-log")
  static let nioCore = product(name: "NIOCore", package: "swift-nio")
  static let nioFoundation = product(name: "NIOFoundationCompat", package: "swift-nio")
  static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
  static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
  static let serviceLifecycle = product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")
  static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
}
