/// A sequence that creates its iterators with a closure.
struct IteratorSequence<Iterator: AsyncIteratorProtocol>: AsyncSequence, Sendable {
  let make: @Sendable () -> Iterator

  func makeAsyncIterator() -> Iterator { make() }
}
