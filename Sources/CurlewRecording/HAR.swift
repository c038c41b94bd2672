public import Curlew
public import Foundation
public import HTTPTypes

/// Recorded HTTP traffic: what a HAR 1.2 file holds, as browsers and proxies save it.
///
/// ```swift
/// let recording = try HAR(contentsOf: file)
/// let client = Client(baseURL: "https://api.github.com") {
///   $0.transport = .har(recording, mode: .lenient)
/// }
/// ```
///
/// An ``HARRecorder`` makes one of what a client sends and receives, and ``write(to:)`` saves it.
public struct HAR: Sendable, Hashable {
  /// The exchanges in the order in which they were recorded.
  public var entries: [Entry]
  /// A comment on the whole recording; `nil` for none.
  public var comment: String?

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
    /// The size of the request's body in bytes, where ``body`` is not all of it; otherwise `nil`.
    public var bodySize: Int?
    /// The response; its body is decoded, whatever its `Content-Encoding` says.
    ///
    /// The status 0 means that there was none.
    public var response: Sample
    /// The size of the decoded response body in bytes, where the recorded one is not all of it; otherwise
    /// `nil`.
    public var responseSize: Int?
    /// The version of HTTP that the response came in, such as `1.1` or `2`; `nil` if it is not known.
    public var httpVersion: String?
    /// The date at which the request was sent; `nil` if it is not known.
    public var startedAt: Date?
    /// How long each stage of the exchange took.
    public var timings = Timings()
    /// What went wrong, if there was no response or its body ended too early; otherwise `nil`.
    public var failure: String?
    /// A comment, such as what is missing; `nil` for none.
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

  /// The reason why a file is not a recording: the file, the entry and what is wrong.
  public struct ParsingError: Swift.Error, Hashable, CustomStringConvertible, LocalizedError {
    /// The file's path, or the name that was given to the bytes.
    public let source: String
    /// The number of the entry that is wrong, the first being 1; `nil` when it is none of them.
    public let entry: Int?
    /// What is wrong.
    public let reason: String

    /// A sentence with the source, the entry and the reason.
    public var description: String {
      "\(source) can't be read: " + (entry.map { "entry \($0): " } ?? "") + reason + "."
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
  }
}

extension HAR.Entry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Method, URL and status, with what is secret by default masked.
  public var description: String {
    "\(method) \(Redaction().redacting(url: url)) -> \(response.status.code)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror that shows only the ``description``: recorded header fields contain credentials.
  public var customMirror: Mirror { Mirror(reflecting: description) }
}
