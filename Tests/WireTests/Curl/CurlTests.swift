import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

enum Curl {
  private static let environment = ProcessInfo.processInfo.environment

  /// Whether the tests run: in CI a missing curl is a failure, elsewhere the tests are skipped.
  static let isPossible =
    environment["CI"] != nil
    || (environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/curl") }

  /// Runs commands in sequence, each with a copy of a file as `body` in its folder.
  static func run(
    _ commands: [(command: String, body: String)], by shell: String, in folder: URL
  ) async throws {
    // A file, because a command may exceed the maximum argument length.
    let script = folder.appending(path: "script-\(shell)")
    let start = "mkdir '\(folder.path)/\(shell)' && cd '\(folder.path)/\(shell)'\n"
    let text = commands.map { "cp '\($0.body)' body\n(\n\($0.command)\n) < /dev/null\n" }
    try Data((start + text.joined()).utf8).write(to: script)
    // Excludes the user's proxies and settings.
    _ = try await Process.run(
      [shell, script.path],
      environment: environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
        .merging(["HOME": folder.path, "CURL_HOME": folder.path]) { $1 })
  }
}

/// Compares the requests of the transport and of a real curl at a server.
@Suite(
  "A curl command sends the same request", .enabled(if: Curl.isPossible, "curl is not installed"),
  .timeLimit(.minutes(2)))
struct CurlTests {
  /// A request without the properties of its connection.
  ///
  /// - curl sends `Host` and the framing fields in another position than the transport: only their values are compared.
  ///   Chunk sizes may differ.
  /// - `Accept-Encoding` names the codings that the sender can decode, unless the request sets it.
  private struct Seen: Equatable {
    let line: String
    let fields: [WireRequest.Field]
    let host: String?
    let length: String?
    let framing: String?
    let body: Data

    init(_ request: WireRequest, hasOwnCoding: Bool) {
      line = request.line
      let apart =
        ["host", "content-length", "transfer-encoding"]
        + (hasOwnCoding ? [] : ["accept-encoding"])
      fields = request.fields.filter { !apart.contains($0.name.lowercased()) }
      (host, length) = (request["Host"], request["Content-Length"])
      framing = request["Transfer-Encoding"]
      body = request.body
    }

    var text: String {
      "\(line) \(fields) \(host ?? "-") \(length ?? "-") \(framing ?? "-") "
        + "\(String(decoding: body.prefix(300), as: UTF8.self).debugDescription)"
    }
  }

  private func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }

  private func client(_ server: FaultServer, _ fields: HTTPFields?) -> Client {
    Client(baseURL: server.baseURL) {
      $0.transport = TransportUnderTest.asyncHTTPClient.transport
      if let fields { $0.headerFields = fields }
    }
  }

  @Test func `seeded requests are the same on the wire`() async throws {
    let count = Fuzz.size(200, full: 2_000)
    try await withFolder { folder in
      try await withTestServer {
        try await $0.respond(204)
      } _: { server in
        var commands: [String: [(command: String, body: String)]] = ["sh": [], "bash": []]
        var texts: [String] = []
        var requests: [SeededRequest] = []
        for number in 0..<count {
          let seeded = try SeededRequest(number: number, folder: folder)
          requests.append(seeded)
          let client = client(server, number % 4 == 0 ? [:] : nil)
          try await client.send(seeded.request)
          let command = try client.curl(for: seeded.request, showsSecrets: true)
          texts.append(command)
          // A body that is not in the command: the command gets the bytes that the server received.
          let body = folder.appending(path: "\(number).body")
          try #require(server.requests.last).body.write(to: body)
          commands[number % 2 == 0 ? "sh" : "bash"]?.append((command, body.path))
        }
        let expected = server.requests
        #expect(expected.count == count)
        try await withThrowingTaskGroup { group in
          for (shell, commands) in commands {
            group.addTask { try await Curl.run(commands, by: shell, in: folder) }
          }
          try await group.waitForAll()
        }
        let name = SeededRequest.numberName.rawName
        let found = Dictionary(
          server.requests.dropFirst(count).map { ($0[name] ?? "", $0) },
          uniquingKeysWith: { a, _ in a })
        #expect(server.requests.count == 2 * count)
        for (number, request) in expected.enumerated() {
          let own = requests[number].request.headerFields.contains(.acceptEncoding)
          let wanted = Seen(request, hasOwnCoding: own)
          let seen = found["\(number)"].map { Seen($0, hasOwnCoding: own) }
          guard seen != wanted else { continue }
          Issue.record(
            "\(number): \(seen?.text ?? "nothing")\nis not \(wanted.text)\n\(texts[number].prefix(2_000))"
          )
        }
      }
    }
  }

  @Test func `a masked command runs and sends no secret`() async throws {
    try await withFolder { folder in
      try await withTestServer {
        try await $0.respond(204)
      } _: { server in
        let bodies: [RequestBody] = [
          .json(["password": "hunter2", "a": "b"]), .form(["Token": "hunter2", "a": "b"]),
        ]
        let commands = try bodies.map {
          try client(server, nil).curl(
            for: Request<Void>.post(
              "/x", query: ["api_key": "hunter2"],
              headerFields: [.authorization: "Bearer hunter2", .cookie: "a=hunter2"], body: $0))
        }
        try await Curl.run(commands.map { ($0, "/dev/null") }, by: "sh", in: folder)
        #expect(server.requests.count == bodies.count)
        for request in server.requests {
          #expect(request.line == "POST /x?api_key=*** HTTP/1.1")
          #expect(request["Authorization"] == "***" && request["Cookie"] == "***")
          #expect(request.text.contains("***") && !request.text.contains("hunter2"))
          #expect(request.text.contains("b"))
        }
      }
    }
  }
}
