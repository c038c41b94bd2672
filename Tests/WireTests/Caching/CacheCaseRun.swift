import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport

@testable import Curlew

/// Runs one case with a real client with a cache, over sockets.
struct CacheCaseRun {
  private let cacheCase: CacheCase
  private let origin: ScriptedOrigin
  private let client: Client
  /// The finished calls, including background calls.
  private let ends = Counter()

  init(
    _ cacheCase: CacheCase, number: Int, at origin: ScriptedOrigin, storage: any CacheStorage,
    over transport: any Transport
  ) throws {
    (self.cacheCase, self.origin) = (cacheCase, origin)
    var cache = ResponseCache(storage, now: { origin.now })
    cache.maximumOfflineStaleness = cacheCase.maximumOfflineStaleness
    cache.usesHeuristics = cacheCase.usesHeuristics
    client = Client(baseURL: try BaseURL(origin.url)) { [ends] in
      $0.transport = transport
      $0.cache = cache
      // No other fields: the cases define them.
      $0.headerFields = [ScriptedOrigin.field: "\(number)"]
      $0.observers = [
        .calling { event in
          switch event.stage {
          case .finished, .failed: ends.increment()
          default: break
          }
        }
      ]
    }
  }

  /// Runs the exchanges; returns the problems, each with the number of its exchange.
  func problems() async -> [String] {
    var problems: [String] = []
    for (index, exchange) in cacheCase.exchanges.enumerated() {
      origin.wait(exchange.wait)
      problems += await self.problems(in: exchange).map {
        "exchange \(index + 1), \(exchange.method) \(exchange.path): \($0)"
      }
    }
    return problems
  }

  private func problems(in exchange: CacheCase.Exchange) async -> [String] {
    origin.expect(exchange.replies)
    let result: Result<Response<Data>, Client.Error>
    let calls = ends.count
    do {
      result = await self.result(of: try request(for: exchange), exchange.mode)
    } catch {
      return ["can't be sent: \(error)"]
    }
    let isInBackground = exchange.result.outcome == .hit && !exchange.replies.isEmpty
    var problems: [String] = []
    if isInBackground, await !haveEnded(calls + 2) {
      problems.append("nothing was validated in the background")
    }
    problems += requestProblems(in: exchange)
    switch result {
    case .success(let response):
      problems += responseProblems(response, exchange)
    case .failure(let error):
      switch (exchange.result.outcome, error) {
      case (.failed, .transport), (.unavailable, .notSent): break
      default: problems.append("failed: \(error)")
      }
    }
    return problems
  }

  private func request(for exchange: CacheCase.Exchange) throws -> Request<Data> {
    guard let method = HTTPRequest.Method(exchange.method) else { throw Malformed() }
    var fields = exchange.fields.fields(now: origin.now, origin: origin.url)
    if let account = exchange.account { fields[.authorization] = "Bearer \(account)" }
    return Request(
      method, .url(try URLReference(origin.url + exchange.path)), headerFields: fields,
      decoding: .data
    ).accepting(100...999).redirects(.doNotFollow)
  }

  private struct Malformed: Error {}

  private func result(
    of request: Request<Data>, _ mode: CacheMode
  ) async -> Result<Response<Data>, Client.Error> {
    do throws(Client.Error) {
      return .success(try await client.response(for: request, cache: mode))
    } catch {
      return .failure(error)
    }
  }

  /// Waits until `count` calls have ended; only a failing case waits long.
  private func haveEnded(_ count: Int) async -> Bool {
    await withTaskGroup { [ends] group in
      group.addTask {
        await ends.wait(for: count)
        return !Task.isCancelled
      }
      group.addTask {
        try? await Task.sleep(for: .seconds(5))
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }

  // MARK: Requests at the origin

  private func requestProblems(in exchange: CacheCase.Exchange) -> [String] {
    let requests = origin.requests
    var problems: [String] = []
    if requests.count != exchange.replies.count {
      problems.append("\(requests.count) requests arrived, not \(exchange.replies.count)")
    }
    guard let first = requests.first else { return problems }
    let expected = exchange.sees.fields(now: origin.now, origin: origin.url)
    for name in Set(expected.map(\.name)) {
      let value = expected[values: name].joined(separator: ", ")
      if first[name.rawName] != value {
        problems.append("\(name): \(first[name.rawName] ?? "none") arrived, not \(value)")
      }
    }
    for name in exchange.seesNo {
      if let value = first[name] { problems.append("\(name): \(value) arrived") }
    }
    return problems
  }

  // MARK: Responses to the client

  private func responseProblems(
    _ response: Response<Data>, _ exchange: CacheCase.Exchange
  ) -> [String] {
    let result = exchange.result
    let (fields, status) = (response.head.headerFields, response.cacheStatus)
    var problems: [String] = []
    func expect<Value: Equatable>(_ name: String, _ value: Value, _ expected: Value) {
      if value != expected { problems.append("\(name): \(value), not \(expected)") }
    }
    switch result.outcome {
    case .hit: expect("is a hit", status?.isHit, true)
    case .forwarded:
      expect("is a hit", status?.isHit, false)
      expect("forwarded status", status?.forwardedStatus, exchange.replies.last?.status)
    case .validated:
      expect("is a hit", status?.isHit, false)
      expect("forwarded status", status?.forwardedStatus, 304)
    case .stale: expect("is from the cache", status?.age != nil, true)
    case .unavailable:
      expect("is unavailable", status?.isUnavailable, true)
      expect("status", response.head.status.code, 504)
      return problems
    case .failed: return ["succeeded with \(response.head.status)"]
    }
    expect(
      "status", response.head.status.code,
      result.outcome == .forwarded ? exchange.replies.last?.status ?? 0 : result.status)
    let expected = result.fields.fields(now: origin.now, origin: origin.url)
    for name in Set(expected.map(\.name)) {
      expect(
        name.rawName, fields[values: name].joined(separator: ", "),
        expected[values: name].joined(separator: ", "))
    }
    for name in result.lacks.compactMap({ HTTPField.Name($0) }) {
      expect(name.rawName, fields[name], nil)
    }
    if let age = result.age { expect("Age", fields[.age], "\(age)") }
    let isWithout = exchange.method == "HEAD" || [204, 304].contains(response.head.status.code)
    expect("body", String(decoding: response.value, as: UTF8.self), isWithout ? "" : result.body)
    return problems
  }
}
