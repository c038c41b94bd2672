import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport

/// Runs histories through clients and a cache, and compares the responses with the model.
struct CacheModelRun {
  let history: CacheHistory
  private let origin: ModelOrigin
  private let cache: ResponseCache
  private let clients: [Client]
  private let calls: OpenCalls

  private init(_ history: CacheHistory) {
    let settings = history.settings
    let origin = ModelOrigin(settings)
    var cache = ResponseCache.memory(
      bytes: settings.bytes ?? 32 << 20, account: settings.namesAccounts ? Self.name : nil,
      now: { origin.now })
    cache.usesHeuristics = settings.usesHeuristics
    cache.maximumOfflineStaleness = .seconds(settings.maximumOfflineStaleness)
    let (calls, shared) = (OpenCalls(), cache)
    let clock = TestClock()
    clients = (0..<2).map { _ in
      Client(baseURL: "https://api.example.com") { configuration in
        configuration.transport = origin
        configuration.clock = clock
        configuration.observers = [calls]
        configuration.cache = shared
      }
    }
    (self.history, self.origin, self.cache, self.calls) = (history, origin, cache, calls)
  }

  /// A function that returns a request's account: the first letter of its token.
  private static let name: @Sendable (OutgoingRequest) -> String? = { request in
    request.head.headerFields[.authorization].map {
      String($0.dropFirst("Bearer ".count).prefix(1))
    }
  }

  /// Returns the problem of the shortest failing history, which is found by leaving out steps; `nil` if there is no
  /// problem.
  static func problem(in history: CacheHistory) async -> String? {
    guard var problem = await CacheModelRun(history).problem() else { return nil }
    var (history, index) = (history, 0)
    while index < history.steps.count {
      var shorter = history
      shorter.steps.remove(at: index)
      if let found = await CacheModelRun(shorter).problem() {
        (history, problem, index) = (shorter, found, 0)
      } else {
        index += 1
      }
    }
    return "\(problem)\n\(history)"
  }

  private func problem() async -> String? {
    var purges = CacheModel.Purges()
    for (index, step) in history.steps.enumerated() {
      switch step {
      case .wait(let seconds): origin.state.withLock { $0.now += seconds }
      case .purge(let account):
        let event = origin.state.withLock { state in
          state.events += 1
          return state.events
        }
        if history.settings.namesAccounts, let account {
          await cache.removeAll(of: account)
          purges.partitions[account] = event
        } else {
          await cache.removeAll()
          purges.all = event
        }
      case .send(let requests, let reply):
        if let problem = await send(requests, reply, step: index, purges) {
          return "step \(index + 1): \(problem)"
        }
      }
    }
    return nil
  }

  private func send(
    _ requests: [CacheHistory.Request], _ reply: CacheHistory.Reply, step: Int,
    _ purges: CacheModel.Purges
  ) async -> String? {
    let settings = history.settings
    var reply = reply
    // A 304 without validators to the app's own condition could be mistaken for a validation of the stored response
    // (section 4.3.4).
    if requests.contains(where: { $0.fields.contains(.ifNoneMatch) }) { reply.isBare = false }
    let start = origin.begin(step, reply, concurrency: requests.count)
    let before = origin.state.withLock { $0 }
    let outcomes = await outcomes(of: requests, step: step)
    let end = origin.state.withLock { $0.now }
    await settle(outcomes, step)
    if requests.count == 1, let head = (try? outcomes[0].1.get())?.head.headerFields,
      CacheModel.needsBackgroundValidation(requests[0], head), !origin.isContacted(in: step)
    {
      return "\(requests[0]) was not validated in the background"
    }
    var state = origin.state.withLock { $0 }
    // Concurrent requests may have been served before one of them invalidated the stored response.
    if requests.count > 1 { state.invalidations = before.invalidations }
    for (request, result) in outcomes {
      let outcome = CacheModel.Outcome(
        request: request, step: step, concurrency: requests.count, time: start...end,
        result: result)
      let problem =
        CacheModel.problem(with: outcome, state, settings, purges)
        ?? (requests.count > 1
          ? CacheModel.severalValidations(
            outcome, requests, reply, before: before, after: state, settings, purges)
          : CacheModel.missedHit(outcome, before: before, after: state, settings, purges))
      guard let problem else { continue }
      let response = (try? result.get()).map { "\($0.head.status) \($0.head.headerFields)" }
      return "\(request) \(problem); \(response ?? "no response")"
    }
    return nil
  }

  private func outcomes(
    of requests: [CacheHistory.Request], step: Int
  ) async -> [(CacheHistory.Request, Result<Response<Data>, Client.Error>)] {
    if requests.count == 1 { return [(requests[0], await result(of: requests[0], step))] }
    return await withTaskGroup(
      of: (CacheHistory.Request, Result<Response<Data>, Client.Error>).self
    ) { group in
      for request in requests {
        group.addTask { (request, await result(of: request, step)) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func result(
    of request: CacheHistory.Request, _ step: Int
  ) async -> Result<Response<Data>, Client.Error> {
    var endpoint = Request<Data>(
      request.method, "/\(request.url)", headerFields: request.fields, decoding: .automatic
    ).redirects(.doNotFollow)
    endpoint.headerFields[.step] = "\(step)"
    endpoint.headerFields[.authorization] = request.token.map { "Bearer \($0)" }
    endpoint.acceptedStatuses = Set(100...599)
    do throws(Client.Error) {
      return .success(
        try await clients[request.client].response(for: endpoint, cache: request.mode))
    } catch {
      return .failure(error)
    }
  }

  /// Waits for background validations that a response may have started.
  private func settle(
    _ outcomes: [(CacheHistory.Request, Result<Response<Data>, Client.Error>)], _ step: Int
  ) async {
    let yields = outcomes.map { request, result in
      guard let head = (try? result.get())?.head.headerFields else { return 0 }
      return CacheModel.needsBackgroundValidation(request, head)
        ? 100_000 : CacheModel.Directives(head).seconds("stale-while-revalidate") == nil ? 0 : 100
    }
    for _ in 0..<(yields.max() ?? 0) {
      if origin.isContacted(in: step) { break }
      await Task.yield()
    }
    await eventually { calls.count == 0 }
  }
}

/// Counts the calls that are not finished.
private final class OpenCalls: RequestObserver {
  private let open = Mutex(0)

  var count: Int { open.withLock { $0 } }

  func observe(_ event: RequestEvent) {
    switch event.stage {
    case .began: open.withLock { $0 += 1 }
    case .finished, .failed: open.withLock { $0 -= 1 }
    default: break
    }
  }
}
