import Curlew
import CurlewTesting
import TestSupport

/// The two ways in which a client runs transfers.
enum Way: CaseIterable {
  /// Each transfer in a separate task, which a time limit cancels.
  case taskOfItsOwn
  /// In the call's task, where a time limit stops the transfer.
  case inline
}

extension Client {
  /// Creates a client that runs its transfers in the given way, through these middlewares.
  static func stubbed(
    by stub: StubTransport, _ way: Way, _ middleware: [any Middleware] = [],
    network: [any NetworkMiddleware] = [], limits: Limits = Limits(), waits: Waits? = nil,
    log: EventLog? = nil,
    configure: (inout Configuration) -> Void = { _ in }
  ) -> Client {
    .stubbed(by: stub) {
      if way == .inline { $0.transport = StoppableStub(stub: stub) }
      $0.middleware = middleware
      $0.networkMiddleware = network
      let observers: [(any RequestObserver)?] = [waits, log]
      $0.observers = observers.compactMap(\.self)
      $0.limits = limits
      configure(&$0)
    }
  }
}

extension Limits {
  /// No time limits: on the test clock, only the tested waits sleep.
  static let endless = Limits(firstByte: nil, total: nil)

  init(firstByte: Duration?, total: Duration?) {
    self.init()
    connect = nil
    idle = nil
    self.firstByte = firstByte
    self.total = total
  }
}
