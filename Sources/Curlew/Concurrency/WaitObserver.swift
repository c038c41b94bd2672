/// An observer of requests that wait for another one: in a queue, for a shared response or for a token.
package protocol WaitObserver: Sendable {
  func begin()
  func end()
}
