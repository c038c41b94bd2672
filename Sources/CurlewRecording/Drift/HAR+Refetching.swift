public import Curlew
import Foundation
import HTTPTypes

extension HAR {
  /// Sends the recorded requests again, and returns the server's current responses for comparison by a ``DriftReport``.
  ///
  /// Only `GET` and `HEAD` requests to the origin of the client's base URL are sent, sequentially, through all the
  /// client's middlewares. They have the recorded URL and header fields, without secret query items, masked values,
  /// credentials, conditions (RFC 9110 section 13), ranges, and connection header fields; tokens and keys come from the
  /// client. Redirects are not followed. All statuses are recorded, except 429, which is a failure. Secrets are masked
  /// in the new recording.
  ///
  /// ```swift
  /// let now = try await recording.refetched(using: github)
  /// print(DriftReport(from: now.old, to: now.new))
  /// ```
  ///
  /// - Returns: `old`: the recorded exchanges whose requests got a response, in their order. `new`: the same requests
  ///   with the current responses, each distinct request once. `failures`: the errors of the other requests, whose
  ///   exchanges are in neither recording.
  /// - Throws: `Client.Error.cancelled` when the task is cancelled.
  public func refetched(
    using client: Client
  ) async throws(Client.Error) -> (old: HAR, new: HAR, failures: [Client.Error]) {
    var (old, new, failures) = (HAR(), HAR(), [Client.Error]())
    var sent: [Entry: Client.Error?] = [:]
    for entry in entries {
      guard let request = client.request(recordedAs: entry) else { continue }
      if sent[request] == nil {
        do {
          new.entries.append(try await client.record(request))
          sent[request] = .some(nil)
        } catch {
          if case .cancelled = error { throw error }
          sent[request] = error
        }
      }
      if let failure = sent[request] ?? nil {
        failures.append(failure)
      } else {
        old.entries.append(entry)
      }
    }
    return (old, new, failures)
  }
}

extension Client {
  /// The statuses that depend on the resource; 429 depends on the request rate.
  private static let recordable = Set(200...599).subtracting([429])

  /// The recorded header fields that are not sent again: connection, transport and cache header fields, and
  /// credentials.
  private static let unrepeatable: Set<String> = [
    "accept-encoding", "authorization", "cache-control", "connection", "content-length", "cookie",
    "expect", "host", "http2-settings", "if-match", "if-modified-since", "if-none-match",
    "if-range",
    "if-unmodified-since", "keep-alive", "pragma", "proxy-authorization", "proxy-connection",
    "range", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
  ]

  /// Returns the request to send for a recorded exchange, with an empty response; `nil` if this client can't send it.
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

  /// Sends a request, and returns the exchange.
  fileprivate func record(_ entry: HAR.Entry) async throws(Error) -> HAR.Entry {
    let url: URLReference
    do {
      url = try URLReference(entry.url)
    } catch {
      let request = "\(entry.method) \(error.text)"
      throw .invalidRequest(RequestFailure(request: request, reason: error.reason))
    }
    var request = Request<Data>(
      entry.method, .url(url), headerFields: entry.headerFields, decoding: .data
    ).redirects(.doNotFollow)
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
  /// Returns a URL without secret or masked query items, and without a fragment.
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
