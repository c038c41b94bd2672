import Curlew
import Foundation

/// A requirement of an RFC for a private cache, from `CacheCases.txt`, which describes the parts.
struct CacheCase: CustomStringConvertible {
  /// The RFC's section and the requirement.
  let description: String
  /// How long a response may be stale and still be served when the origin can't be reached.
  var maximumOfflineStaleness = Duration.zero
  /// Whether responses without an explicit lifetime are fresh for a share of their age.
  var usesHeuristics = true
  var exchanges: [Exchange] = []

  /// A request, the origin's replies, and the client's result.
  struct Exchange {
    /// The seconds before the request; less than zero if the clock is set back.
    var wait = 0.0
    var method = "GET"
    /// The path at the origin, with the query.
    var path = "/a"
    var fields = Fields()
    var mode = CacheMode.standard
    /// The account whose credentials the request has; `nil` for a request without credentials.
    var account: String?
    /// The origin's replies, in order: as many requests must arrive there.
    ///
    /// After a hit they are for its background validation, which the runner awaits.
    var replies: [Reply] = []
    /// Fields that the first request at the origin must have, with these values.
    var sees = Fields()
    /// The names of fields that the first request at the origin must not have.
    var seesNo: [String] = []
    var result = Result(outcome: .forwarded)
  }

  /// The origin's reply to a request.
  struct Reply {
    var status: Int
    var fields = Fields()
    var body: String
    /// The seconds between the request and the response.
    var delay = 0.0
    /// Whether a `Date` field with the virtual time is added if the fields have none.
    var hasDate = true
    /// Whether the connection is closed instead of a response.
    var disconnects = false
  }

  /// The client's result.
  struct Result {
    /// How the request was served.
    enum Outcome: String {
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

    var outcome: Outcome
    var status = 200
    /// Fields that the response must have, with these values (several lines joined by a comma and a space).
    var fields = Fields()
    /// The names of fields that the response must not have.
    var lacks: [String] = []
    /// The response's `Age`; `nil` if it does not matter.
    var age: Int?
    var body = ""
  }
}
