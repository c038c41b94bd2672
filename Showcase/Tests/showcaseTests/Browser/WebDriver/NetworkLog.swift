import Curlew
import Foundation
import HTTPTypes

/// The network transfers counted by Chromium, for a browser with ``Browser/Options/logsNetwork``.
struct NetworkLog {
  /// The response to a request.
  struct Transfer: CustomStringConvertible {
    var url = ""
    var isStream = false
    /// The size of the status line and the header fields.
    var fields = 0
    /// The size of the decoded body.
    var body = 0
    /// The size of the encoded body: compressed, and including chunk sizes.
    var encodedBody = 0
    /// The total size of a complete response.
    var total: Int?

    /// The bytes received so far.
    var bytes: Int { total ?? fields + (isStream ? max(body, encodedBody) : encodedBody) }

    var description: String { "\(bytes) B \(url)" }
  }

  private let browser: Browser
  private var responses: [String: Transfer] = [:]
  /// The bytes of all streams at the last call of `takeStreamed`.
  private var taken = 0

  /// Starts counting; call this before opening the page whose stream is counted.
  init(_ browser: Browser) async throws {
    self.browser = browser
    _ = try await browser.networkEvents()
  }

  /// All responses, sorted by URL.
  var transfers: [Transfer] {
    responses.values.filter { !$0.url.isEmpty }.sorted { $0.url < $1.url }
  }

  /// Reads the events since the last call.
  mutating func read() async throws {
    for event in try await browser.networkEvents() {
      guard let id = event.params?.requestId else { continue }
      let length = Int(event.params?.encodedDataLength ?? 0)
      switch event.method {
      case "Network.responseReceived":
        guard let response = event.params?.response else { continue }
        // Excludes `data:` URLs.
        guard response.url.hasPrefix("http") else { continue }
        responses[id, default: Transfer()].url = response.url
        responses[id]?.isStream = response.mimeType == "text/event-stream"
        responses[id]?.fields = max(0, Int(response.encodedDataLength))
      case "Network.dataReceived":
        responses[id, default: Transfer()].body += event.params?.dataLength ?? 0
        responses[id]?.encodedBody += length
      case "Network.loadingFinished": responses[id]?.total = length
      default: break
      }
    }
  }

  /// Returns the bytes of the streams' bodies since the last call.
  mutating func takeStreamed() async throws -> Int {
    try await read()
    let all = responses.values.filter(\.isStream).reduce(0) { $0 + $1.body }
    defer { taken = all }
    return all - taken
  }
}

/// The relevant members of an event in Chromium's DevTools protocol.
private struct NetworkEvent: Decodable {
  struct Parameters: Decodable {
    struct Response: Decodable {
      let url: String
      let mimeType: String
      let encodedDataLength: Double
    }

    let requestId: String?
    let dataLength: Int?
    let encodedDataLength: Double?
    let response: Response?
  }

  let method: String
  let params: Parameters?

  enum CodingKeys: CodingKey { case method, params }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let method = try container.decode(String.self, forKey: .method)
    self.method = method
    // Other events have parameters of other types.
    let isWanted = ["responseReceived", "dataReceived", "loadingFinished"]
      .contains { method == "Network.\($0)" }
    params = isWanted ? try container.decode(Parameters.self, forKey: .params) : nil
  }
}

extension Browser {
  /// Returns the network events since the last call.
  fileprivate func networkEvents() async throws -> [NetworkEvent] {
    struct Line: Decodable, Sendable {
      let message: String
    }
    struct Message: Decodable {
      let message: NetworkEvent
    }
    let lines: [Line] = try await send(.post, path("se/log"), .json(["type": "performance"]))
    return try lines.map {
      try JSONDecoder().decode(Message.self, from: Data($0.message.utf8)).message
    }
  }
}
