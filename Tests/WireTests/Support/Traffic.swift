import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport

/// Tracks which requests are in flight over real connections, and which of them only wait for a test's clock.
final class Traffic: Sendable {
  private struct State {
    var lastNumber = 0
    /// The requests in flight, by number, and whether the network has pending work for them.
    var isMoving: [Int: Bool] = [:]
    var observers: [Gate] = []

    var stands: Bool { !isMoving.values.contains(true) }
  }

  private let state = Mutex(State())

  /// The number of requests in flight.
  var count: Int { state.withLock { $0.isMoving.count } }

  fileprivate func begin() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      state.isMoving[state.lastNumber] = true
      return state.lastNumber
    }
  }

  fileprivate func end(_ number: Int) {
    change { $0.isMoving[number] = nil }
  }

  /// Records that a request's response waits for the clock.
  func rests(_ request: WireRequest) { note(request, isMoving: false) }

  /// Records that a request's response continues.
  func moves(_ request: WireRequest) { note(request, isMoving: true) }

  private func note(_ request: WireRequest, isMoving: Bool) {
    guard let number = request[Passage.name.rawName].flatMap({ Int($0) }) else { return }
    change { state in
      // The request may have ended.
      if state.isMoving[number] != nil { state.isMoving[number] = isMoving }
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let observers = state.withLock { state in
      body(&state)
      guard state.stands else { return [Gate]() }
      defer { state.observers = [] }
      return state.observers
    }
    for observer in observers { observer.open() }
  }

  /// Waits until no request has network work, or the task is cancelled.
  func standstill() async {
    let gate = Gate()
    state.withLock { state in
      if state.stands { gate.open() } else { state.observers.append(gate) }
    }
    await gate.wait()
  }
}

/// The lifetime of one request, until its response is released.
private final class Passage: Sendable {
  static let name: HTTPField.Name = .maxForwards

  let number: Int
  private let traffic: Traffic

  init(_ traffic: Traffic) {
    self.traffic = traffic
    number = traffic.begin()
  }

  deinit { traffic.end(number) }
}

/// AsyncHTTPClient's transport, with its requests tracked as traffic.
struct TrackedTransport: Transport {
  var isStoppable: Bool { transport.isStoppable }
  private let transport: AsyncHTTPClientTransport
  private let traffic: Traffic

  init(_ transport: AsyncHTTPClientTransport, _ traffic: Traffic) {
    self.transport = transport
    self.traffic = traffic
  }

  func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    let passage = Passage(traffic)
    var request = request
    request.head.headerFields[Passage.name] = "\(passage.number)"
    var response = try await transport.send(request)
    let body = response.body
    response.body = ResponseBody {
      var pieces = body.makeAsyncIterator()
      return {
        defer { withExtendedLifetime(passage) {} }
        return try await pieces.next()
      }
    }
    return response
  }
}
