/// A sequence that is no more than a way to make its iterators.
struct IteratorSequence<Iterator: AsyncIteratorProtocol>: AsyncSequence, Sendable {
  let make: @Sendable () -> Iterator

  func makeAsyncIterator() -> Iterator { make() }
}
