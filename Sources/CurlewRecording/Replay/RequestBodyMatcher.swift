import Curlew
import Foundation
import HTTPTypes

/// A request whose body is compared with recorded bodies.
struct RequestBodyMatcher {
  /// The result of a comparison.
  enum Match: Comparable {
    case different
    /// One of the bodies is not known.
    case unknown
    /// The bodies are equal apart from their form and their secrets.
    case equal
    case same
  }

  private let request: OutgoingRequest
  /// The body; `nil` if it is not known.
  private let data: Data?
  private let body: RecordedBody?

  init(_ request: OutgoingRequest) {
    self.request = request
    let fields = request.head.headerFields
    // Recorders omit compressed bodies.
    data = request.body == nil ? Data() : fields[.contentEncoding] == nil ? request.body?.data : nil
    body = data.flatMap { $0.isEmpty ? nil : Self.comparable($0, request) }
  }

  private static func comparable(_ data: Data, _ request: OutgoingRequest) -> RecordedBody {
    RecordedBody(
      data, contentType: request.head.headerFields[.contentType], redaction: request.redaction)
  }

  /// Returns how closely the body matches the body of a recorded request.
  func match(with entry: HAR.Entry) -> Match {
    guard let data else { return .unknown }
    guard let other = entry.body, !other.isEmpty else { return data.isEmpty ? .same : .unknown }
    if data == other { return .same }
    return body?.isEqual(to: Self.comparable(other, request), isCut: entry.bodySize != nil) == true
      ? .equal : .different
  }

  /// Returns the number of members or fields that the body shares with the body of a recorded request.
  func sharedMembers(with entry: HAR.Entry) -> Int {
    guard let body, let other = entry.body else { return 0 }
    return body.sharedMembers(with: Self.comparable(other, request))
  }
}
