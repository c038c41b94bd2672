public import Curlew
import Foundation
import HTTPTypes

extension HAR {
  /// The requests of a recording that were sent again, with their responses then and now.
  public struct Rerecording: Sendable {
    /// The recorded exchanges whose requests were sent again, in their order.
    public internal(set) var old = HAR()
    /// The same requests with the responses that they got now; each distinct request was sent once.
    public internal(set) var new = HAR()
    /// Why there is no response now, for each recorded exchange that is therefore neither in ``old`` nor in
    /// ``new``; each names its request, without secrets.
    public internal(set) var failures: [Client.Error] = []

    /// Creates a recording without any exchange.
    public init() {}

    /// Adds another rerecording, such as that of another server's requests.
    public mutating func append(_ other: Rerecording) {
      old.entries += other.old.entries
      new.entries += other.new.entries
      failures += other.failures
    }
  }

  /// Sends the recorded requests again, and returns what a server responds now: to be compared by a
  /// ``DriftReport``.
  ///
  /// Only `GET` and `HEAD` requests for the origin of the client's base URL are sent, one after the other,
  /// through all the client's middlewares. They have the recorded URL and header fields, without secret
  /// query items, masked values, credentials, conditions (RFC 9110 section 13), ranges, and what describes
  /// the connection: a token or a key comes from the client. Redirects are not followed, and any status is
  /// accepted, but 429, which is a failure. Secrets are masked in the new recording.
  ///
  /// ```swift
  /// let now = try await recording.rerecorded(by: github)
  /// print(DriftReport(from: now.old, to: now.new))
  /// ```
  ///
  /// - Throws: ``Client/Error/cancelled`` when the task is cancelled. Requests that fail are
  ///   ``Rerecording/failures``.
  public func rerecorded(by client: Client) async throws(Client.Error) -> Rerecording {
    var result = Rerecording()
    var sent: [Entry: Client.Error?] = [:]
    for entry in entries {
      guard let request = client.request(recordedAs: entry) else { continue }
      if sent[request] == nil {
        do {
          result.new.entries.append(try await client.record(request))
          sent[request] = .some(nil)
        } catch {
          if case .cancelled = error { throw error }
          sent[request] = error
        }
      }
      if let failure = sent[request] ?? nil {
        result.failures.append(failure)
      } else {
        result.old.entries.append(entry)
      }
    }
    return result
  }
}

extension Client {
  /// All statuses that say something about the resource.
  private static let recordable = Set(200...599).subtracting([429])

  /// The header fields of a recorded request that are not sent again: those of a connection, a transport
  /// or a cache, and credentials.
  private static let unrepeatable: Set<String> = [
    "accept-encoding", "authorization", "cache-control", "connection", "content-length", "cookie",
    "expect", "host", "http2-settings", "if-match", "if-modified-since", "if-none-match",
    "if-range",
    "if-unmodified-since", "keep-alive", "pragma", "proxy-authorization", "proxy-connection",
    "range", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
  ]

  /// Returns the request to send again for an exchange, with an empty response; `nil` if it is not one for
  /// this client.
  fileprivate func request(recordedAs entry: HAR.Entry) -> HAR.Entry? {
    let resource = RecordedURL(entry.url).resource
    guard [.get, .head].contains(entry.method), resource.scheme == baseURL.scheme,
      resource.authority == baseURL.authority
    else { return nil }
    let redaction = configuration.redaction
    let fields = HTTPFields(
      entry.headerFields.filter { field in
        !Self.unrepeatable.contains(field.name.canonicalName)
          && !redaction.headerFields.contains(field.name) && !field.value.contains(Redaction.mask)
      })
    return HAR.Entry(
      entry.method, redaction.removingSecrets(fromURL: entry.url), headerFields: fields,
      response: Sample())
  }

  /// Sends a request, and returns it with the response.
  fileprivate func record(_ entry: HAR.Entry) async throws(Error) -> HAR.Entry {
    let url: URLReference
    do {
      url = try URLReference(entry.url)
    } catch {
      let request = "\(entry.method) \(error.text)"
      throw .invalidRequest(RequestFailure(request: request, reason: error.reason))
    }
    var request = Request<Data>(
      entry.method, .url(url), headerFields: entry.headerFields, decoding: .data)
    request.redirects = .doNotFollow
    request.acceptedStatuses = Self.recordable
    let response = try await response(for: request)
    let (redaction, sent) = (response.request.redaction, response.request.head)
    var recorded = entry
    recorded.response = Sample(
      status: response.head.status,
      headerFields: redaction.redacting(response.head.headerFields, secretsOf: sent),
      body: redaction.redacting(response.value, secretsOf: sent))
    return recorded
  }
}

extension Redaction {
  /// Returns a URL without the query items that are secret or masked, and without a fragment.
  fileprivate func removingSecrets(fromURL url: String) -> String {
    let url = url.prefix { $0 != "#" }
    let target = url.prefix { $0 != "?" }
    let items = url[target.endIndex...].dropFirst().split(separator: "&").filter { text in
      let name = text.prefix { $0 != "=" }
      let item = RecordedURL.Item(
        name: PercentEncoding.decoded(name, plusIsSpace: true),
        value: PercentEncoding.decoded(text[name.endIndex...].dropFirst()))
      return !item.isSecret(queryItems) && !item.value.elementsEqual(Self.mask.utf8)
    }
    return target + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }
}
