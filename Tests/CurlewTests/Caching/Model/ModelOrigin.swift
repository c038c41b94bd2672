import Foundation
import HTTPTypes
import Synchronization

@testable import Curlew

/// An origin that records all its responses.
///
/// It is exact: a 304 means that the version in the request's conditions is the current version. No two versions at a
/// URL share a validator or a length.
final class ModelOrigin: Transport {
  var isStoppable: Bool { true }
  /// A sent response.
  struct Sent: Sendable {
    enum Kind: Sendable { case whole, part, head, notModified, unsafe, error }

    /// The number of the event; removals from the storage count as events, too.
    let number: Int
    let step: Int
    let kind: Kind
    let url: Int
    let account: CacheHistory.Account
    let method: HTTPRequest.Method
    let request: HTTPFields
    let status: Int
    var fields: HTTPFields
    let version: Int
    /// Seconds on the cache's clock.
    let requestTime: Int
    let responseTime: Int
    /// Whether the body arrived with its announced length.
    let isComplete: Bool
  }

  /// A request without a complete or usable response.
  struct Trouble: Sendable {
    let step: Int
    let url: Int
    let partition: String?
    /// The status; `nil` if the connection was lost.
    let status: Int?
  }

  struct State {
    var now = 0
    var step = 0
    var reply = CacheHistory.Reply()
    var hasChanged = false
    var concurrency = 1
    var events = 0
    var sent: [Int: Sent] = [:]
    /// The possible heads of stored responses after each response.
    var heads: [Int: [CacheModel.Head]] = [:]
    var troubles: [Trouble] = []
    var vary: [Int: [String]] = [:]
    var representations: [Resource: Representation] = [:]
    var versions = 0
    var tags: [Resource: Int] = [:]
    /// The events that invalidated stored responses.
    var invalidations: [Resource: Int] = [:]
  }

  /// The key of a representation: a URL, a user and a set of request fields.
  struct Resource: Hashable, Sendable {
    var url: Int
    var account: String?
    var variant: [String] = []
  }

  struct Representation: Sendable {
    let version: Int
    let status: Int
    let etag: String?
    let modified: Date?
  }

  private static let epoch = 1_800_000_000

  let settings: CacheHistory.Settings
  let state = Mutex(State())

  init(_ settings: CacheHistory.Settings) { self.settings = settings }

  /// The current date.
  var now: Date { state.withLock { Self.date($0.now) } }

  static func date(_ second: Int) -> Date {
    Date(timeIntervalSince1970: Double(epoch + second))
  }

  static func second(of text: String?) -> Int? {
    text.flatMap { HTTPDate.date(from: $0) }.map { Int($0.timeIntervalSince1970) - epoch }
  }

  /// Returns the body of a version; each has its own length.
  static func body(of version: Int) -> Data {
    let name = "v\(version) "
    return Data(
      (name + String(repeating: "0123456789", count: 4 + version / 5)).prefix(30 + version).utf8)
  }

  /// Begins a step with a number of requests; returns the time.
  func begin(_ step: Int, _ reply: CacheHistory.Reply, concurrency: Int) -> Int {
    state.withLock { state in
      (state.step, state.reply, state.hasChanged) = (step, reply, false)
      state.concurrency = concurrency
      return state.now
    }
  }

  /// Whether a request of a step has arrived.
  func isContacted(in step: Int) -> Bool {
    state.withLock { state in
      state.sent.values.contains { $0.step == step } || state.troubles.contains { $0.step == step }
    }
  }

  func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    // Yields, so that concurrent requests overlap.
    for _ in 0..<state.withLock({ $0.concurrency - 1 }) { await Task.yield() }
    return try state.withLock { try $0.respond(to: request, settings) }
  }
}

