import Curlew
import HTTPTypes

extension CacheModel {
  /// Returns why a request should have been served from the cache, or validated, but was not; `nil` if it was or need
  /// not be.
  static func missedHit(
    _ outcome: Outcome, before: ModelOrigin.State, after: ModelOrigin.State,
    _ settings: CacheHistory.Settings, _ purges: Purges
  ) -> String? {
    let (request, start) = (outcome.request, outcome.time.lowerBound)
    guard let (sent, isFresh) = plain(for: request, at: start, before, settings, purges)
    else { return nil }
    let head = (try? outcome.result.get())?.head.headerFields
    let contact = after.sent.values.filter { $0.step == outcome.step }
      .min { $0.number < $1.number }
    switch request.mode {
    case .reload where Directives(sent.fields).has("immutable"): return nil
    case .reload: break
    case .standard where !isFresh: break
    default:
      let isHit = contact == nil && head?[.version] == "\(sent.version)"
      return isHit ? nil : "should be response \(sent.number)"
    }
    guard let contact, contact.url == request.url, let etag = sent.fields[.eTag] else { return nil }
    return contact.request[.ifNoneMatch].map { lists($0, etag) } == true
      ? nil : "should have been validated by \(etag)"
  }

  /// Whether the response to a plain request is stale, so that it must be validated in the background (RFC 5861 section
  /// 3).
  static func needsBackgroundValidation(
    _ request: CacheHistory.Request, _ head: HTTPFields
  ) -> Bool {
    let said = Directives(head)
    guard request.mode == .standard, request.method == .get, request.fields[.cacheControl] == nil,
      request.fields[.ifNoneMatch] == nil, request.fields[.range] == nil,
      said.seconds("stale-while-revalidate") != nil, let lifetime = said.seconds("max-age"),
      let age = head[.age].flatMap({ Int($0) })
    else { return false }
    return age >= lifetime && !said.has("must-revalidate") && !said.has("no-cache")
  }

  /// Returns whether several of many equal requests for a stale response reached the origin, though the first response
  /// serves all of them.
  static func severalValidations(
    _ outcome: Outcome, _ requests: [CacheHistory.Request], _ reply: CacheHistory.Reply,
    before: ModelOrigin.State, after: ModelOrigin.State, _ settings: CacheHistory.Settings,
    _ purges: Purges
  ) -> String? {
    let start = outcome.time.lowerBound
    guard Set(requests).count == 1, requests[0].mode == .standard,
      Directives(reply.fields).isPlain, reply.fields[.age] == nil, reply.skew == 0,
      reply.status == 200, reply.fault == nil, reply.delay == 0, !reply.isBare, reply.vary == nil,
      let (sent, isFresh) = plain(for: requests[0], at: start, before, settings, purges),
      !isFresh, sent.fields[.eTag] != nil
    else { return nil }
    let count = after.sent.values.count { $0.step == outcome.step }
    return count == 1 ? nil : "and its equals were sent \(count) times"
  }

  /// Returns the response that must be stored for a request, and whether it is fresh; `nil` where this is not simple.
  ///
  /// It is simple where the last response for the URL and the account has a lifetime by `max-age` alone.
  private static func plain(
    for request: CacheHistory.Request, at now: Int, _ state: ModelOrigin.State,
    _ settings: CacheHistory.Settings, _ purges: Purges
  ) -> (sent: ModelOrigin.Sent, isFresh: Bool)? {
    let account = CacheHistory.Account(request.token, settings)
    let resource = ModelOrigin.Resource(url: request.url, account: account.partition)
    let sent = state.sent.values.filter {
      $0.url == request.url && $0.account.partition == account.partition
    }
    guard settings.bytes == nil, request.method == .get, request.fields[.cacheControl] == nil,
      request.fields[.range] == nil, request.fields[.ifNoneMatch] == nil,
      let last = sent.max(by: { $0.number < $1.number }),
      sent.allSatisfy({ varying($0.fields) == varying(last.fields) }),
      // Any of several concurrent responses may be stored last.
      sent.allSatisfy({ $0.step < last.step || $0.kind == .whole && $0.version == last.version }),
      last.kind == .whole, last.status == 200, last.account == account, mayStore(last),
      Directives(last.fields).isPlain, last.fields[.age] == nil,
      last.request[.range] == nil, last.request[.ifNoneMatch] == nil,
      ModelOrigin.second(of: last.fields[.date]) == last.responseTime, now >= last.responseTime,
      !varying(last.fields).contains("*"),
      [.acceptLanguage, .kind].allSatisfy({ last.request[$0] == request.fields[$0] }),
      last.number > purges.last(account.partition),
      last.number > state.invalidations[resource] ?? 0
    else { return nil }
    let age = age(of: last, last.fields, at: now).upperBound
    return (last, age < Double(Directives(last.fields).seconds("max-age") ?? 0))
  }
}
