import AsyncHTTPClient
import Curlew
import CurlewLive
import Foundation
import Hummingbird
import HummingbirdTesting
import LibraryApp
import Logging
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// A small app on the store, with a third-party API, on real sockets: `Tests/LibraryApp`.
@Suite(.enabled(if: LibraryServer.isPossible, "Python 3 is missing"), .timeLimit(.minutes(2)))
struct LibraryTests {
  @Test func `the app is short`() throws {
    let lines = try String(
      contentsOf: LibraryServer.folder.appending(path: "LibraryApp.swift"), encoding: .utf8
    )
    .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 230)
    #expect((1...15).contains(lines.count(where: { $0.hasSuffix("// shared") })))
  }

  @Test func `a star shows in another tab at once`() async throws {
    try await LibraryServer.withApp { server, visitor in
      var (list, book) = (
        try await LibraryTab(visitor, "/"), try await LibraryTab(visitor, "/books/b3")
      )
      #expect(try await list.waits { $0.contains("230 books") && $0.contains("★ 0") })
      #expect(try await book.waits { $0.contains("aria-pressed=\"false\"") })
      try await server.send("/hold")
      try await list.act("star", "b3")
      // The server has not responded yet.
      #expect(try await book.waits { $0.contains("aria-pressed=\"true\"") && $0.contains("★ 1") })
      #expect(try await list.waits { $0.contains("★ 1") })
      #expect(try await server.log().contains("PUT /me/stars/b3"))
      try await server.send("/release")
      try await book.act("unstar", "b3")
      #expect(try await list.waits { $0.contains("★ 0") })
    }
  }

  @Test func `a refusal is rolled back alone`() async throws {
    try await LibraryServer.withApp { server, visitor in
      var list = try await LibraryTab(visitor, "/")
      #expect(try await list.waits { $0.contains("★ 0") })
      try await server.send("/hold")
      try await list.act("star", "b2")
      try await list.act("star", "b7")
      #expect(try await list.waits { $0.contains("★ 2") })
      try await server.send("/release")
      #expect(
        try await list.waits { $0.contains("★ 1") && $0.contains("permission") })
      #expect(try await list.waits { LibraryTab.stars(in: $0) == ["b2"] })
    }
  }

  @Test func `the list goes on, is searched, and keeps its stars`()
    async throws
  {
    try await LibraryServer.withApp { server, visitor in
      var list = try await LibraryTab(visitor, "/")
      #expect(try await list.waits { $0.contains("230 books") })
      try await list.act("more")
      #expect(try await list.waits { $0.contains("data-key=\"b39\"") })
      try await list.act("star", "b39")
      #expect(try await list.waits { $0.contains("★ 1") })
      try await list.act("term", "quiet house")
      #expect(try await list.waits { $0.contains("3 books") && $0.contains("data-key=\"b100\"") })
      try await list.act("star", "b100")
      #expect(try await list.waits { $0.contains("★ 2") })
      try await list.act("term", "")
      #expect(try await list.waits { $0.contains("230 books") })
      try await list.act("more")
      #expect(try await list.waits { $0.contains("data-key=\"b39\"") })
      #expect(list.stars == ["b39"])
    }
  }

  #if WITHOUT_SQLITE
    private static let hasSQLite = false
  #else
    private static let hasSQLite = true
  #endif

  @Test(.enabled(if: hasSQLite, "libsqlite3-dev is missing"))
  func `offline, and after a launch, all is still there`() async throws {
    let cache = FileManager.default.temporaryDirectory.appending(path: "library-\(UUID()).sqlite")
    defer { try? FileManager.default.removeItem(at: cache) }
    let server = try await LibraryServer.start()
    try await server.withApp(cache: cache) { visitor in
      var list = try await LibraryTab(visitor, "/")
      #expect(try await list.waits { $0.contains("★ 0") && $0.contains("230 books") })
      try await list.act("star", "b5")
      #expect(try await list.waits { $0.contains("★ 1") })
      // The data that the write invalidated is loaded again.
      while try await server.log().count(where: { ["GET /books", "GET /me/stars"].contains($0) })
        < 4
      {}
      await server.stop()
      var other = try await LibraryTab(visitor, "/")
      #expect(try await other.waits { $0.contains("★ 1") && $0.contains("data-key=\"b5\"") })
      #expect(other.stars == ["b5"])
      // No server is left to receive the write.
      try await other.act("star", "b6")
      #expect(try await other.waits { $0.contains("problem") && $0.contains("★ 1") })
    }
    try await server.withApp(cache: cache) { visitor in
      var list = try await LibraryTab(visitor, "/")
      #expect(try await list.waits { $0.contains("data-key=\"b5\"") && $0.contains("★ 1") })
      #expect(list.stars == ["b5"])
    }
  }
}

