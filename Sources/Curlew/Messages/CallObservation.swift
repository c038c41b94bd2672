import CurlewSupport
import HTTPTypes
import Synchronization

/// An observed call: the data that its events share.
///
/// A request of a client without observers has no observation.
final class CallObservation: Sendable {
  private struct State {
    var totals = RequestTotals()
    /// The time at which the current wait began; `nil` if the call does not wait.
    var waitBegan: Duration?
    var hasEnded = false

    /// Adds a stage to the totals, and returns whether to report it.
    mutating func count(_ stage: RequestEvent.Stage, at time: Duration) -> Bool {
      switch stage {
      case .coalesced:
        totals.isCoalesced = true
        waitBegan = time
      case .waitingForToken, .waitingForRateLimit, .queued: waitBegan = time
      case .resumed:
        if let began = waitBegan.take() { totals.waited += time - began }
      case .retrying:
        totals.retries += 1
        waitBegan = time
      case .cache(let status): totals.cacheStatus = status
      case .head(let status): totals.status = status
      case .received(let bytes, _): totals.bytes += bytes
      case .finished, .failed:
        // A stream ends when it is read, released or cancelled, whichever comes first.
        if hasEnded { return false }
        hasEnded = true
      default: break
      }
      return true
    }
  }

  private static let lastNumber = Atomic<UInt64>(0)

  let id: UInt64
  let initiator = Initiator.current
  let observers: [any RequestObserver]
  private let clock: RelativeClock
  private let start: Duration
  private let state = Mutex(State())

  init(_ observers: [any RequestObserver], _ clock: RelativeClock) {
    id = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    self.observers = observers
    self.clock = clock
    start = clock.now
  }

  /// Returns the observation of a call that begins now, for the same observers.
  func inCallOfItsOwn(_ clock: RelativeClock) -> CallObservation {
    CallObservation(observers, clock)
  }

  /// The time since the call began.
  var time: Duration { clock.now - start }

  var totals: RequestTotals { state.withLock { $0.totals } }

  /// Returns the number of the next attempt.
  func addAttempt() -> Int {
    state.withLock { state in
      // If the call waited for another call's response in vain, it sends its own request.
      state.totals.isCoalesced = false
      state.totals.attempts += 1
      return state.totals.attempts
    }
  }

  /// Reports a stage, unless the call has ended.
  func report(
    _ stage: RequestEvent.Stage, of request: OutgoingRequest, _ attempt: AttemptObservation? = nil
  ) {
    let time = if case .began = stage { Duration.zero } else { time }
    guard !stage.counts || state.withLock({ $0.count(stage, at: time) }) else { return }
    notify(
      RequestEvent(
        stage: stage, time: time, request: request, observation: self,
        attemptObservation: attempt))
  }

  func notify(_ event: RequestEvent) {
    // By index: an iterator would retain each observer, which all threads share.
    for index in observers.indices { observers[index].observe(event) }
  }
}

extension RequestEvent.Stage {
  /// Whether the stage changes the call's totals or ends the call: the other stages need no lock.
  fileprivate var counts: Bool {
    switch self {
    case .began, .sending, .connecting, .sent, .bytes, .lost, .measured, .decoded: false
    default: true
    }
  }
}

/// The observation of a request on the wire.
final class AttemptObservation: Sendable {
  private struct State {
    var response: (head: HTTPResponse, version: String?)?
    var bytes = 0
    var stage = 0
    var hasEnded = false
  }

  let number: Int
  /// The time at which this attempt began, from the beginning of the call.
  let began: Duration
  private let call: CallObservation
  private let request: OutgoingRequest
  private let state = Mutex(State())

  init(_ request: OutgoingRequest, of call: CallObservation) {
    self.call = call
    self.request = request
    began = call.time
    number = call.addAttempt()
  }

  var response: (head: HTTPResponse, version: String?)? { state.withLock { $0.response } }

  /// Reports the beginning, and returns the header fields that the observers add.
  func begin() -> [HTTPField] {
    let event = RequestEvent(
      stage: .sending, time: began, request: request, observation: call, attemptObservation: self)
    call.notify(event)
    return call.observers.flatMap { $0.headerFields(for: event) }
  }

  func report(_ stage: RequestEvent.Stage) { call.report(stage, of: request, self) }

  /// Reports a stage of the transport when it is reached for the first time.
  func transferAwaits(_ limit: TransferDeadline.Limit) {
    let (number, stage): (Int, RequestEvent.Stage)
    switch limit {
    case .connect: (number, stage) = (1, .connecting)
    case .firstByte: (number, stage) = (2, .sent)
    case .idle, .total: return
    }
    let isNew = state.withLock { state in
      defer { state.stage = max(state.stage, number) }
      return state.stage < number && !state.hasEnded
    }
    if isNew { report(stage) }
  }

  func arrived(_ response: IncomingResponse) {
    state.withLock { $0.response = (response.head, response.httpVersion) }
    report(.head(status: response.head.status.code))
  }

  func arrived(_ count: Int) {
    state.withLock { $0.bytes += count }
    report(.bytes(count))
  }

  /// Reports the end, unless it has already been reported.
  func end(isComplete: Bool) {
    guard let bytes = takeEnd() else { return }
    report(.received(bytes: bytes, isComplete: isComplete))
  }

  /// Reports the end with an error, unless it has already been reported.
  func fail(_ error: any Error) {
    if takeEnd() != nil { report(.lost(request.failure(error))) }
  }

  /// Ends the attempt, and returns the number of bytes that have arrived; `nil` if it has already ended.
  private func takeEnd() -> Int? {
    state.withLock { state in
      if state.hasEnded { return nil }
      state.hasEnded = true
      return state.bytes
    }
  }
}
