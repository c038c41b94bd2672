import Curlew
import Foundation
import HTTPTypes

extension CacheModel {
  /// A request with its result.
  struct Outcome: Sendable {
    let request: CacheHistory.Request
    let step: Int
    /// The number of concurrent requests.
    let concurrency: Int
    /// The times at which the request began and its response was complete.
    let time: ClosedRange<Int>
    let result: Result<Curlew.Response<Data>, Client.Error>

    /// The response's `Age`.
    var shownAge: Double? {
      (try? result.get()).flatMap { $0.head.headerFields[.age] }.flatMap { Double($0) }
    }
  }

  /// The removals from the storage, by event numbers.
  struct Purges: Sendable {
    var all = 0
    var partitions: [String?: Int] = [:]

    func last(_ partition: String?) -> Int { max(all, partitions[partition] ?? 0) }
  }

  /// Returns the problem of a response; `nil` if a cache may return it for the request.
  static func problem(
    with outcome: Outcome, _ state: ModelOrigin.State, _ settings: CacheHistory.Settings,
    _ purges: Purges
  ) -> String? {
    let request = outcome.request
    let account = CacheHistory.Account(request.token, settings)
    let asked = Directives(request.fields)
    let contacts = state.sent.values.filter {
      $0.step == outcome.step && $0.url == request.url && $0.account == account
    }
    let troubles = state.troubles.filter {
      $0.step == outcome.step && $0.url == request.url && $0.partition == account.partition
    }
    if outcome.concurrency == 1, request.mode == .cacheOnly, !contacts.isEmpty || !troubles.isEmpty
    {
      return "asked the origin, which it must not"
    }
    let response: Curlew.Response<Data>
    switch outcome.result {
    case .success(let success): response = success
    case .failure(.notSent): return request.mode == .cacheOnly ? nil : "was not sent"
    case .failure(.transport): return troubles.isEmpty ? "lost a connection by itself" : nil
    case .failure(let error): return "threw \(error)"
    }
    let head = response.head.headerFields
    if response.head.status == .notModified, head[.sent] == nil {
      return notModifiedProblem(outcome, head, account, troubles, state, settings, purges)
    }
    guard let number = head[.sent].flatMap({ Int($0) }), let sent = state.sent[number] else {
      let isOwn = response.head.status == .gatewayTimeout && asked.has("only-if-cached")
      return isOwn && response.value.isEmpty ? nil : "is a response that the origin never sent"
    }
    guard sent.url == request.url else { return "is the response of another URL, /\(sent.url)" }
    guard sent.account.partition == account.partition else {
      return "is the response to another account"
    }
    let isSafe = request.method == .get || request.method == .head
    let isDirect = sent.step == outcome.step
    if isDirect, isSafe, outcome.concurrency == 1, asked.has("only-if-cached"),
      request.mode == .standard
    {
      return "asked the origin, which it must not"
    }
    if isDirect, sent.kind == .unsafe || sent.kind == .head, sent.method == request.method {
      return response.value.isEmpty || request.method != .head ? nil : "has a body after HEAD"
    }
    if isDirect, sent.kind == .notModified, response.head.status == .notModified {
      return request.fields[.ifNoneMatch] == nil ? "is a 304 that the app did not ask for" : nil
    }
    guard let birth = head[.born].flatMap({ Int($0) }).flatMap({ state.sent[$0] }) else {
      return "has a body that the origin never sent"
    }
    let isPassedOn = isDirect && birth.number == number
    guard isSafe || isPassedOn else { return "is a stored response to \(request.method)" }
    if let problem = bodyProblem(of: response, birth, isPassedOn: isPassedOn, request) {
      return problem
    }
    guard birth.version == sent.version, head[.version] == "\(sent.version)" else {
      return "version \(birth.version) was updated with the fields of version \(sent.version)"
    }
    guard !isPassedOn else { return nil }
    guard mayStore(birth) else { return "response \(birth.number) must not be stored" }
    guard birth.number > purges.last(account.partition) else { return "had been purged" }
    let invalidation =
      state.invalidations[
        ModelOrigin.Resource(url: request.url, account: account.partition)] ?? 0
    guard number > invalidation else { return "had been invalidated" }
    let candidates = (state.heads[number] ?? []).filter {
      $0.born == birth.number && hasFields(head, of: $0.fields)
    }
    guard let stored = candidates.first else {
      return "has fields that it never had together"
    }
    return candidates.lazy.map { candidate in
      useProblem(
        outcome, sent, birth, candidate.fields, isDirect: isDirect, troubles, state, settings)
    }.first { $0 == nil }
      ?? useProblem(
        outcome, sent, birth, stored.fields, isDirect: isDirect, troubles, state, settings)
  }

