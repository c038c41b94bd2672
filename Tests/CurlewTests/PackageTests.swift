import Foundation
import TestSupport
import Testing

/// The dependencies in Package.swift; the build fails on imports beyond them.
@Suite(.timeLimit(.minutes(2)))
struct PackageTests {
  /// The targets and products that each target depends on.
  let dependencies: [String: Set<String>]
  /// The traits for products that an app chooses from; `Brotli` and `Zstandard` are for a library of the system.
  let traits: Set<String>
  /// The names of the products.
  let products: Set<String>
  /// The test targets that see public symbols only.
  let publicTests: Set<String>
  /// The traits under which each target uses each other package.
  let uses: [(target: String, package: String, traits: [String])]

  init() async throws {
    let manifests = try await Self.dumps.value.map {
      try #require(try JSONSerialization.jsonObject(with: $0) as? [String: Any])
    }
    let targets = try #require(manifests[0]["targets"] as? [[String: Any]])
    let showcase = try #require(manifests[1]["targets"] as? [[String: Any]])
    dependencies = Dictionary(
      uniqueKeysWithValues: (targets + showcase).map { target in
        let list = target["dependencies"] as? [[String: Any]] ?? []
        let names = list.flatMap { $0.values.compactMap { ($0 as? [Any])?.first as? String } }
        return (target["name"] as? String ?? "", Set(names))
      })
    publicTests = Set(
      targets.filter { $0["type"] as? String == "test" && $0["packageAccess"] as? Bool == false }
        .compactMap { $0["name"] as? String })
    let libraries = manifests[0]["products"] as? [[String: Any]] ?? []
    products = Set(libraries.compactMap { $0["name"] as? String })
    let declared = manifests[0]["traits"] as? [[String: Any]] ?? []
    let names = Set(declared.compactMap { $0["name"] as? String })
    traits = names.subtracting(["Brotli", "Development", "Zstandard", "default"])
    uses = targets.flatMap { target in
      (target["dependencies"] as? [[String: Any]] ?? []).compactMap { dependency in
        guard let product = dependency["product"] as? [Any] else { return nil }
        let condition = product.last as? [String: Any]
        return (
          target["name"] as? String ?? "", product[1] as? String ?? "",
          condition?["traits"] as? [String] ?? []
        )
      }
    }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  /// The manifests of Curlew and of the showcase, as SwiftPM parses them: once for all tests, because that takes
  /// seconds.
  private static let dumps = Task {
    // A separate scratch path: the running tests lock the default path.
    let scratch = FileManager.default.temporaryDirectory.appending(path: "curlew-\(UUID())")
    defer { try? FileManager.default.removeItem(at: scratch) }
    var dumps: [Data] = []
    for folder in [root, root.appending(path: "Showcase")] {
      let (end, output) = try await Process.run([
        "swift", "package", "--package-path", folder.path(), "--scratch-path", scratch.path(),
        "dump-package",
      ])
      try #require(end == .success)
      dumps.append(output)
    }
    return dumps
  }

  /// Expects that the client does not depend on hashes, logs or the database, that tests without a real server do not
  /// depend on NIO, and that the showcase's layers depend inwards.
  @Test(
    arguments: [
      "CurlewSupport": [], "CurlewJSON": [],
      "Curlew": ["CurlewJSON", "CurlewSupport", "HTTPTypes"],
      "CurlewScreens": ["CurlewJSON", "CurlewSupport"],
      "CurlewTesting": ["Curlew", "CurlewScreens", "HTTPTypes"],
      "CurlewFaultServer": ["Curlew", "CurlewTesting", "HTTPTypes", "NIOCore", "NIOPosix"],
      "CurlewLiveTesting": [
        "CurlewLive", "CurlewTesting", "HTTPTypes", "Hummingbird", "Logging", "NIOCore",
        "NIOEmbedded",
      ],
      "CurlewDigest": ["CCurlewZlib", "Crypto", "Curlew", "HTTPTypes"],
      "CurlewObservability": ["CoreMetrics", "Curlew", "HTTPTypes", "Logging", "Tracing"],
      "CurlewSQLite": ["Curlew", "GRDB", "HTTPTypes"],
      "CurlewFleet": ["CurlewSupport"],
      "Domain": [],
      "Platform": [
        "Domain", "Curlew", "CurlewJSON", "CurlewScreens", "CurlewStore", "HTTPTypes",
      ],
      "Application": ["Domain", "CurlewScreens"],
    ] as [String: Set<String>])
  func `each target needs these`(target: String, names: Set<String>) {
    #expect(dependencies[target] == names)
    #expect(dependencies["Sandbox"]?.isDisjoint(with: ["Domain", "Curlew", "Platform"]) == true)
  }

  /// Such a conformance would hold in the whole program, and forbid the app's own.
  @Test func `no foreign type conforms to a foreign protocol`() throws {
    let folder = Self.root.appending(path: "Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
      .filter { $0.hasSuffix(".swift") }
    #expect(files.count > 400)
    for file in files {
      let code = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      #expect(!code.utf8.contains("@retroactive".utf8), "\(file)")
    }
  }

  @Test func `certificates are made in tests only`() {
    let makers: Set = ["X509", "SwiftASN1"]
    for (target, names) in dependencies where !target.hasSuffix("Tests") && target != "TestSupport"
    {
      #expect(names.isDisjoint(with: makers), "\(target)")
    }
  }

  @Test func `only tests use their support`() {
    let users = dependencies.filter { $0.value.contains("TestSupport") }.keys
    #expect(users.count > 10)
    #expect(users.allSatisfy { $0.hasSuffix("Tests") || $0 == "cache-process" }, "\(users)")
  }

  /// Each condition names one trait; a product with its own trait has two conditions.
  @Test func `each package is downloaded with one trait or in a clone`() {
    #expect(
      traits.isSuperset(of: [
        "AsyncHTTPClient", "Digest", "FaultServer", "Live", "Observability", "SQLite",
      ]))
    for use in uses {
      guard use.package != "swift-http-types" else {
        #expect(use.traits == [], "\(use.target)")
        continue
      }
      let own = traits.filter { ["Curlew\($0)", "Curlew\($0)Testing"].contains(use.target) }
      let found = uses.filter { ($0.target, $0.package) == (use.target, use.package) }
      var expected = own.union(["Development"])
      #if WITHOUT_SQLITE
        if use.package == "GRDB.swift" { expected = own }
      #endif
      #expect(use.traits.count == 1, "\(use.target) uses \(use.package)")
      #expect(
        Set(found.flatMap(\.traits)) == expected,
        "\(use.target) uses \(use.package)")
    }
    #expect(Set(uses.flatMap(\.traits)) == traits.union(["Development"]))
  }

