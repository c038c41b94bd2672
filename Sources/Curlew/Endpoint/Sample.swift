public import Foundation
public import HTTPTypes

/// An endpoint that carries a sample of its response, for previews, tests and demos.
///
/// A stub transport serves it through the whole pipeline: middlewares, status and decoding.
public protocol Sampled {
  /// The sample; `nil` where there is none.
  var sample: Sample? { get }
}

/// A response that was written down: status, header fields and body.
public struct Sample: Sendable, Hashable {
  /// The status; 200 where nothing else is said.
  public var status: HTTPResponse.Status
  /// The header fields.
  public var headerFields: HTTPFields
  /// The body.
  public var body: Data

  /// Creates a response.
  public init(
    status: HTTPResponse.Status = .ok, headerFields: HTTPFields = [:], body: Data = Data()
  ) {
    self.status = status
    self.headerFields = headerFields
    self.body = body
  }

  /// A response of JSON text.
  public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Sample {
    Sample(
      status: status, headerFields: [.contentType: "application/json"], body: Data(text.utf8))
  }

  /// A response without a body.
  public static func status(_ status: HTTPResponse.Status) -> Sample { Sample(status: status) }
}
