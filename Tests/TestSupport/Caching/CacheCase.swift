// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Curlew
public import Foundation
import HTTPTypes

/// A requirement of an RFC for a private cache: requests on a virtual clock, a scripted origin's responses, and the
/// responses that the client must get.
///
/// It is data, independent of the runner: a simulated cache around the policy, or a client with sockets.
public struct CacheCase: Sendable, CustomStringConvertible {
  /// The virtual time at which each case begins: Fri, 15 Jan 2027 08:00:00 GMT.
  public static let start = Date(timeIntervalSince1970: 1_800_000_000)

  /// The requirement, as a sentence.
  public let name: String
  /// The RFC's section: `9111 4.2.1`.
  public let section: String
  /// How long a response may be stale and still be served when the origin can't be reached.
  public let maximumOfflineStaleness: Duration
  /// Whether responses without an explicit lifetime are fresh for a share of their age.
  public let usesHeuristics: Bool
  /// The steps, in order.
  public let steps: [Step]

  /// Creates a case, and numbers the default bodies of its replies: the n-th request's reply has `body n`.
  public init(
    _ section: String, _ name: String, maximumOfflineStaleness: Duration = .zero,
    usesHeuristics: Bool = true, _ steps: [Step]
  ) {
    (self.section, self.name) = (section, name)
    (self.maximumOfflineStaleness, self.usesHeuristics) = (maximumOfflineStaleness, usesHeuristics)
    var count = 0
    self.steps = steps.map { step in
      guard case .send(var exchange) = step else { return step }
      count += 1
      for index in exchange.replies.indices where exchange.replies[index].body == nil {
        exchange.replies[index].body = "body \(count)"
      }
      return .send(exchange)
    }
  }

  public var description: String { "\(section): \(name)" }

  /// A step of a case.
  public enum Step: Sendable {
    /// Advances the clock by a number of seconds; sets it back if the number is negative.
    case wait(Double)
    /// Sends a request.
    case send(Exchange)
  }

  /// A request, the origin's replies, and the client's result.
  public struct Exchange: Sendable {
    public var method = "GET"
    /// The path at the origin, with the query.
    public var path = "/a"
    public var fields: Fields = [:]
    public var mode = CacheMode.standard
    /// The account whose credentials the request has; `nil` for a request without credentials.
    public var account: String?
    /// The origin's replies, in order: as many requests must arrive there.
    ///
    /// After a hit they are for its background validation, which the runner awaits.
    public var replies: [Reply] = []
    /// Fields that the first request at the origin must have, with these values.
    public var sees: Fields = [:]
    /// The names of fields that the first request at the origin must not have.
    public var seesNo: [String] = []
    public var result: Result
  }

  /// The origin's reply to a request.
  public struct Reply: Sendable {
    public var status: Int
    public var fields: Fields
    /// The body; empty for statuses without a body, and for `HEAD`.
    public var body: String?
    /// The seconds between the request and the response.
    public var delay: Double = 0
    /// Whether a `Date` field with the virtual time is added if the fields have none.
    public var hasDate = true
    /// Whether the connection is closed instead of a response.
    public var disconnects = false

    /// Creates a reply.
    public init(
      _ status: Int = 200, _ fields: Fields = [:], body: String? = nil, delay: Double = 0,
      hasDate: Bool = true
    ) {
      (self.status, self.fields, self.body) = (status, fields, body)
      (self.delay, self.hasDate) = (delay, hasDate)
      if [204, 205, 304].contains(status) { self.body = "" }
    }

    /// Returns a response with the status 200.
    public static func ok(_ fields: Fields = [:], body: String? = nil) -> Self {
      Self(200, fields, body: body)
    }

    /// Returns a response with the status 304.
    public static func notModified(_ fields: Fields = [:]) -> Self { Self(304, fields) }

    /// Closes the connection instead of responding.
    public static var disconnect: Self {
      var reply = Self(500, body: "")
      reply.disconnects = true
      return reply
    }
  }

  /// The client's result.
  public struct Result: Sendable {
    /// How the request was served.
    public enum Outcome: Sendable, Hashable {
      /// From the cache, without waiting for the origin.
      case hit
      /// With the origin's response.
      case forwarded
      /// From the cache, after the origin's 304.
      case validated
      /// From the cache, because the origin failed.
      case stale
      /// Not served: the request was not sent, and no stored response could be used.
      case unavailable
      /// Not served: the origin disconnected.
      case failed
    }

    public var outcome: Outcome
    public var status: Int?
    /// Fields that the response must have, with these values (several lines joined by a comma and a space).
    public var fields: Fields = [:]
    /// The names of fields that the response must not have.
    public var lacks: [String] = []
    /// The response's `Age`; `nil` if it does not matter.
    public var age: Int?
    /// The body.
    public var body: Body

    /// The body of a response.
    public enum Body: Sendable, Hashable {
      /// The body of the reply to the n-th request of the case.
      case of(Int)
      /// The given text.
      case text(String)
      /// The body of the origin's reply to this request.
      case own
    }
  }
}
