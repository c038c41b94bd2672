import CurlewLive
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

/// Which responses are compressed, and with which header fields.
@Suite(.timeLimit(.minutes(1)))
struct CompressionTests {
  @Test func `a document is compressed for those who accept it`() async throws {
    try await withServer(NotesPage()) { visitor in
      let url = "\(visitor.origin)/notes?q=\(String(repeating: "curlew+", count: 200))"
      let plain = try await fetch(url, [])
      let compressed = try await fetch(url)
      // Each document has its own session.
      func markup(_ response: Fetched) throws -> String {
        try response.text.replacing(#/data-live-(session|version)="[0-9a-f]+"/#, with: "")
      }

      #expect(!plain.isCompressed && compressed.isCompressed)
      #expect(try markup(compressed) == markup(plain))
      #expect(compressed.body.readableBytes < plain.body.readableBytes / 2)
      #expect(compressed.fields["Content-Length"] == ["\(compressed.body.readableBytes)"])
      // `Vary: *` already includes `Accept-Encoding`.
      #expect(compressed.fields["Vary"] == ["*"] && plain.fields["Vary"] == ["*"])
    }
  }

  @Test(arguments: [
    ("text/html", 404), ("text/css", 200), ("text/javascript; charset=utf-8", 200),
    ("TEXT/PLAIN", 200), ("application/json", 200), ("image/svg+xml", 200),
  ])
  func `text is compressed`(type: String, status: Int) async throws {
    let content: @Sendable (Request) -> Response = { _ in text(type, status: .init(code: status)) }
    try await withResponses(["/text": content]) { port in
      let response = try await fetch("http://localhost:\(port)/text")
      let plain = try await fetch("http://localhost:\(port)/text", [])

      #expect(response.status == status && response.isCompressed && !plain.isCompressed)
      #expect(try response.text == rows(20_000))
      #expect(response.fields["Vary"] == ["Accept-Encoding"])
      #expect(plain.fields["Vary"] == ["Accept-Encoding"])
    }
  }

  @Test(
    arguments: [
      ("image/png", [:]), ("application/octet-stream", [:]),
      ("text/html", [.cacheControl: "private, No-Transform"]),
      ("text/html", [.contentEncoding: "br"]),
      ("text/html", [.contentRange: "bytes 0-19999/30000"]),
      ("text/html", [HTTPField.Name("Content-Digest")!: "sha-256=:AAAA:"]),
    ] as [(String, HTTPFields)])
  func `other content stays as it is`(type: String, fields: HTTPFields) async throws {
    try await withResponses(["/other": { _ in text(type, fields: fields) }]) { port in
      let response = try await fetch("http://localhost:\(port)/other")

      #expect(String(buffer: response.body) == rows(20_000))
      #expect(response.fields["Content-Encoding"] == (fields[.contentEncoding].map { [$0] } ?? []))
      #expect(response.fields["Vary"].isEmpty)
    }
  }

  @Test func `a few bytes stay as they are`() async throws {
    try await withResponses([
      "/499": { _ in text(length: 499) }, "/500": { _ in text(length: 500) },
    ]) { port in
      let small = try await fetch("http://localhost:\(port)/499")
      let large = try await fetch("http://localhost:\(port)/500")

      #expect(!small.isCompressed && large.isCompressed)
      // The same page may be large enough to compress for another user.
      #expect(small.fields["Vary"] == ["Accept-Encoding"])
    }
  }

  @Test(arguments: [
    ("Cookie", ["Cookie", "Accept-Encoding"]), ("*", ["*"]),
    ("Origin, accept-encoding", ["Origin, accept-encoding"]),
  ])
  func `vary keeps what it said`(vary: String, expected: [String]) async throws {
    try await withResponses(["/text": { _ in text(fields: [.vary: vary]) }]) { port in
      let response = try await fetch("http://localhost:\(port)/text")

      #expect(response.isCompressed)
      #expect(response.fields["Vary"] == expected)
    }
  }

  @Test func `a tag is not that of the bytes before compression`() async throws {
    let responses: [String: @Sendable (Request) -> Response] = [
      "/strong": { _ in text(fields: [.eTag: "\"a\""]) },
      "/weak": { _ in text(fields: [.eTag: "W/\"b\""]) },
      // An application that compares entity tags itself, as RFC 9110 requires.
      "/same": { _ in Response(status: .notModified, headers: [.eTag: "\"a\""]) },
    ]
    try await withResponses(responses) { port in
      let gzip = ("Accept-Encoding", "gzip")
      for (path, fields, expected) in [
        ("/strong", [gzip], "W/\"a\""), ("/strong", [], "\"a\""), ("/weak", [gzip], "W/\"b\""),
        ("/same", [gzip, ("If-None-Match", "W/\"a\"")], "W/\"a\""),
        ("/same", [gzip, ("If-None-Match", "\"a\"")], "\"a\""),
        ("/same", [("If-None-Match", "W/\"a\"")], "\"a\""),
      ] {
        let response = try await fetch("http://localhost:\(port)\(path)", fields)
        #expect(response.fields["ETag"] == [expected], "\(path) \(fields)")
      }
    }
  }

  @Test func `a stream of text is compressed though its length is known`() async throws {
    let body = ResponseBody(contentLength: 20_000) { writer in
      try await writer.write(ByteBuffer(string: String(rows(20_000).prefix(7))))
      try await writer.write(ByteBuffer(string: String(rows(20_000).dropFirst(7))))
      try await writer.finish(nil)
    }
    let stream: @Sendable (Request) -> Response = { _ in
      Response(status: .ok, headers: [.contentType: "text/plain"], body: body)
    }
    try await withResponses(["/stream": stream]) { port in
      let response = try await fetch("http://localhost:\(port)/stream")

      #expect(response.isCompressed)
      #expect(try response.text == rows(20_000))
    }
  }
}
