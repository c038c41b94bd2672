import Curlew
import CurlewTesting
import Foundation
import HTTPTypes

/// The reply to a request, with its faults.
struct FaultyReply: WireReply {
  enum Content: Sendable {
    case response(IncomingResponse)
    case raw(Data)
  }

  let content: Content
  var faults: [Fault] = []

  init(content: Content) {
    self.content = content
  }

  /// Creates a reply without faults, or with those that a stub's reply has.
  init(_ reply: StubReply) {
    switch reply {
    case .response(let response, let count):
      content = .response(response)
      if let count { faults = [.cut(after: .body(count))] }
    case .onWire(let reply as FaultyReply): self = reply
    case .onWire: preconditionFailure("Nothing else replies on the wire.")
    }
  }

  func cut(after count: Int) -> Self {
    var copy = self
    copy.faults.append(.cut(after: .body(count)))
    return copy
  }

  func response(
    to request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> IncomingResponse {
    if case .response(let response) = content, faults.isEmpty { return response }
    let script = try await script(to: request, on: clock)
    return try await WireReader.response(
      to: request.head.method, from: WirePlayer(script, on: clock))
  }

  /// Returns the script in which a server sends this response.
  func script(
    to request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> WireScript {
    var script = WireScript(try await message(to: request.head.method), faults)
    for fault in faults {
      switch fault.kind {
      case .preceded(let other):
        let other = FaultyReply(try await other.reply(to: request, on: clock))
        script = try await other.script(to: request, on: clock).followed(by: script)
      case .followed(let other):
        let other = FaultyReply(try await other.reply(to: request, on: clock))
        script = script.followed(by: try await other.script(to: request, on: clock))
      default: break
      }
    }
    return script
  }

  private func message(to method: HTTPRequest.Method) async throws -> WireMessage {
    switch content {
    case .raw(let bytes): return WireMessage(raw: bytes, faults)
    case .response(let response):
      var body = Data()
      for try await piece in response.body { body.append(piece) }
      return WireMessage(response.head, body, hasBody: method != .head, faults)
    }
  }
}
