import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A client that sends the same requests as the script of a live page, and counts bytes.
final class LiveClient {
  struct Refused: Error {
    let text: String
  }

  private struct Message: Encodable {
    let number: Int
    let name: String
    let value: String
  }

  private struct Update: Decodable {
    let acknowledged: Int?
    let version: Int?
  }

  /// The page's address.
  let address: String
  private let http: HTTPClient
  private let origin: String
  private let tab = (0..<4).map { _ in String(format: "%08x", UInt32.random(in: 0 ... .max)) }
    .joined()
  private var session = ""
  private var version = "0"
  private var number = 0
  private var acknowledged = 0
  private var chunks: HTTPClientResponse.Body.AsyncIterator?
  private var pending: [UInt8] = []
  /// The number of bytes of the stream's body so far.
  private(set) var streamed = 0

  /// Loads a document; its session then waits for the stream.
  init(_ http: HTTPClient, _ origin: String, _ address: String) async throws {
    (self.http, self.origin, self.address) = (http, origin, address)
    let response = try await Self.get(http, origin + address)
    let html = String(decoding: response.body, as: UTF8.self)
    session = html.firstMatch(of: /data-live-session="([^"]*)"/).map { String($0.1) } ?? ""
    version = html.firstMatch(of: /data-live-version="([^"]*)"/).map { String($0.1) } ?? "0"
  }

  /// Returns the body of a response, and the size of the whole response.
  static func get(
    _ http: HTTPClient, _ url: String, coding: String? = nil
  ) async throws -> (body: [UInt8], size: Int) {
    var request = HTTPClientRequest(url: url)
    if let coding { request.headers.add(name: "Accept-Encoding", value: coding) }
    let response = try await http.execute(request, timeout: .seconds(30))
    guard response.status == .ok else { throw Refused(text: "\(url): \(response.status)") }
    let body = try await response.body.collect(upTo: 64 << 20)
    let fields = response.headers.reduce(19) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    return (Array(body.readableBytesView), body.readableBytes + fields)
  }

  /// Opens the stream and reads its first event.
  func connect() async throws {
    let query = address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    var request = HTTPClientRequest(
      url: "\(origin)\(address.prefix { $0 != "?" })/live?address=\(query)")
    request.headers.add(name: "Live-Tab", value: tab)
    request.headers.add(name: "Live-Session", value: session)
    request.headers.add(name: "Live-Version", value: version)
    let response = try await http.execute(request, timeout: .hours(1))
    guard response.status == .ok else { throw Refused(text: "stream: \(response.status)") }
    chunks = response.body.makeAsyncIterator()
    while true {
      guard let event = try await next() else { throw Refused(text: "the stream has ended") }
      if event.name == "hello" {
        guard event.data == session else { throw Refused(text: "another session") }
        return
      }
    }
  }

  /// Sends an action; returns the number of bytes received on the stream until it was acknowledged.
  func act(_ name: String, _ value: String) async throws -> Int {
    let before = streamed
    number += 1
    var request = HTTPClientRequest(url: "\(origin)\(address.prefix { $0 != "?" })/events")
    request.method = .POST
    request.headers.add(name: "Live-Tab", value: tab)
    request.headers.add(name: "Live-Session", value: session)
    request.headers.add(name: "Content-Type", value: "application/json")
    request.headers.add(name: "Origin", value: origin)
    request.body = .bytes(
      ByteBuffer(
        bytes: try JSONEncoder().encode(Message(number: number, name: name, value: value))))
    let response = try await http.execute(request, timeout: .seconds(30))
    guard response.status == .noContent else { throw Refused(text: "\(name): \(response.status)") }
    while acknowledged < number {
      guard let event = try await next() else { throw Refused(text: "the stream has ended") }
      guard event.name == "state" else { continue }
      let update = try JSONDecoder().decode(Update.self, from: Data(event.data.utf8))
      acknowledged = max(acknowledged, update.acknowledged ?? 0)
    }
    return streamed - before
  }

  /// Reads events up to the next state.
  func nextState() async throws {
    while let event = try await next() { if event.name == "state" { return } }
    throw Refused(text: "the stream has ended")
  }

  private func next() async throws -> (name: String, data: String)? {
    while true {
      if let end = pending.firstRange(of: [10, 10]) {
        let lines = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
        pending.removeSubrange(..<end.upperBound)
        var (name, data) = ("", "")
        for line in lines.split(separator: "\n") {
          if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
          if line.hasPrefix("data: ") { data += line.dropFirst(6) }
        }
        return (name, data)
      }
      guard let chunk = try await chunks?.next(isolation: #isolation) else { return nil }
      streamed += chunk.readableBytes
      pending += chunk.readableBytesView
    }
  }
}
