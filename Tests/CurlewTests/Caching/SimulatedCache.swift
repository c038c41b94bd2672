import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport

/// The least that a cache around the policy needs: a dictionary, and an origin that follows a script.
struct SimulatedCache {
  private struct Key: Hashable {
    let account: String?
    let path: String
  }

  private struct Entry {
    var response: StoredResponse
    let body: String
  }

  private struct Received {
    let head: HTTPResponse
    let body: String
    let requestTime: Date
    let responseTime: Date
  }

  private static let origin = "https://origin.example"

  private let policy: CachePolicy
  private var now = CacheCase.start
  private var entries: [Key: [Entry]] = [:]
  private var bodies: [String] = []
  private var replies: [CacheCase.Reply] = []
  private var seen: [HTTPFields] = []
  /// What was not as the case says.
  private(set) var problems: [String] = []

  init(_ cacheCase: CacheCase) {
    policy = CachePolicy(
      usesHeuristics: cacheCase.usesHeuristics,
      maximumOfflineStaleness: cacheCase.maximumOfflineStaleness)
    for step in cacheCase.steps {
      switch step {
      case .wait(let seconds): now += seconds
      case .send(let exchange): send(exchange)
      }
    }
  }

  private mutating func send(_ exchange: CacheCase.Exchange) {
    let (number, count) = (bodies.count + 1, problems.count)
    bodies.append(exchange.replies.last?.body ?? "")
    (replies, seen) = (exchange.replies, [])
    var head = HTTPRequest(
      method: HTTPRequest.Method(exchange.method) ?? .get, scheme: "https",
      authority: "origin.example", path: exchange.path)
    head.headerFields = exchange.fields.fields(now: now, origin: Self.origin)
    let key = Key(account: exchange.account, path: exchange.path)
    let (outcome, response, body) = serve(
      CachePolicy.Request(head: head, mode: exchange.mode), key)
    check(exchange, outcome, response, body)
    if !replies.isEmpty { problems.append("\(replies.count) replies of the origin are left") }
    for index in problems.indices.dropFirst(count) {
      problems[index] = "request \(number): \(problems[index])"
    }
  }

  private mutating func check(
    _ exchange: CacheCase.Exchange, _ outcome: CacheCase.Result.Outcome, _ response: HTTPResponse?,
    _ body: String
  ) {
    let result = exchange.result
    if outcome != result.outcome { problems.append("\(outcome) instead of \(result.outcome)") }
    let sees = exchange.sees.fields(now: now, origin: Self.origin)
    for name in Set(sees.map(\.name)) where seen.first?[name] != sees[name] {
      problems.append("the origin saw \(name): \(seen.first?[name] ?? "nothing")")
    }
    for name in exchange.seesNo.compactMap({ HTTPField.Name($0) }) {
      if let value = seen.first?[name] { problems.append("the origin saw \(name): \(value)") }
    }
    guard let response else { return }
    if let status = result.status, status != response.status.code {
      problems.append("the status is \(response.status.code)")
    }
    let fields = result.fields.fields(now: now, origin: Self.origin)
    for name in Set(fields.map(\.name)) where response.headerFields[name] != fields[name] {
      problems.append("\(name) is \(response.headerFields[name] ?? "missing")")
    }
    for name in result.lacks.compactMap({ HTTPField.Name($0) }) {
      if let value = response.headerFields[name] { problems.append("\(name) is \(value)") }
    }
    if let age = result.age, response.headerFields[.age] != String(age) {
      problems.append("the age is \(response.headerFields[.age] ?? "missing")")
    }
    let expected =
      switch result.body {
      case .own: bodies.last ?? ""
      case .of(let number): bodies[number - 1]
      case .text(let text): text
      }
    if exchange.method != "HEAD", body != expected { problems.append("the body is “\(body)”") }
  }

  private mutating func serve(_ request: CachePolicy.Request, _ key: Key) -> (
    CacheCase.Result.Outcome, HTTPResponse?, String
  ) {
    let stored = entries[key] ?? []
    switch policy.decision(for: request, among: stored.map(\.response), now: now) {
    case .unavailable: return (.unavailable, nil, "")
    case .serve(let index, let part, _, let validates):
      let head = policy.served(stored[index].response, part: part, now: now)
      if validates { validateInBackground(stored[index].response, request, key) }
      let body = stored[index].body
      let bytes = part.map { Array(body.utf8)[Int($0.lowerBound)...Int($0.upperBound)] }
      return (.hit, head, bytes.map { String(decoding: $0, as: UTF8.self) } ?? body)
    case .notModified(let index, _, let validates):
      let head = policy.notModified(stored[index].response, now: now)
      if validates { validateInBackground(stored[index].response, request, key) }
      return (.hit, head, "")
    case .validate(let index, let conditions, _):
      let received = ask(request.head, conditions)
      if received?.head.status == .notModified, let received {
        if let first = freshen(received, request, conditions, key).first {
          let head = policy.served(first.response, part: nil, isValidated: true, now: now)
          return (.validated, head, first.body)
        }
        return forward(ask(request.head, [:]), stored[index], request, key)
      }
      return forward(received, stored[index], request, key)
    case .forward(let index, _):
      return forward(ask(request.head, [:]), index.map { stored[$0] }, request, key)
    }
  }

