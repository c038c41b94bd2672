import Curlew
import HTTPTypes

extension CacheModel {
  /// Returns why a stored response must not be used without validation; `nil` if it may be used.
  ///
  /// - Parameters:
  ///   - sent: The last response that updated it.
  ///   - birth: The response that delivered its body.
  ///   - head: Its fields.
  ///   - isDirect: Whether the origin validated it in this step.
  static func useProblem(
    _ outcome: Outcome, _ sent: ModelOrigin.Sent, _ birth: ModelOrigin.Sent, _ head: HTTPFields,
    isDirect: Bool, _ troubles: [ModelOrigin.Trouble], _ state: ModelOrigin.State,
    _ settings: CacheHistory.Settings
  ) -> String? {
    let request = outcome.request
    let names = varying(head)
    // Every request for which the origin validated this version counts, not only the original request.
    let requests = state.sent.values.filter {
      $0.version == sent.version && $0.account.partition == sent.account.partition
    }.map(\.request)
    if isDirect {
      guard requests.contains(where: { agree($0, request.fields, by: names.filter { $0 != "*" }) })
      else { return "was validated for another variant" }
      return nil
    }
    guard !names.contains("*"),
      requests.contains(where: { agree($0, request.fields, by: names) })
    else { return "is another variant" }
    if let newer = newer(than: sent, birth, for: outcome, state, settings) {
      return "is older than response \(newer)"
    }
    let ages =
      age(of: sent, head, at: outcome.time.lowerBound)
      .lowerBound...age(
        of: sent, head, at: outcome.time.upperBound
      ).upperBound
    // `Age` contains whole seconds only.
    guard let shown = outcome.shownAge, ages.lowerBound.rounded(.down)...ages.upperBound ~= shown
    else { return "has the age \(outcome.shownAge ?? -1), not \(ages)" }
    if request.mode == .cacheElseLoad || request.mode == .cacheOnly { return nil }
    let lifetime = lifetime(
      of: sent, head, status: birth.status, usesHeuristics: settings.usesHeuristics)
    let (said, asked) = (Directives(head), Directives(request.fields))
    let staleness = ages.lowerBound - lifetime.upperBound
    let isFresh = staleness < 0
    let mustValidate = said.has("no-cache") || said.has("must-revalidate") && !isFresh
    let isRescue = troubles.contains { trouble in
      let window = max(
        said.seconds("stale-if-error") ?? -1, asked.seconds("stale-if-error") ?? -1,
        trouble.status == nil && settings.maximumOfflineStaleness > 0
          ? settings.maximumOfflineStaleness : -1)
      return staleness <= Double(window) && !mustValidate
    }
    if request.mode == .reload {
      // A reload need not validate immutable responses (RFC 8246).
      return said.has("immutable") && isFresh && !mustValidate ? nil : "was not asked for"
    }
    guard !isRescue else { return nil }
    if asked.has("no-cache") { return "was not validated, as the request asked" }
    let maxStale =
      asked.has("max-stale") ? .infinity : asked.seconds("max-stale").map { Double($0) }
    if let limit = asked.seconds("max-age"), ages.lowerBound > Double(limit) + (maxStale ?? 0) {
      return "is older than the request asked for"
    }
    if let limit = asked.seconds("min-fresh"), -staleness < Double(limit) {
      return "is not fresh for as long as the request asked for"
    }
    if mustValidate { return "was not validated, as the response asked" }
    if isFresh { return nil }
    let window = max(
      maxStale ?? -1, said.seconds("stale-while-revalidate").map { Double($0) } ?? -1)
    return staleness <= window
      ? nil : "has been stale for \(staleness) s (age \(ages), lifetime \(lifetime))"
  }

  /// Returns the number of a later response that must be used instead (section 4.1), if the model is sure of it.
  private static func newer(
    than sent: ModelOrigin.Sent, _ birth: ModelOrigin.Sent, for outcome: Outcome,
    _ state: ModelOrigin.State, _ settings: CacheHistory.Settings
  ) -> Int? {
    let last = state.sent.values.filter {
      $0.url == sent.url && $0.account.partition == sent.account.partition
        && $0.step < outcome.step
    }.max { $0.number < $1.number }
    guard settings.bytes == nil, let last, last.number > sent.number,
      last.version != sent.version, last.status == 200, birth.status == 200,
      !Directives(last.fields).has("no-store"), !Directives(last.request).has("no-store"),
      let (date, own) = both(
        ModelOrigin.second(of: last.fields[.date]), ModelOrigin.second(of: sent.fields[.date])),
      date > own
    else { return nil }
    let isStored =
      last.kind == .whole && mayStore(last) && Directives(last.fields).isPlain
      && last.request[.range] == nil && last.request[.ifNoneMatch] == nil
    let names = varying(last.fields) + varying(sent.fields)
    // Responses with `Vary` take precedence.
    let isPreferred = !varying(last.fields).isEmpty || varying(sent.fields).isEmpty
    return (isStored || last.kind == .head) && isPreferred && !names.contains("*")
      && agree(last.request, outcome.request.fields, by: names) ? last.number : nil
  }

  private static func both<Value>(_ first: Value?, _ second: Value?) -> (Value, Value)? {
    if let first, let second { (first, second) } else { nil }
  }
}
