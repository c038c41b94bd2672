extension Client.Pages {
  /// Returns the items of all pages, in order; each page is requested after the previous pages were read.
  ///
  /// ```swift
  /// for try await issue in client.pages(of: GitHub.issues(of: name)).items { show(issue) }
  /// ```
  public func items<Items: Sequence>(
    _ items: @escaping @Sendable (Value) -> Items
  ) -> some AsyncSequence<Items.Element, Client.Error> & Sendable {
    PageItems(pages: self, items: items)
  }
}

extension Client.Pages where Value: Sequence {
  /// The items of all pages, in order; each page is requested after the previous pages were read.
  public var items: some AsyncSequence<Value.Element, Client.Error> & Sendable { items { $0 } }
}

/// The sequence of the items of all pages.
private struct PageItems<Value: Sendable, Items: Sequence>: AsyncSequence, Sendable {
  let pages: Client.Pages<Value>
  let items: @Sendable (Value) -> Items

  func makeAsyncIterator() -> ItemIterator<Value, Items> {
    ItemIterator(pages: Client.Pages.Iterator(pages), items: items)
  }
}

private struct ItemIterator<Value: Sendable, Items: Sequence>: AsyncIteratorProtocol {
  var pages: Client.Pages<Value>.Iterator
  let items: @Sendable (Value) -> Items
  var page: Items.Iterator?

  mutating func next(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(Client.Error) -> Items.Element? {
    while true {
      if let item = page?.next() { return item }
      page = nil
      guard let next = try await pages.next(isolation: actor) else { return nil }
      page = items(next.value).makeIterator()
    }
  }
}
