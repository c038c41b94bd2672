public import Foundation
public import HTTPTypes

/// A fixed response: status, header fields and body, for previews, tests and demos.
///
/// A client with the transport `.samples()` returns the sample of a request, as does a stub transport. It passes through
/// the whole pipeline: middlewares, status and decoding.
public struct Sample: Sendable, Hashable {
  /// The status.
  public var status: HTTPResponse.Status
  /// The header fields.
  public var headerFields: HTTPFields
  /// The body.
  public var body: Data

  /// Creates a sample.
  public init(
    status: HTTPResponse.Status = .ok, headerFields: HTTPFields = [:], body: Data = Data()
  ) {
    self.status = status
    self.headerFields = headerFields
    self.body = body
  }

  /// Returns a sample with JSON text as its body.
  public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Sample {
    Sample(
      status: status, headerFields: [.contentType: "application/json"], body: Data(text.utf8))
  }

  /// Returns a sample without a body.
  public static func status(_ status: HTTPResponse.Status) -> Sample { Sample(status: status) }
}

extension OutgoingRequest {
  /// The sample of the endpoint; `nil` for none, and after a redirect, which leads elsewhere.
  public var sample: Sample? { isRedirected ? nil : endpoint.declaration.sample }
}

extension Sample {
  /// The sample as a transport's response.
  public var response: IncomingResponse {
    IncomingResponse(
      head: HTTPResponse(status: status, headerFields: headerFields), body: ResponseBody(body))
  }
}
