extension Client.Pages {
  /// The items of all pages, one by one; a page is requested when those before it were read.
  ///
  /// ```swift
  /// for try await issue in client.pages(of: GitHub.issues(of: name)).items { show(issue) }
  /// ```
  public func items<Items: Sequence>(
    _ items: @escaping @Sendable (Value) -> Items
  ) -> Client.PageItems<Value, Items> {
    Client.PageItems(pages: self, items: items)
  }
}

extension Client.Pages where Value: Sequence {
  /// The items of all pages, one by one; a page is requested when those before it were read.
  public var items: Client.PageItems<Value, Value> { items { $0 } }
}

extension Client {
  /// The items of the pages of a list, one by one.
  public struct PageItems<Value: Sendable, Items: Sequence>: AsyncSequence, Sendable {
    /// An item.
    public typealias Element = Items.Element
    /// The error of a page.
    public typealias Failure = Client.Error

    fileprivate let pages: Pages<Value>
    fileprivate let items: @Sendable (Value) -> Items

    /// Returns an iterator, which has not requested anything yet.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(pages: pages.makeAsyncIterator(), items: items)
    }

    /// An iterator over the items of all pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var pages: Pages<Value>.AsyncIterator
      fileprivate let items: @Sendable (Value) -> Items
      private var page: Items.Iterator?

      fileprivate init(
        pages: Pages<Value>.AsyncIterator, items: @escaping @Sendable (Value) -> Items
      ) {
        self.pages = pages
        self.items = items
      }

      /// Returns the next item; requests a page if the items of the last one were read.
      public mutating func next(
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
  }
}