  private mutating func validateInBackground(
    _ response: StoredResponse, _ request: CachePolicy.Request, _ key: Key
  ) {
    var request = request
    for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince, .ifRange, .range] {
      request.head.headerFields[name] = nil
    }
    let conditions = policy.validation(of: response)
    guard let received = ask(request.head, conditions) else { return }
    if received.head.status == .notModified {
      freshen(received, request, conditions, key)
    } else {
      store(received, request, key)
    }
  }

  private mutating func forward(
    _ received: Received?, _ stale: Entry?, _ request: CachePolicy.Request, _ key: Key
  ) -> (CacheCase.Result.Outcome, HTTPResponse?, String) {
    let trouble: CachePolicy.Trouble? =
      switch received?.head.status.code {
      case nil: .disconnected
      case let code? where code >= 500: .status(code)
      default: nil
      }
    if let trouble, let stale,
      policy.staleStatus(of: stale.response, insteadOf: trouble, for: request, now: now) != nil
    {
      return (.stale, policy.served(stale.response, part: nil, now: now), stale.body)
    }
    guard let received else { return (.failed, nil, "") }
    if received.head.status == .notModified { freshen(received, request, [:], key) }
    if request.head.method == .head {
      let (updated, outdated) = policy.freshenedByHead(
        (entries[key] ?? []).map(\.response), by: received.head, to: request,
        requestTime: received.requestTime, responseTime: received.responseTime)
      update(updated, key)
      entries[key]?.removeAll { outdated.contains($0.response.id) }
    }
    store(received, request, key)
    for reference in policy.invalidated(by: received.head, to: request.head) {
      guard let base = URL(string: Self.origin + key.path),
        let url = reference.isEmpty ? base : URL(string: reference, relativeTo: base)?.absoluteURL,
        url.absoluteString.hasPrefix(Self.origin + "/")
      else { continue }
      let path = String(url.absoluteString.dropFirst(Self.origin.count))
      entries[Key(account: key.account, path: path)] = nil
    }
    return (.forwarded, received.head, received.body)
  }

  private mutating func store(_ received: Received, _ request: CachePolicy.Request, _ key: Key) {
    let result = policy.storing(
      received.head, to: request, requestTime: received.requestTime,
      responseTime: received.responseTime, isDecoded: false)
    guard case .success(var response) = result else { return }
    response.bodySize = Int64(received.body.utf8.count)
    let replaced = policy.replaced(
      by: response, to: request, among: (entries[key] ?? []).map(\.response))
    entries[key]?.removeAll { replaced.contains($0.response.id) }
    entries[key, default: []].append(Entry(response: response, body: received.body))
  }

  @discardableResult private mutating func freshen(
    _ received: Received, _ request: CachePolicy.Request, _ conditions: HTTPFields, _ key: Key
  ) -> [Entry] {
    let updated = policy.freshened(
      (entries[key] ?? []).map(\.response), by: received.head, to: request, conditions: conditions,
      requestTime: received.requestTime, responseTime: received.responseTime)
    return update(updated, key)
  }

  @discardableResult private mutating func update(_ responses: [StoredResponse], _ key: Key)
    -> [Entry]
  {
    responses.compactMap { response in
      guard let index = entries[key]?.firstIndex(where: { $0.response.id == response.id }) else {
        return nil
      }
      entries[key]?[index].response = response
      return entries[key]?[index]
    }
  }

  /// Sends a request to the origin; returns `nil` if that disconnects.
  private mutating func ask(_ request: HTTPRequest, _ conditions: HTTPFields) -> Received? {
    var fields = request.headerFields
    for field in conditions { fields[field.name] = field.value }
    seen.append(fields)
    guard !replies.isEmpty else {
      problems.append("the origin got a request that it should not get")
      return nil
    }
    let reply = replies.removeFirst()
    let requestTime = now
    now += reply.delay
    guard !reply.disconnects else { return nil }
    var head = HTTPResponse(status: HTTPResponse.Status(code: reply.status))
    head.headerFields = reply.fields.fields(now: now, origin: Self.origin)
    if reply.hasDate, !head.headerFields.contains(.date) {
      head.headerFields[.date] = HTTPDate.text(of: now)
    }
    return Received(
      head: head, body: reply.body ?? "", requestTime: requestTime, responseTime: now)
  }
}
