public import Curlew
public import Foundation
public import HTTPTypes

/// Recorded HTTP traffic: the content of a HAR 1.2 file, the format that browsers and proxies export.
///
/// ```swift
/// let recording = try HAR(contentsOf: file)
/// let client = Client(baseURL: "https://api.github.com") {
///   $0.transport = .har(recording, mode: .lenient)
/// }
/// ```
///
/// An ``HARRecorder`` records a client's traffic, and ``write(to:)`` saves the recording.
public struct HAR: Sendable, Hashable {
  /// The exchanges in the order in which they were recorded.
  public var entries: [Entry]
  /// A comment on the whole recording, if any.
  public var comment: String?
  /// The entries of the file that was read which can't be replayed, in its order.
  ///
  /// Such an entry is malformed, or has no response, no http URL, or no content of a successful response.
  public internal(set) var skipped: [SkippedEntry] = []

  /// Creates a recording of these exchanges.
  public init(entries: [Entry] = [], comment: String? = nil) {
    self.entries = entries
    self.comment = comment
  }

  /// One request and its response.
  public struct Entry: Sendable, Hashable {
    /// The request's method.
    public var method: HTTPRequest.Method
    /// The request's URL, as recorded.
    public var url: String
    /// The request's header fields.
    public var headerFields: HTTPFields
    /// The request's body; `nil` if it has none.
    public var body: Data?
    /// The size of the request's body in bytes if ``body`` is incomplete; otherwise `nil`.
    public var bodySize: Int?
    /// The response; its body is decoded, regardless of its `Content-Encoding`.
    ///
    /// The status 0 means that there was no response.
    public var response: Sample
    /// The size of the decoded response body in bytes if the recorded body is incomplete; otherwise `nil`.
    public var responseSize: Int?
    /// The HTTP version of the response, such as `1.1` or `2`; `nil` if unknown.
    public var httpVersion: String?
    /// The date at which the request was sent; `nil` if unknown.
    public var startedAt: Date?
    /// The duration of each stage of the exchange.
    public var timings = Timings()
    /// The error if there was no response or its body ended too early; otherwise `nil`.
    public var failure: String?
    /// A comment, such as the reason for missing data, if any.
    public var comment: String?

    /// Creates an exchange.
    public init(
      _ method: HTTPRequest.Method = .get, _ url: String, headerFields: HTTPFields = [:],
      body: Data? = nil, response: Sample
    ) {
      self.method = method
      self.url = url
      self.headerFields = headerFields
      self.body = body
      self.response = response
    }
  }

  /// An entry of a file that can't be replayed.
  public struct SkippedEntry: Sendable, Hashable, CustomStringConvertible {
    /// The number of the entry in the file, from 1.
    public let number: Int
    /// The method and the URL, with secrets masked by the default redaction; `nil` if they can't be read.
    public let request: String?
    /// The reason.
    public let reason: String

    /// The number, the request and the reason.
    public var description: String {
      "entry \(number)" + (request.map { " (\($0))" } ?? "") + ": " + reason
    }
  }

  /// An error reading a recording: the file and the reason.
  public struct ParsingError: Swift.Error, Hashable, CustomStringConvertible, LocalizedError {
    /// The file's path, or the name passed with the data.
    public let source: String
    /// The reason.
    public let reason: String

    /// A sentence with the source and the reason.
    public var description: String { "\(source) can't be read: \(reason)." }

    /// The same as ``description``.
    public var errorDescription: String? { description }
  }
}

extension HAR.Entry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method, the URL and the status, with secrets masked by the default redaction.
  public var description: String {
    "\(method) \(Redaction().redacting(url: url)) -> \(response.status.code)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror that shows only the ``description``: recorded header fields contain credentials.
  public var customMirror: Mirror { Mirror(reflecting: description) }
}
