import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

/// Responses that browsers and curl read, though the RFCs forbid servers to send them; the sources are public bug reports.
@Suite(.timeLimit(.minutes(1)))
struct LenientResponseTests {
  /// Sends a request that gets these bytes, and another one.
  private func result(
    of bytes: Data, on transport: TransportUnderTest = .asyncHTTPClient,
    isReused: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Result<Response<String>, Client.Error> {
    try await withTestServer(sourceLocation: sourceLocation) { exchange in
      if exchange.path == "/x" {
        try await exchange.write(bytes)
      } else {
        try await exchange.respond(200, [], "next")
      }
    } _: { server in
      let client = try transport.client(server) { $0.transport = transport.freshTransport }
      let result: Result<Response<String>, Client.Error>
      do throws(Client.Error) {
        result = .success(try await client.response(for: Request<String>.get("/x")))
      } catch {
        result = .failure(error)
      }
      #expect(try await client.send(Request<String>.get("/next")) == "next")
      if transport == .asyncHTTPClient, case .success = result {
        #expect(server.connections.count == (isReused ? 1 : 2), sourceLocation: sourceLocation)
      }
      return result
    }
  }

  // MARK: Folded lines (RFC 9112 section 5.2)

  /// Lines of a head, and the value of the first; lightbug_http#148, httparse#68, dart-lang/sdk#53185.
  private static let folds: [(lines: String, value: String)] = [
    ("X-A: a;\r\n\tb\r\nX-B: 1", "a;   b"), ("X-A: a\r\n b", "a   b"), ("X-A:\r\n a", "a"),
    ("X-A: a\r\n   b\r\n c", "a     b   c"), ("X-A: a\r\n  \r\n\tb", "a         b"),
    ("X-A: a\r\n X-C: d", "a   X-C: d"),
  ]

  @Test(arguments: TransportUnderTest.allCases, folds)
  func `Folded lines are one value`(
    transport: TransportUnderTest, fold: (lines: String, value: String)
  ) async throws {
    // libcurl refuses a line of white space alone.
    if transport == .urlSession, fold.lines.contains("\r\n  \r\n") { return }
    let bytes = "HTTP/1.1 200 OK\r\n\(fold.lines)\r\nContent-Length: 4\r\n\r\nabcd"
    let response = try await result(of: Data(bytes.utf8), on: transport).get()
    #expect(response.value == "abcd")
    let value = response.head.headerFields[HTTPField.Name("X-A")!] ?? ""
    #expect(value.split(whereSeparator: \.isWhitespace) == fold.value.split(separator: " "))
    if fold.lines.contains("X-B") {
      #expect(response.head.headerFields[HTTPField.Name("X-B")!] == "1")
    }
  }

  @Test(arguments: [
    "X-A: a\r\nContent-Length:\r\n 4", " X-A: a\r\nContent-Length: 4", "content-length: 4\r\n\t",
    "Transfer-Encoding:\r\n chunked", "Transfer-Encoding: chunked,\r\n chunked",
    "\tX-A: a\r\n b\r\nContent-Length: 4",
  ])
  func `A fold before or in the length is an error`(lines: String) async throws {
    let bytes = "HTTP/1.1 200 OK\r\n\(lines)\r\n\r\nabcd"
    #expect(
      try await result(of: Data(bytes.utf8)).failure?.transportFailure?.kind == .protocolError)
  }

  @Test func `A head that arrives byte by byte is unfolded`() async throws {
    let bytes = Data(
      "HTTP/1.1 103 Early\r\nX: a\r\n b\r\n\r\nHTTP/1.1 200 OK\r\nX-A: \u{E5}\r\n b\r\nContent-Length: 4\r\n\r\nabcd"
        .utf8)
    try await withTestServer { exchange in
      for byte in bytes { try await exchange.write(Data([byte])) }
    } _: { server in
      let response = try await TransportUnderTest.asyncHTTPClient.client(server).response(
        for: Request<String>.get("/"))
      #expect(response.value == "abcd")
      #expect(response.head.headerFields[HTTPField.Name("X-A")!] == "\u{E5}   b")
    }
  }

  // MARK: Chunk sizes (RFC 9112 section 7.1.1)

  /// Lines of a chunk's size, and whether they are one; h11#143, ESPAsyncWebServer#1324, undici#5286.
  private static let sizes: [(line: String, isSize: Bool)] = [
    ("4 ", true), ("4     ", true), ("4\t", true), ("4 ;a=b", true), ("4; a=b", true),
    ("4;a = \"b c\" ; d", true),
    ("04 \t ", true), ("4\(String(repeating: " ", count: 500))", true),
    ("0 4", false), ("4 4", false), (" 4", false), ("4 \r;", false), ("4 \u{0};a", false),
    ("4 x", false),
    ("4\(String(repeating: " ", count: 5_000))x", false), ("ffffffffffffffff ", false),
  ]

