import Foundation
import Testing

/// The folders of `Sources/Curlew` in an order in which each uses only those before it.
struct LayerTests {
  private static let layers = [
    ["Files/"], ["Endpoint/"], ["Fields/"], ["Concurrency/"], ["Decoding/"],
    ["Client+Error", "Errors/"], ["Limits"], ["Endpoint.swift", "Request"], ["Deadlines/"],
    ["Pipeline/"], ["Transport/"], ["Recording/"], ["Caching/"],
    ["Middleware/"],
    ["CachedValues", "Client", "Response", "Streaming/"],
  ]

  private struct Source {
    let name: String
    let layer: Int
    let words: Set<Substring>
    let types: [Substring]
  }

  private func sources() throws -> [Source] {
    let folder = URL(filePath: #filePath).appending(path: "../../../Sources/Curlew").standardized
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
    return try files.filter { $0.hasSuffix(".swift") }.map { file in
      // Comments and texts may name whatever they like.
      let code = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        .replacing(/\/\/.*/, with: "").replacing(/"[^"\n]*"/, with: "")
      let layer = try #require(
        Self.layers.firstIndex { $0.contains { file.hasPrefix($0) } }, "\(file) has no layer")
      let types = code.matches(
        of:
          /(?m)^(?:public |package |final |indirect )*(?:struct|class|enum|protocol|typealias) (\w+)/
      )
      return Source(
        name: file, layer: layer, words: Set(code.matches(of: /\b[A-Z]\w+/).map(\.output)),
        types: types.map(\.1))
    }
  }

  @Test func aFolderUsesOnlyThoseBeforeIt() throws {
    let sources = try sources()
    #expect(sources.count > 50)
    for source in sources {
      let later = sources.filter { $0.layer > source.layer }.flatMap(\.types)
        // `Client.Error` and its failures are in the namespace of the client that throws them, and
        // `Response` is the type of an endpoint's response as well. An endpoint may change the
        // middlewares, which take requests of endpoints.
        .filter { !["Client", "Response", "MiddlewareChange"].contains($0) }
      let used = source.words.intersection(later)
      #expect(used.isEmpty, "\(source.name) uses \(used.sorted()), which build on it")
    }
  }

  /// Swift compiles a literal of a regular expression each time it comes to it: in a path that was half of a
  /// request's processor time.
  @Test func noRegularExpressionIsOnARequestsWay() throws {
    let others = [
      "Decoding/", "Errors/", "Recording/", "Client+ErrorText", "Pipeline/OutgoingRequest+Curl",
      "Pipeline/Redaction+Body", "Pipeline/Client+DecodingFailure", "TLS/TLSProblem",
    ]
    let folder = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
    var count = 0
    for target in ["Curlew", "CurlewAsyncHTTPClient", "CurlewSQLite", "CurlewSupport"] {
      let root = folder.appending(path: target)
      for file in try FileManager.default.subpathsOfDirectory(atPath: root.path())
      where file.hasSuffix(".swift") && !others.contains(where: { file.hasPrefix($0) }) {
        count += 1
        let code = try String(contentsOf: root.appending(path: file), encoding: .utf8)
          .replacing(/(?m)^ *\/\/.*$/, with: "").replacing(/#".*"#|"[^"\n]*"/, with: "")
        let isFree = !code.contains(/[(,:=] ?#?\/[^\/* ]|\bRegex\b/)
        #expect(isFree, "\(target)/\(file)")
      }
    }
    #expect(count > 150)
  }

  /// Refreshing a token takes a client: `TokenClient`, which has no middlewares.
  @Test func onlyTheTokenClientUsesTheClientFromBelow() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../Sources/Curlew").standardized
    let users = try sources().filter { source in
      let code = try String(contentsOf: folder.appending(path: source.name), encoding: .utf8)
        .replacing(/\/\/.*/, with: "")
      return !["Client", "Errors/", "Streaming/"].contains { source.name.hasPrefix($0) }
        && code.contains(/\bClient(\(|\n| =|$)/)
    }
    #expect(users.map(\.name) == ["Middleware/BearerToken.swift"])
  }
}
