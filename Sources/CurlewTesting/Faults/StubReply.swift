import Curlew
import Foundation
import HTTPTypes

/// The response to a request, with its faults.
struct StubReply: Sendable {
  enum Content: Sendable {
    case response(IncomingResponse)
    case raw(Data)
  }

  let content: Content
  var faults: [Fault] = []

  init(content: Content) {
    self.content = content
  }

  init(_ response: IncomingResponse) {
    content = .response(response)
  }

  /// Returns the script in which a server sends this response.
  func script(
    to request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> WireScript {
    var script = WireScript(try await message(to: request.head.method), faults)
    for fault in faults {
      switch fault.kind {
      case .preceded(let other):
        let other = try await other.reply(to: request, on: clock)
        script = try await other.script(to: request, on: clock).followed(by: script)
      case .followed(let other):
        let other = try await other.reply(to: request, on: clock)
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