extension ModelOrigin.State {
  /// Returns the response to a request, and records it.
  mutating func respond(
    to request: OutgoingRequest, _ settings: CacheHistory.Settings
  ) throws -> IncomingResponse {
    let (head, requestTime) = (request.head, now)
    now += reply.delay
    let url = Int(head.path?.dropFirst() ?? "") ?? 0
    let token = head.headerFields[.authorization].map { String($0.dropFirst("Bearer ".count)) }
    let account = CacheHistory.Account(token, settings)
    let trouble = ModelOrigin.Trouble(
      step: step, url: url, partition: account.partition, status: nil)
    if case .disconnected? = reply.fault {
      troubles.append(trouble)
      throw Client.TransportFailure(.lost, reason: "disconnected")
    }
    let isSafe = head.method == .get || head.method == .head
    if let vary = reply.vary, vary != self.vary[url] { change(url, vary: vary) }
    if !hasChanged, reply.changes || !isSafe { change(url, vary: nil) }
    hasChanged = true
    let current = representation(of: url, token, head.headerFields)
    var (kind, status, version) = (ModelOrigin.Sent.Kind.whole, current.status, current.version)
    var fields = reply.fields
    fields[.varying] = vary[url].flatMap { $0.isEmpty ? nil : $0.joined(separator: ", ") }
    fields[.eTag] = current.etag
    fields[.lastModified] = current.modified.map { HTTPDate.text(of: $0) }
    let date = reply.skew.map { now + $0 }
    fields[.date] = date.map { HTTPDate.text(of: ModelOrigin.date($0)) }
    fields[.expires] = reply.expires.map {
      HTTPDate.text(of: ModelOrigin.date((date ?? now) + $0))
    }
    var body = ModelOrigin.body(of: version)
    if case .status(let code)? = reply.fault {
      versions += 1
      (kind, status, version) = (.error, code, versions)
      (fields[.eTag], fields[.lastModified]) = (nil, nil)
      body = ModelOrigin.body(of: version)
    } else if !isSafe {
      kind = .unsafe
    } else if head.method == .head {
      kind = .head
    } else if status == 200, !reply.ignoresConditions {
      if isUnchanged(current, for: head.headerFields) {
        (kind, status, body) = (.notModified, 304, Data())
        if reply.isBare { (fields[.eTag], fields[.lastModified]) = (nil, nil) }
      } else if let part = Self.part(of: body.count, current, for: head.headerFields) {
        (kind, status) = (.part, 206)
        fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(body.count)"
        body = Data(body[part])
      }
    }
    events += 1
    (fields[.sent], fields[.version]) = ("\(events)", "\(version)")
    if kind == .whole || kind == .part || kind == .error { fields[.born] = "\(events)" }
    if kind != .notModified, status != 204 { fields[.contentLength] = "\(body.count)" }
    if kind == .notModified, reply.changes { fields[.contentLength] = "0" }
    if head.method == .head || status == 204 { body = Data() }
    if !isSafe {
      if let target = reply.location { fields[.location] = "/\(target)" }
      if let target = reply.contentLocation {
        fields[.contentLocation] = "https://api.example.com/\(target)"
      }
    } else if 300..<400 ~= status, kind == .whole {
      fields[.location] = "/2"
    }
    if status >= 500 {
      troubles.append(
        ModelOrigin.Trouble(step: step, url: url, partition: account.partition, status: status))
    }
    var isComplete = true
    switch reply.fault {
    case .cut?, .short?: isComplete = body.isEmpty
    default: break
    }
    let sent = ModelOrigin.Sent(
      number: events, step: step, kind: kind, url: url, account: account,
      method: head.method, request: head.headerFields, status: status, fields: fields,
      version: version,
      requestTime: requestTime, responseTime: now, isComplete: isComplete)
    self.sent[events] = sent
    heads[events] = CacheModel.heads(of: sent, in: self)
    if kind == .unsafe, 200..<400 ~= status {
      // Responses stored so far are invalid; later responses are not affected.
      for target in Set([url] + [reply.location, reply.contentLocation].compactMap { $0 }) {
        invalidations[ModelOrigin.Resource(url: target, account: account.partition)] = events
      }
    }
    if !isComplete { troubles.append(trouble) }
    return IncomingResponse(
      head: HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields),
      body: isComplete ? ResponseBody(body) : Self.interrupted(body, reply.fault))
  }

  private static func interrupted(
    _ body: Data, _ fault: CacheHistory.Reply.Fault?
  ) -> ResponseBody {
    let throwsError = if case .cut? = fault { true } else { false }
    return ResponseBody {
      var rest: Data? = body.dropLast(3)
      return {
        defer { rest = nil }
        if rest == nil, throwsError { throw Client.TransportFailure(.lost, reason: "cut off") }
        return rest
      }
    }
  }

  /// Creates new versions of a URL's representations.
  private mutating func change(_ url: Int, vary: [String]?) {
    if let vary { self.vary[url] = vary }
    for resource in representations.keys where resource.url == url {
      representations[resource] = nil
    }
  }

  private mutating func representation(
    of url: Int, _ token: String?, _ fields: HTTPFields
  ) -> ModelOrigin.Representation {
    let names = (vary[url] ?? []).compactMap { HTTPField.Name($0) }
    let account = token.map { String($0.prefix(1)) }
    let resource = ModelOrigin.Resource(
      url: url, account: account, variant: names.map { CacheModel.normalized(fields[$0]) })
    if let known = representations[resource] { return known }
    versions += 1
    // Different URLs and users share tags, but not two versions of one resource.
    let tagged = ModelOrigin.Resource(url: url, account: account)
    tags[tagged, default: 0] += 1
    let tag = "\"\(tags[tagged]!)\""
    let etag: String? =
      switch reply.etag {
      case .none: nil
      case .weak: "W/" + tag
      case .strong: tag
      }
    // Each version has a different second.
    let modified = reply.modified.map { age in
      let second = Int(ModelOrigin.date(now - age).timeIntervalSince1970) / 1000 * 1000
      return Date(timeIntervalSince1970: Double(second - 1000 + versions))
    }
    let new = ModelOrigin.Representation(
      version: versions, status: reply.status, etag: etag, modified: modified)
    representations[resource] = new
    return new
  }

  private func isUnchanged(
    _ current: ModelOrigin.Representation, for fields: HTTPFields
  ) -> Bool {
    if let condition = fields[.ifNoneMatch] {
      return condition == "*" && current.etag != nil
        || current.etag.map { CacheModel.lists(condition, $0) } == true
    }
    guard let since = fields[.ifModifiedSince], let modified = current.modified else {
      return false
    }
    return HTTPDate.text(of: modified) == since
  }

  private static func part(
    of count: Int, _ current: ModelOrigin.Representation, for fields: HTTPFields
  ) -> Range<Int>? {
    if let condition = fields[.ifRange],
      condition != current.etag || condition.hasPrefix("W/")
    {
      return nil
    }
    return CacheModel.range(fields[.range], of: count)
  }
}

extension HTTPField.Name {
  /// `Vary`, named apart from the property.
  static let varying: Self = "Vary"
}
