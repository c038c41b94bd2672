/// A stage of a request that a screen's work makes.
package struct RequestStep: Sendable {
  /// The number of the call that the request belongs to.
  package let call: UInt64
  /// The number of the run of the work that made the request.
  package let run: UInt64
  /// The name of the stage.
  package let stage: String
  package var text: String?
  package var attempt: Int?
  package var status: Int?
  /// The time for which the request waits.
  package var wait: Duration?
  package var bytes: Int?
  /// A shell command that sends the request, without its secrets.
  package var curl: String?

  package init(call: UInt64, run: UInt64, stage: String) {
    (self.call, self.run, self.stage) = (call, run, stage)
  }
}

/// A listener for the requests of a screen's work, such as an inspector.
///
/// It lets a screen's adapter observe requests, although adapters don't depend on clients, and
/// clients don't depend on screens.
package protocol RequestListener: Sendable {
  /// A name that distinguishes the user of the screen from other users; `nil` while there is no
  /// user.
  var visitor: String? { get }

  /// Called when a request has reached a stage.
  func reached(_ step: RequestStep)
}