  /// Returns the problem of a 304 that the cache generated (section 4.3.2): its stored response must be current.
  private static func notModifiedProblem(
    _ outcome: Outcome, _ head: HTTPFields, _ account: CacheHistory.Account,
    _ troubles: [ModelOrigin.Trouble], _ state: ModelOrigin.State,
    _ settings: CacheHistory.Settings, _ purges: Purges
  ) -> String? {
    guard let condition = outcome.request.fields[.ifNoneMatch] else {
      return "is a 304 that the app did not ask for"
    }
    let resource = ModelOrigin.Resource(url: outcome.request.url, account: account.partition)
    let names: [HTTPField.Name] = [.cacheControl, .expires, .eTag, .lastModified, .varying]
    let isSound = state.sent.values.contains { sent in
      guard sent.url == outcome.request.url, sent.account.partition == account.partition,
        sent.number > state.invalidations[resource] ?? 0
      else { return false }
      return state.heads[sent.number, default: []].contains { stored in
        guard let birth = state.sent[stored.born], mayStore(birth),
          birth.number > purges.last(account.partition),
          names.allSatisfy({ head[$0] == stored.fields[$0] }),
          condition == "*" || stored.fields[.eTag].map({ lists(condition, $0) }) == true
        else { return false }
        let isDirect = sent.step == outcome.step
        return useProblem(
          outcome, sent, birth, stored.fields, isDirect: isDirect, troubles, state, settings) == nil
      }
    }
    return isSound ? nil : "is a 304 for nothing that may be used"
  }

  private static func bodyProblem(
    of response: Curlew.Response<Data>, _ birth: ModelOrigin.Sent, isPassedOn: Bool,
    _ request: CacheHistory.Request
  ) -> String? {
    let whole = birth.status == 204 ? Data() : ModelOrigin.body(of: birth.version)
    switch response.head.status.code {
    case _ where request.method == .head:
      return response.value.isEmpty ? nil : "has a body after HEAD"
    case 206:
      guard let part = range(request.fields[.range], of: whole.count) else {
        return "is a part that nobody asked for"
      }
      let expected = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(whole.count)"
      guard response.head.headerFields[.contentRange] == expected,
        response.value == whole[part] || isPassedOn && !birth.isComplete
      else { return "is another part" }
      guard let condition = request.fields[.ifRange] else { return nil }
      return condition == birth.fields[.eTag] && !condition.hasPrefix("W/")
        ? nil : "is a part of another version"
    case birth.status where birth.kind != .part || response.value == whole:
      // If the transport does not notice a truncated body, the client can't either.
      return response.value == whole || isPassedOn && !birth.isComplete
        ? nil : "has the wrong body: \(String(decoding: response.value, as: UTF8.self))"
    case 200 where birth.kind == .part && response.value == whole: return nil
    default: return "has another status than response \(birth.number)"
    }
  }

  /// Whether a response has these stored fields, except for the fields that must not be used without validation.
  private static func hasFields(_ head: HTTPFields, of stored: HTTPFields) -> Bool {
    let omitted = Directives(stored).fields(of: "no-cache")
      .union(Directives(stored).fields(of: "private"))
    let names: [HTTPField.Name] = [
      .sent, .born, .version, .extra, .cacheControl, .expires, .eTag, .lastModified, .varying,
    ]
    return head[.hop] == nil
      && names.allSatisfy {
        head[$0] == stored[$0] || head[$0] == nil && omitted.contains($0.canonicalName)
      }
  }
}
