import HTTPTypes
import NIOCore

/// GitHub's refusals.
extension Answer {
  private static let documentation = "https://docs.github.com/rest"

  private static func refusal(
    _ status: HTTPResponse.Status, _ message: String, documentation: String = documentation
  ) -> Answer {
    .json(
      .object([
        ("message", .string(message)), ("documentation_url", .string(documentation)),
        ("status", .string(String(status.code))),
      ]), status: status)
  }

  static func notFound(_ page: String? = nil) -> Answer {
    refusal(
      .notFound, "Not Found", documentation: page.map { "\(documentation)/\($0)" } ?? documentation)
  }

  static var serverError: Answer { refusal(.internalServerError, "Server Error") }

  static var tooLong: Answer { refusal(.uriTooLong, "URI Too Long") }

  static func movedPermanently(to address: String) -> Answer {
    var answer = json(
      .object([
        ("message", .string("Moved Permanently")), ("url", .string(address)),
        (
          "documentation_url",
          .string("\(documentation)/using-the-rest-api/best-practices#follow-redirects")
        ),
      ]), status: .movedPermanently)
    answer.headers[.location] = address
    return answer
  }

  /// A choice among a repository's issues that does not exist.
  static func invalid(_ field: String) -> Answer {
    invalid(
      [("resource", "Issue"), ("code", "invalid"), ("field", field)],
      documentation: "\(documentation)/issues/issues#list-repository-issues")
  }

  /// A search for nothing.
  static var withoutTerm: Answer {
    invalid(
      [("resource", "Search"), ("field", "q"), ("code", "missing")],
      documentation: "https://docs.github.com/v3/search")
  }

  /// A search for more than anybody types.
  static var longTerm: Answer {
    invalid(
      [
        ("message", "The search is longer than 256 characters."), ("resource", "Search"),
        ("field", "q"), ("code", "invalid"),
      ], documentation: "https://docs.github.com/v3/search")
  }

  /// A page behind the last result that a search gives out, however many it counted.
  static var beyondResults: Answer {
    refusal(
      .unprocessableContent, "Only the first 1000 search results are available",
      documentation: "https://docs.github.com/v3/search/")
  }

  private static func invalid(
    _ error: [(String, String)], documentation: String
  ) -> Answer {
    .json(
      .object([
        ("message", .string("Validation Failed")),
        ("errors", .array([.object(error.map { ($0.0, .string($0.1)) })])),
        ("documentation_url", .string(documentation)),
        ("status", .string("422")),
      ]), status: .unprocessableContent)
  }

  static func overLimit(wait: Int) -> Answer {
    var answer = json(
      .object([
        (
          "message",
          .string(
            "API rate limit exceeded for 127.0.0.1. (But here's the good news: it starts again "
              + "by itself, and a request with a token may ask far more often.)")
        ),
        ("documentation_url", .string("\(documentation)/using-the-rest-api/rate-limits")),
      ]), status: .forbidden)
    answer.headers[.retryAfter] = String(wait)
    return answer
  }

  /// GitHub's firewall refuses this one, so its answer is no JSON.
  static var withoutUserAgent: Answer {
    Answer(
      status: .forbidden, headers: [.contentType: "text/html; charset=utf-8"],
      body: ByteBuffer(
        string: "Request forbidden. Please send a User-Agent header that names your app.\n"))
  }
}