  @Test(arguments: sizes, [1, 1_000])
  func `Chunk sizes may have spaces after them`(
    size: (line: String, isSize: Bool), piece: Int
  ) async throws {
    let bytes = Data(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size.line)\r\nabcd\r\n4\r\nefgh\r\n0 \r\n\r\n"
        .utf8)
    try await withTestServer { exchange in
      for start in stride(from: 0, to: bytes.count, by: piece) {
        guard (try? await exchange.write(bytes.dropFirst(start).prefix(piece))) != nil else {
          return
        }
      }
      try? await exchange.close()
    } _: { server in
      let client = try TransportUnderTest.asyncHTTPClient.client(server)
      let result = await client.result(of: Request<String>.get("/"))
      if size.isSize {
        #expect(try result.get() == "abcdefgh")
      } else {
        #expect(result.failure?.transportFailure?.kind == .protocolError, "\(result)")
      }
    }
  }

  @Test func `A connection with padded sizes is not reused`() async throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let padded = try await result(of: Data("\(head)4 \r\nabcd\r\n0\r\n\r\n".utf8))
    #expect(try padded.get().value == "abcd")
    let plain = try await result(of: Data("\(head)4;a=b\r\nabcd\r\n0\r\n\r\n".utf8), isReused: true)
    #expect(try plain.get().value == "abcd")
  }

  /// curl#13461: the body is chunked once.
  @Test(arguments: [
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked, chunked",
    "Transfer-Encoding: chunked,, Chunked", "Transfer-Encoding: identity, chunked",
    "Transfer-Encoding: ,chunked",
  ])
  func `The coding chunked counts once`(fields: String) async throws {
    let bytes = Data("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n4\r\nabcd\r\n0\r\n\r\n".utf8)
    #expect(try await result(of: bytes, isReused: true).get().value == "abcd")
  }

  // MARK: Bytes that are not UTF-8 (RFC 9110 section 5.5)

  /// The bytes of a value, and its text; undici#1903, urllib3#5159, psf/requests#4187.
  private static let values: [(bytes: [UInt8], text: String)] = [
    ([0xE5, 0x72], "\u{E5}r"), (Array("\u{E5}r \u{5716}".utf8), "\u{E5}r \u{5716}"),
    ([0x61, 0x84, 0x62], "a\u{84}b"),
    ([0xFF], "\u{FF}"), ([0xC3], "\u{C3}"), ([0xED, 0xA0, 0x80], "\u{ED}\u{A0}\u{80}"),
    ([0xEF, 0xBF, 0xBD], "\u{FFFD}"),
  ]

  @Test(arguments: values)
  func `Bytes of a field that are not UTF-8 are kept`(value: (bytes: [UInt8], text: String))
    async throws
  {
    let bytes =
      Data("HTTP/1.1 200 OK\r\nX-A: ".utf8) + value.bytes
      + Data("\r\nX-B: \u{E5}\r\nContent-Length: 4\r\n\r\nabcd".utf8)
    let response = try await result(of: bytes, isReused: true).get()
    #expect(response.value == "abcd")
    #expect(response.head.headerFields[HTTPField.Name("X-A")!] == value.text)
    #expect(response.head.headerFields[HTTPField.Name("X-B")!] == "\u{E5}")
  }

  /// LadybirdBrowser/ladybird#9041, dotnet/runtime#32482.
  @Test(arguments: values.dropLast())
  func `Cookies and entity tags go back byte for byte`(value: (bytes: [UInt8], text: String))
    async throws
  {
    let server = try await RawServer(
      response: Data("HTTP/1.1 200 OK\r\nSet-Cookie: n=".utf8) + value.bytes
        + Data("\r\nETag: \"".utf8) + value.bytes
        + Data("\"\r\nCache-Control: max-age=0\r\nContent-Length: 4\r\n\r\nabcd".utf8))
    let client = Client(baseURL: try BaseURL("http://127.0.0.1:\(server.port)")) {
      $0.transport = TransportUnderTest.asyncHTTPClient.transport
      $0.networkMiddleware = [.cookies()]
      $0.cache = .memory()
      $0.headerFields[HTTPField.Name("X-UTF-8")!] = "\u{5716}"
    }
    for _ in 1...2 { #expect(try await client.send(Request<String>.get("/")) == "abcd") }
    try await server.stop()
    let expected: [[UInt8]] = [
      Array("\r\nCookie: n=".utf8) + value.bytes + Array("\r\n".utf8),
      Array("\r\nIf-None-Match: \"".utf8) + value.bytes + Array("\"\r\n".utf8),
      Array("\r\nX-UTF-8: \u{5716}\r\n".utf8),
    ]
    for bytes in expected { #expect(server.received.firstRange(of: Data(bytes)) != nil) }
  }

  // MARK: Repeated fields (RFC 9110 section 5.3)

  /// httparty#478, requests#4037, curl#19130.
  @Test(
    arguments: TransportUnderTest.allCases,
    [
      (["/one", "/one"], "/one"), (["/one", "/one", "/one"], "/one"), (["/one", "/other"], nil),
      (["/one", "/one", "/other"], nil), (["/one,%20two"], "/one,%20two"),
      (["/one", "/one "], "/one"),
    ])
  func `Equal Location fields count once`(
    transport: TransportUnderTest, location: (lines: [String], target: String?)
  ) async throws {
    let (lines, target) = location
    try await withTestServer { exchange in
      let isStart = exchange.path == "/start"
      try await exchange.respond(
        isStart ? 301 : 200, isStart ? lines.map { ("Location", $0) } : [], exchange.path)
    } _: { server in
      let client = try transport.client(server)
      guard let target else {
        let failure = try await client.redirectFailure(of: Request<String>.get("/start"))
        #expect(failure.reason == .severalLocations)
        return
      }
      #expect(try await client.send(Request<String>.get("/start")) == target)
    }
  }

  @Test(arguments: [
    "ETag: \"a\"", "Content-Type: text/plain", "Last-Modified: Fri, 15 Jan 2027 08:00:00 GMT",
  ])
  func `Fields about the content have one value`(line: String) async throws {
    let name = try #require(line.split(separator: ":").first)
    for (second, isFine) in [(line, true), ("\(name): other", false)] {
      let bytes = Data(
        "HTTP/1.1 200 OK\r\n\(line)\r\nX: 1\r\n\(second)\r\nContent-Length: 4\r\n\r\nabcd".utf8)
      let result = try await result(of: bytes, isReused: true)
      if isFine {
        let fields = try result.get().head.headerFields
        #expect(fields[HTTPField.Name(String(name))!].map { "\(name): \($0)" } == line)
      } else {
        let failure = try #require(result.failure?.transportFailure)
        #expect(failure.kind == .protocolError)
        #expect(failure.reason == "the response has several \(name) fields with different values")
      }
    }
  }

  // MARK: Parts that were not requested (RFC 9110 section 14.4)

  private struct Part {
    let status: Int
    let range: String?
    /// Whether the response is accepted; `nil` for a status failure.
    let isWhole: Bool?
  }

  /// modelscope_hub#50, rustup#4710, gopeed#1458.
  private static let parts: [Part] = [
    Part(status: 206, range: "bytes 50-99/100", isWhole: false),
    Part(status: 206, range: nil, isWhole: false),
    Part(status: 206, range: "bytes 0-49/100", isWhole: false),
    Part(status: 206, range: "bytes 0-99/*", isWhole: false),
    Part(status: 206, range: "bytes 0-3/4", isWhole: true),
    Part(status: 200, range: "bytes 50-99/100", isWhole: false),
    Part(status: 200, range: "bytes 0-3/4", isWhole: true),
    Part(status: 200, range: "nonsense", isWhole: true),
    Part(status: 404, range: "bytes 50-99/100", isWhole: nil),
  ]

  @Test(arguments: parts)
  private func `A part that was not requested is an error`(part: Part) async throws {
    let (status, range, isWhole) = (part.status, part.range, part.isWhole)
    try await withTestServer { exchange in
      try await exchange.respond(status, range.map { [("Content-Range", $0)] } ?? [], "part")
    } _: { server in
      let client = try TransportUnderTest.asyncHTTPClient.client(server)
      let result = await client.result(of: Request<String>.get("/"))
      switch isWhole {
      case true?: #expect(try result.get() == "part")
      case false?:
        let failure = try #require(result.failure?.transportFailure)
        #expect(failure.kind == .protocolError)
        #expect(failure.reason.contains(range ?? "206"))
      case nil: #expect(result.failure?.statusFailure?.response.status.code == status)
      }
    }
  }
}

/// A server that responds to each head with the same bytes, and keeps the received bytes.
private final class RawServer: Sendable {
  private final class Connection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let response: Data
    private let bytes: Received

    init(_ response: Data, _ bytes: Received) { (self.response, self.bytes) = (response, bytes) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let isWhole = bytes.all.withLock {
        $0.append(Data(unwrapInboundIn(data).readableBytesView))
        return $0.suffix(4) == Data("\r\n\r\n".utf8)
      }
      if isWhole {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: response)), promise: nil)
      }
    }
  }

  private final class Received: Sendable { let all = Mutex(Data()) }

  private let bytes = Received()
  private let listener: any Channel

  var received: Data { bytes.all.withLock { $0 } }
  var port: Int { listener.localAddress?.port ?? 0 }

  init(response: Data) async throws {
    listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { [bytes] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Connection(response, bytes))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  func stop() async throws { try await listener.close() }
}
