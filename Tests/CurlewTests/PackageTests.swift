import Foundation
import Testing

/// What depends on what, as Package.swift says it; the build fails on imports beyond that.
@Suite(.timeLimit(.minutes(2)))
struct PackageTests {
  /// The targets and products that each target of the package depends on.
  let dependencies: [String: Set<String>]

  init() async throws {
    let manifest = try JSONSerialization.jsonObject(with: try await Self.dump.value)
    let targets = try #require((manifest as? [String: Any])?["targets"] as? [[String: Any]])
    dependencies = Dictionary(
      uniqueKeysWithValues: targets.map { target in
        let list = target["dependencies"] as? [[String: Any]] ?? []
        let names = list.flatMap { $0.values.compactMap { ($0 as? [Any])?.first as? String } }
        return (target["name"] as? String ?? "", Set(names))
      })
  }

  /// The manifest as SwiftPM reads it: once for all tests, because that takes seconds.
  private static let dump = Task {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../..").standardizedFileURL
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    // A scratch path of its own: the one of the running tests is locked.
    let scratch = FileManager.default.temporaryDirectory.appending(path: "curlew-\(UUID())")
    defer { try? FileManager.default.removeItem(at: scratch) }
    process.arguments = [
      "swift", "package", "--package-path", root.path(), "--scratch-path", scratch.path(),
      "dump-package",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return data
  }

  @Test func endpointsAndScreensNeedNoServerAndNoDatabase() {
    #expect(dependencies["CurlewSupport"] == [])
    #expect(dependencies["Curlew"] == ["CurlewSupport", "HTTPTypes"])
    #expect(dependencies["CurlewScreens"] == ["CurlewSupport"])
  }

  @Test func testingWithoutARealServerNeedsNoNIO() {
    #expect(dependencies["CurlewTesting"] == ["Curlew", "CurlewScreens", "HTTPTypes"])
    // And neither a web framework nor a database.
    #expect(
      dependencies["CurlewFaultServer"] == [
        "Curlew", "CurlewTesting", "HTTPTypes", "NIOCore", "NIOPosix",
      ])
  }

  @Test func certificatesAreMadeInTestsOnly() {
    let makers: Set = ["X509", "SwiftASN1"]
    for (target, names) in dependencies where !target.hasSuffix("Tests") {
      #expect(names.isDisjoint(with: makers), "\(target)")
    }
  }

  @Test func layersOfTheShowcaseDependInwards() {
    #expect(dependencies["Domain"] == [])
    #expect(dependencies["Platform"] == ["Domain", "Curlew", "HTTPTypes"])
    #expect(dependencies["Application"] == ["Domain", "CurlewScreens"])
    #expect(dependencies["Sandbox"]?.isDisjoint(with: ["Domain", "Curlew", "Platform"]) == true)
  }
}
