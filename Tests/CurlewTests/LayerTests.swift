import Foundation
import Testing

/// The folders of `Sources/Curlew`: their dependencies, derived from the sources.
struct LayerTests {
  private static let root = URL(filePath: #filePath)
    .appending(path: "../../../Sources/Curlew").standardized

  private let tree: SourceTree

  init() throws {
    tree = try SourceTree(Self.root)
  }

  /// The root's types are the shared vocabulary of all folders: they use all folders, and all folders use them.
  @Test func `the root has five files`() {
    let files = tree.files.filter { $0.folder.isEmpty }.map(\.path).sorted()
    #expect(
      files == [
        "Client.swift", "Endpoint.swift", "Limits.swift", "Request.swift", "Response.swift",
      ])
  }

  /// The order of the folders in CONTRIBUTING; therefore no circle of folders uses each other.
  @Test func `each folder uses only folders before it`() throws {
    let uses = tree.uses
    let page = Self.root.appending(path: "../../CONTRIBUTING.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let list = try #require(text.firstMatch(of: /only folders before it:\s+([^.]*)\./)?.output.1)
    let order = list.matches(of: /`(\w+)`/).map { String($0.output.1) }
    #expect(Set(order) == Set(uses.keys) && order.count == uses.count)
    for (index, folder) in order.enumerated() {
      let later = uses[folder, default: []].intersection(order[index...])
      #expect(later.isEmpty, "\(tree.files(ofCircle: later.union([folder])))")
    }
  }

  @Test func `a type is traced to its folder`() {
    let uses = tree.uses
    // Checks that `SourceTree` finds dependencies at all; otherwise the test above would pass trivially.
    #expect(
      uses["Client"]?.isSuperset(of: ["Caching", "Middleware", "Messages", "Errors"]) == true)
    #expect(uses["Caching"]?.contains("Errors") == true, "through `Client.Error`")
    #expect(uses["Events"]?.contains("Messages") == true)
  }

  /// Swift compiles a regular expression literal on each evaluation: in a path that took half of a request's processor
  /// time.
  @Test func `no regular expression is on a requests way`() throws {
    let others = [
      "Decoding/", "Errors/", "Events/OutgoingRequest+Curl", "Bodies/Redaction+Body",
      "Client/Client+DecodingFailure", "Transport/URLError+Kind", "TLS/TransportFailure+TLS",
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

  @Test func `files with package symbols are in the list`() throws {
    let page = Self.root.appending(path: "../../Documentation/Contributing/PackageSymbols.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let listed = text.matches(of: /\n\| (\w+\/[\w+]+\.swift) \|/).map { String($0.output.1) }
    let found = try tree.files.map(\.path).filter { path in
      let code = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
      return code.contains(/(?m)^ *package (?!import)/)
    }
    #expect(listed == found.sorted())
  }

  @Test func `no part below the client uses it`() throws {
    let users = try tree.files.filter { file in
      let code = try String(contentsOf: Self.root.appending(path: file.path), encoding: .utf8)
        .replacing(/\/\/.*/, with: "")
      return !["", "Client", "Errors", "Caching", "Paging", "Streaming"].contains(file.folder)
        && code.contains(/\bClient(\(|\n| =|$)/)
    }
    #expect(users.map(\.path) == [])
  }
}
