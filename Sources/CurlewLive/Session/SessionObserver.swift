package import CurlewScreens
package import CurlewSupport

/// An observer of a session, such as the inspector's timeline; it hears of its work's requests, too.
package protocol SessionObserver: RequestListener {
  /// Called with each record of the session's runner.
  func ran<S>(_ record: RunnerRecord<S>)
  /// Called when the screen goes to an address, by events that it sends.
  func opens(_ address: String, by send: () -> Void)
  /// Called when something was sent to the browser, in bytes.
  func sent(_ bytes: Int)
}
