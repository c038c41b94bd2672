import Curlew
import CurlewTesting

/// The two ways on which a client runs a request.
enum Way: CaseIterable {
  /// In a task of its own, which a limit of time cancels.
  case taskOfItsOwn
  /// In the caller's task, where a limit of time stops what it waits for.
  case inline
}

extension Client {
  /// Creates a client that runs its requests on this way, through these middlewares.
  static func stubbed(
    by stub: StubTransport, _ way: Way, _ middleware: [any Middleware], limits: Limits = Limits(),
    configure: (inout Configuration) -> Void = { _ in }
  ) -> Client {
    .stubbed(by: stub) {
      if way == .inline { $0.transport = InterruptibleStub(stub: stub) }
      $0.middleware = middleware
      $0.limits = limits
      configure(&$0)
    }
  }
}

extension Limits {
  /// No limits of time: on the test clock, nothing sleeps but what the test is about.
  static let endless = Limits(firstByte: nil, total: nil)

  init(firstByte: Duration?, total: Duration?) {
    self.init()
    connect = nil
    idle = nil
    self.firstByte = firstByte
    self.total = total
  }
}
