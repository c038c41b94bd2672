// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "songs",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    .package(url: "https://github.com/curlew/curlew", branch: "main")
  ],
  targets: [
    .target(
      name: "Songs",
      dependencies: [
        .product(name: "Curlew", package: "curlew"),
        .product(name: "CurlewScreens", package: "curlew"),
        .product(name: "CurlewSwiftUI", package: "curlew"),
      ]),
    .testTarget(
      name: "SongsTests",
      dependencies: ["Songs", .product(name: "CurlewTesting", package: "curlew")]),
  ]
)
