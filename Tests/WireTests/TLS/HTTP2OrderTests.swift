import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Foundation
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2
import Synchronization
import TestSupport
import Testing

/// Frames that AsyncHTTPClient does not expect at their moment: some would end the process.
@Suite("Frames of HTTP/2 out of order", .timeLimit(.minutes(2)))
struct HTTP2OrderTests {
  let root: TestCertificate

  init() throws {
    root = try .authority()
  }

  /// Returns a client without time limits.
  private func client(_ origin: String) throws -> Client {
    try .tls(origin, trusting: root) { _ in
    } configure: {
      $0.limits = .untimed
    }
  }

  private func expectFine(_ client: Client, _ path: Path = "/") async throws {
    let text = try await client.send(Request<String>.get(path))
    #expect(text == "fine")
  }

  // MARK: Heads

  /// `nil` is the stream itself: NIO would drop the head, and go on with the frames that it reads later.
  @Test(arguments: [nil, UInt32(0), 0x8000_0000, 7], [false, true])
  func `priority of a head is ignored`(dependency: UInt32?, isCut: Bool) async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      let stream = UInt32(Int(frame.streamID))
      let head = ExchangeScript.head(stream, "200", [], dependency: dependency ?? stream)
      let data = ExchangeScript.frame(0, 1, stream, Data("fine".utf8))
      for part in isCut ? (head + data).map({ Data([$0]) }) : [head, data] {
        connection.channel.eventLoop.execute { connection.write(ByteBuffer(bytes: part)) }
      }
    } _: { server, origin in
      let client = try client(origin)
      for _ in 0..<3 { try await expectFine(client) }
      #expect(server.connections == 1)
    }
  }

  @Test(arguments: [false, true])
  func `body without a head fails`(isEnd: Bool) async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      guard frame.path == "/x" else { return connection.respond(frame.streamID) }
      let stream = UInt32(Int(frame.streamID))
      // Some are read after the first, while the client closes the connection.
      for _ in 0..<100 {
        connection.channel.eventLoop.execute {
          let data = ExchangeScript.frame(0, isEnd ? 1 : 0, stream, Data("fine".utf8))
          connection.write(ByteBuffer(bytes: data))
        }
      }
    } _: { _, origin in
      let client = try client(origin)
      for _ in 0..<20 {
        let failure = try await client.transportFailure(of: .get("/x"))
        #expect([.lost, .protocolError].contains(failure.kind))
        try await expectFine(client)
      }
    }
  }

  @Test(arguments: ["100", "103"])
  func `interim head that ends the stream is an error`(status: String) async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      guard frame.path == "/x" else { return connection.respond(frame.streamID) }
      let head = ExchangeScript.head(UInt32(Int(frame.streamID)), status, [], 5)
      connection.write(ByteBuffer(bytes: head))
    } _: { _, origin in
      let client = try client(origin)
      let failure = try await client.transportFailure(of: .get("/x"))
      #expect(failure.kind == .protocolError)
      try await expectFine(client)
    }
  }

  @Test func `length in the trailers is ignored`() async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      let stream = frame.streamID
      connection.head(stream, end: false)
      connection.write(stream, .data(.init(data: .byteBuffer(ByteBuffer(string: "fine")))))
      connection.write(
        stream, .headers(.init(headers: ["content-length": "9"], endStream: true)))
    } _: { server, origin in
      let client = try client(origin)
      for _ in 0..<2 { try await expectFine(client) }
      #expect(server.connections == 1)
    }
  }

  // MARK: Settings

  private static func settings(_ maximum: Int) -> HTTP2Frame.FramePayload {
    .settings(.settings([HTTP2Setting(parameter: .maxConcurrentStreams, value: maximum)]))
  }

  @Test func `maximum of streams may change when there are none`() async throws {
    let connection = Mutex<FrameServer.Connection?>(nil)
    try await withFrameServer(try root.issue()) { current, frame in
      connection.withLock { $0 = current }
      current.respond(frame.streamID)
    } _: { server, origin in
      let client = try client(origin)
      for maximum in 1...20 {
        try await expectFine(client)
        let acknowledgements = server.acknowledgements
        connection.withLock { $0 }?.write(.rootStream, Self.settings(maximum))
        await eventually { server.acknowledgements > acknowledgements }
      }
      try await expectFine(client)
      #expect(server.connections == 1)
    }
  }

  /// The client learns of it with its next stream.
  @Test func `maximum that rises without streams is used`() async throws {
    let connection = Mutex<FrameServer.Connection?>(nil)
    let held = Mutex<[HTTP2StreamID]>([])
    try await withFrameServer(try root.issue()) { current, frame in
      connection.withLock { $0 = current }
      guard frame.path == "/held" else { return current.respond(frame.streamID) }
      let streams = held.withLock { held in
        held.append(frame.streamID)
        return held.count == 150 ? held : []
      }
      for stream in streams { current.respond(stream) }
    } _: { server, origin in
      let client = try client(origin)
      try await expectFine(client)
      let acknowledgements = server.acknowledgements
      connection.withLock { $0 }?.write(.rootStream, Self.settings(200))
      await eventually { server.acknowledgements > acknowledgements }
      try await expectFine(client)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<150 { group.addTask { try await expectFine(client, "/held") } }
        try await group.waitForAll()
      }
      #expect(server.connections == 1)
    }
  }
}