/// The API, in Python.
struct LibraryServer {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../LibraryApp").standardizedFileURL

  private static let python = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/python3" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  /// Whether the tests run: in CI a missing Python is a failure, elsewhere the tests are skipped.
  static let isPossible = python != nil || ProcessInfo.processInfo.environment["CI"] != nil

  let process: ChildProcess
  let origin: String

  static func start() async throws -> LibraryServer {
    let (process, port) = try await ChildProcess.start(
      python ?? "python3", [folder.appending(path: "library.py").path],
      readyWhen: #"listening on (\d+)\."#)
    return LibraryServer(process: process, origin: "http://127.0.0.1:\(port)")
  }

  func stop() async { await process.stop() }

  func send(_ path: String) async throws {
    var request = HTTPClientRequest(url: origin + path)
    request.method = .POST
    _ = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
  }

  func log() async throws -> [String] {
    let response = try await HTTPClient.shared.execute(
      HTTPClientRequest(url: origin + "/log"), timeout: .seconds(30))
    let body = try await response.body.collect(upTo: 1 << 20)
    return try JSONDecoder().decode([String].self, from: Data(body.readableBytesView))
  }

  /// Runs a body with the server and the app.
  static func withApp(
    _ body: @Sendable (LibraryServer, Visitor) async throws -> Void
  ) async throws {
    let cache = FileManager.default.temporaryDirectory.appending(path: "library-\(UUID()).sqlite")
    defer { try? FileManager.default.removeItem(at: cache) }
    let server = try await start()
    do {
      try await server.withApp(cache: cache) { visitor in try await body(server, visitor) }
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// Runs a body with the app alone.
  func withApp(
    cache: URL, _ body: @Sendable (Visitor) async throws -> Void
  ) async throws {
    let application = Application(
      router: libraryRouter(try BaseURL(origin), cache: cache), server: .live(),
      logger: Logger(label: "library") { _ in SwiftLogNoOpLogHandler() })
    try await application.test(.live) { client in
      try await body(Visitor(origin: "http://localhost:\(client.port ?? 0)"))
    }
  }
}

/// A page with its stream of updates.
struct LibraryTab {
  private let visitor: Visitor
  private let path: String
  private let session: String
  private let name = String(UUID().uuidString.replacing("-", with: "").lowercased().prefix(16))
  private var stream: EventStream
  private var number = 0

  init(_ visitor: Visitor, _ path: String) async throws {
    (self.visitor, self.path) = (visitor, path)
    let (session, shown) = try await visitor.open(path)
    (stream, self.session) = try await visitor.connect(
      session: session, shown: shown, path: path == "/" ? "" : path, tab: name)
  }

  /// The markup that the tab shows.
  var markup: String { stream.shown.html }

  /// The rows with a star.
  var stars: [String] { Self.stars(in: markup) }

  static func stars(in markup: String) -> [String] {
    markup.matches(of: #/data-key="(b\d+)"(?:(?!<\/li>).)*?aria-pressed="true"/#).map {
      String($0.1)
    }
  }

  /// Waits until the shown markup meets a condition; throws if the stream ends before.
  mutating func waits(_ condition: (String) -> Bool) async throws -> Bool {
    while !condition(markup) {
      do {
        _ = try await stream.state()
      } catch {
        Issue.record("\(error) at \(markup.prefix(3_000))")
        throw error
      }
    }
    return true
  }

  mutating func act(_ action: String, _ value: String = "") async throws {
    number += 1
    try await visitor.act(
      action, value, in: session, number: number, path: path == "/" ? "" : path, tab: name)
  }
}
