import Foundation
import Testing

/// The JSON of commands for scripts: its keys are those that the help names.
@Suite(.timeLimit(.minutes(2)))
struct JSONOutputTests {
  /// A type with exactly the keys of a JSON object.
  private protocol Complete: Decodable {
    associatedtype CodingKeys: CodingKey & CaseIterable
  }

  private struct ReadyServer: Complete {
    enum CodingKeys: String, CodingKey, CaseIterable { case pid, sandbox, source, startedAt, url }

    let pid: Int32
    let sandbox: URL?
    let source: String
    let startedAt: Date
    let url: URL
  }

  private struct StoredResponse: Complete {
    enum CodingKeys: String, CodingKey, CaseIterable {
      case account, age, isHit, reason, size, status, timeToLive, url
    }

    let account: String?
    let age: Int
    let isHit: Bool
    let reason: String
    let size: Int
    let status: Int
    let timeToLive: Int
    let url: URL
  }

  private struct Cleared: Complete {
    enum CodingKeys: String, CodingKey, CaseIterable { case removed }

    let removed: Int
  }

  private struct Download: Complete {
    enum CodingKeys: String, CodingKey, CaseIterable { case file, resumedFrom, size }

    let file: String
    let resumedFrom: Int
    let size: Int
  }

  /// Returns the objects of a command's output, whose keys are also in the command's help.
  private func objects<Object: Complete>(
    _: Object.Type, in output: String, of command: String...
  ) async throws -> [Object] {
    let data = Data(output.utf8)
    let json = try JSONSerialization.jsonObject(with: data)
    let keys = Set(Object.CodingKeys.allCases.map(\.stringValue))
    for object in try #require(json as? [[String: Any]] ?? [try #require(json as? [String: Any])]) {
      #expect(Set(object.keys) == keys)
    }
    let help = try await Command.run(["help"] + command).output
    for key in keys { #expect(help.contains(try Regex("\\b\(key)\\b")), "\(key) in \(help)") }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return json is [Any]
      ? try decoder.decode([Object].self, from: data)
      : [try decoder.decode(Object.self, from: data)]
  }

  @Test(.enabled(if: Command.canBeShells))
  func `The ready line of a server is an object`() async throws {
    let (outcome, text) = try await Command.interrupted("serve", "--port", "0", "--json")
    #expect(outcome.status == 0 && outcome.isExit)
    #expect(text.filter { $0 == "\n" }.count == 1)
    let server = try #require(
      try await objects(ReadyServer.self, in: text, of: "serve").first)
    #expect(server.url.host() == "127.0.0.1" && server.url.port != 0)
    #expect(server.sandbox?.port != server.url.port && server.source.contains("sandbox"))
    #expect(abs(server.startedAt.timeIntervalSinceNow) < 3_600)
  }

  @Test func `The responses in the cache are objects`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    func cache(_ arguments: String...) async throws -> String {
      try await Command.run(
        ["cache"] + arguments + ["--json"], environment: ["XDG_CACHE_HOME": folder.path]
      ).output
    }
    #expect(try await cache("list") == "[]\n")
    try await Command.succeed("movies", environment: ["XDG_CACHE_HOME": folder.path])
    let item = try #require(
      try await objects(StoredResponse.self, in: cache("list"), of: "cache", "list").first)
    #expect(item.status == 200 && item.isHit && item.size > 100 && item.timeToLive > 0)
    #expect(item.account == nil && item.age < 300 && item.reason.contains("fresh"))
    let again = try await objects(
      StoredResponse.self, in: cache("why", item.url.absoluteString), of: "cache", "why")
    #expect(again.map(\.url) == [item.url])
    let cleared = try await objects(Cleared.self, in: cache("clear"), of: "cache", "clear")
    #expect(cleared.map(\.removed) == [1])
    #expect(try await cache("why", item.url.absoluteString) == "[]\n")
  }

  @Test func `A downloaded file is an object`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = FileServer()
    let url = try await server.start()
    let outcome = try await Command.succeed("download", url, "--output", folder.path, "--json")
    await server.stop()
    let download = try #require(
      try await objects(Download.self, in: outcome.output, of: "download").first)
    #expect(download.file == folder.appending(path: "file.bin").path)
    #expect(download.size == FileServer.bytes.count && download.resumedFrom == 0)
  }

  @Test func `An opened issue is an object`() async throws {
    let outcome = try await Command.succeed("open", "apple/cups", "Ink", "--json")
    let issue = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(issue["title"] as? String == "Ink" && issue["author"] as? String == "you")
  }
}