  @Test func `each script and style of live pages is embedded once`() throws {
    let sources = Self.root.appending(path: "Sources")
    let code = try String(
      contentsOf: sources.appending(path: "CCurlewLiveAssets/assets.c"), encoding: .utf8)
    let embedded = code.matches(of: /#embed "\.\.\/(.*)"/).map { String($0.1) }
    let files = try ["CurlewLive/Assets", "CurlewLive/Inspector/Assets"].flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: sources.appending(path: folder).path())
        .map { "\(folder)/\($0)" }
    }
    #expect(embedded.sorted() == files.sorted() && files.count > 20)
  }

  /// Apple requires libraries to declare their reasons.
  ///
  /// https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api
  @Test func `what reads metadata of files says why`() throws {
    let sources = Self.root.appending(path: "Sources")
    let targets = try FileManager.default.contentsOfDirectory(atPath: sources.path())
    var readers: Set<String> = []
    for target in targets {
      let folder = sources.appending(path: target)
      for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path())
      where file.hasSuffix(".swift") {
        let code = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
          .replacing(/\/\/.*/, with: "")
        if code.contains(/\b[fl]?stat\(/) { readers.insert(target) }
      }
      let manifest = folder.appending(path: "PrivacyInfo.xcprivacy")
      let types =
        (try? Data(contentsOf: manifest)).flatMap {
          try? PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any]
        }?["NSPrivacyAccessedAPITypes"] as? [[String: Any]]
      #expect((types != nil) == readers.contains(target), "\(target)")
      guard let types else { continue }
      #expect(
        types.map { $0["NSPrivacyAccessedAPIType"] as? String }
          == ["NSPrivacyAccessedAPICategoryFileTimestamp"])
      #expect(types.first?["NSPrivacyAccessedAPITypeReasons"] as? [String] == ["C617.1"])
    }
    #expect(readers == ["Curlew", "CurlewSQLite"])
  }

  /// The Swift Package Index builds these on Apple's systems.
  @Test func `schemes of the Swift Package Index are products`() throws {
    let page = try String(contentsOf: Self.root.appending(path: ".spi.yml"), encoding: .utf8)
    let schemes = page.matches(of: /scheme: (\w+)/).map { String($0.1) }
    #expect(schemes.count == 5 && products.isSuperset(of: schemes))
  }

  /// The code of the pages is compiled as a stranger compiles it; `package` symbols don't compile there.
  @Test func `tests of public code have no package access`() {
    #expect(
      publicTests == [
        "CurlewDigestTests", "CurlewFaultServerTests", "CurlewJSONTests", "CurlewLiveTestingTests",
        "CurlewRecordingTests", "CurlewTestingTests", "PagesTests",
      ])
  }

  /// An app names one trait: a product must not need another one.
  @Test func `no product with a trait depends on another one`() {
    let products = traits.map { "Curlew\($0)" }
    for product in products {
      let others = dependencies[product, default: []].intersection(products)
      #expect(others.isEmpty && dependencies[product] != nil, "\(product)")
    }
  }
}
