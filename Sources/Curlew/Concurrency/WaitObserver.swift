/// What is told when a request begins and ends to wait for another one: for its turn, for the
/// response that it shares, for a token.
package protocol WaitObserver: Sendable {
  func begin()
  func end()
}
