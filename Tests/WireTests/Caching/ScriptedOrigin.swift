import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization

/// The origin of one case: it follows the case's script, in virtual time, and records the received requests.
///
/// The cases share a server and its port; a request field identifies the case.
final class ScriptedOrigin: Sendable {
  /// The field with the case's number.
  ///
  /// Each request of a case has the same value, so the field does not affect the cache.
  static let field = HTTPField.Name("X-Case")!

  private struct State {
    /// The virtual time, in whole seconds like `Date` fields.
    var now = Date(timeIntervalSince1970: 1_800_000_000)
    var replies: [CacheCase.Reply] = []
    var requests: [WireRequest] = []
  }

  let url: String
  private let state = Mutex(State())

  /// Creates an origin at a server's URL.
  init(_ url: String) { self.url = url }

  /// The virtual time.
  var now: Date { state.withLock { $0.now } }

  /// Advances the virtual time.
  func wait(_ seconds: Double) { state.withLock { $0.now += seconds } }

  /// Begins a step: the next requests get these replies.
  func expect(_ replies: [CacheCase.Reply]) {
    state.withLock { ($0.replies, $0.requests) = (replies, []) }
  }

  /// The requests received since the step began.
  var requests: [WireRequest] { state.withLock { $0.requests } }

  /// Responds with the next reply.
  func respond(_ exchange: Exchange) async throws {
    let reply = state.withLock { state in
      state.requests.append(exchange.request)
      let reply = state.replies.isEmpty ? nil : state.replies.removeFirst()
      state.now += reply?.delay ?? 0
      return reply
    }
    guard let reply else { return try await exchange.respond(599, [], "nothing is expected") }
    guard !reply.disconnects else {
      // If the connection closed without a byte, the client could retry the request on another connection.
      try await exchange.write("HTTP/1.1")
      return try await exchange.close()
    }
    var fields = reply.fields.fields(now: now, origin: url)
    if reply.hasDate, fields[.date] == nil {
      fields += CacheCase.Fields(lines: [("Date", "{date}")]).fields(now: now, origin: url)
    }
    let body = Data(reply.body.utf8)
    let message = Self.message(reply.status, fields, body, to: exchange.request.method)
    try await exchange.write(message.bytes)
    if message.isCut { try await exchange.close() }
  }

  /// Returns the bytes of a response, and whether it ends before its length.
  ///
  /// It is chunked unless the case gives a length, so that it has only the case's fields.
  private static func message(
    _ status: Int, _ fields: HTTPFields, _ body: Data, to method: String
  ) -> (bytes: Data, isCut: Bool) {
    var head = "HTTP/1.1 \(status) Status\r\n"
    for field in fields { head += "\(field.name.rawName): \(field.value)\r\n" }
    guard method != "HEAD", ![204, 304].contains(status) else {
      return (Data((head + "\r\n").utf8), false)
    }
    if let length = fields[.contentLength].flatMap({ Int($0) }) {
      return (Data((head + "\r\n").utf8) + body, length > body.count)
    }
    head += "Transfer-Encoding: chunked\r\n\r\n"
    let chunk = body.isEmpty ? "" : "\(String(body.count, radix: 16))\r\n"
    let end = body.isEmpty ? "0\r\n\r\n" : "\r\n0\r\n\r\n"
    return (Data((head + chunk).utf8) + body + Data(end.utf8), false)
  }
}
