/// A stage of a request that a screen's work makes.
package struct RequestStep: Sendable {
  /// The number of the call that the request belongs to.
  package let call: UInt64
  /// The number of the run of the work that made it.
  package let run: UInt64
  /// The name of the stage.
  package let stage: String
  package var text: String?
  package var attempt: Int?
  package var status: Int?
  /// How long it waits.
  package var wait: Duration?
  package var bytes: Int?
  /// A command for a shell that sends the request, without its secrets.
  package var curl: String?

  package init(call: UInt64, run: UInt64, stage: String) {
    (self.call, self.run, self.stage) = (call, run, stage)
  }
}

/// A listener to the requests of a screen's work, such as an inspector.
///
/// It lets a screen's adapter hear of them, though it knows no client, and clients no screens.
package protocol RequestListener: Sendable {
  /// Tells the user of the screen apart from others; `nil` while there is none.
  var visitor: String? { get }

  /// Called when a request has reached a stage.
  func reached(_ step: RequestStep)
}
