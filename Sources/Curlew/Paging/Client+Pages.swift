import HTTPTypes

extension Client {
  /// Returns the pages of a list, each as a response, by following the links in `Link` header
  /// fields (`rel="next"`, RFC 8288).
  ///
  /// ```swift
  /// for try await page in client.pages(of: GitHub.issues(of: name)) { show(page.value) }
  /// ```
  ///
  /// The request of a link has the link's URL, including its query, and the endpoint's method,
  /// header fields and body. A link to another origin gets no credentials, neither the client's nor
  /// the endpoint's; a link from https to http, a malformed link and a link to a page that was
  /// already read throw ``Client/Error/invalidRequest(_:)``.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint of the first page.
  ///   - limit: The maximum number of pages; `nil` for all.
  public func pages<E: Endpoint>(of endpoint: E, limit: Int? = nil) -> Pages<E.Response> {
    Pages(self, first: endpoint, limit: limit) { response throws(Error) in
      try response.nextPage(of: endpoint.request)
    }
  }

  /// Unavailable: without the type of a page, no value could be decoded.
  @available(*, unavailable, message: "Name the type of a page: Request<[Note]>.get(…)")
  public func pages<E: Endpoint<Void>>(of endpoint: E, limit: Int? = nil) -> Pages<Void> {
    fatalError()
  }

  /// Returns the pages of a list, each as a response, by cursors, page numbers or any other scheme.
  ///
  /// ```swift
  /// let pages = client.pages(of: Notes.list(after: nil)) { response in
  ///   response.value.cursor.map { Notes.list(after: $0) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint of the first page.
  ///   - limit: The maximum number of pages; `nil` for all.
  ///   - next: Returns the endpoint of the page after a response; `nil` after the last page. An
  ///     endpoint without a body that was already sent throws ``Client/Error/invalidRequest(_:)``:
  ///     the pages would never end.
  public func pages<E: Endpoint>(
    of endpoint: E, limit: Int? = nil, next: @escaping @Sendable (Response<E.Response>) -> E?
  ) -> Pages<E.Response> {
    Pages(self, first: endpoint, limit: limit) { next($0) }
  }

  /// The pages of a list, requested one at a time during the iteration; see
  /// ``Client/pages(of:limit:)``.
  ///
  /// Each iteration begins with the first page. Iterating throws ``Client/Error``; to continue
  /// after an error, call the iterator's `next()` again, or iterate over the pages ``after(_:)``
  /// the last response.
  public struct Pages<Value: Sendable>: AsyncSequence, Sendable {
    typealias Next = @Sendable (Response<Value>) throws(Client.Error) -> (any Endpoint<Value>)?

    enum Start: Sendable {
      case at(any Endpoint<Value>)
      case after(Response<Value>)
    }

    let client: Client
    private(set) var start: Start
    let limit: Int?
    let following: Next

    fileprivate init(
      _ client: Client, first: any Endpoint<Value>, limit: Int?, following: @escaping Next
    ) {
      self.client = client
      start = .at(first)
      self.limit = limit
      self.following = following
    }

    /// Returns the pages that follow a response, to continue after an error.
    public func after(_ response: Response<Value>) -> Self {
      var copy = self
      copy.start = .after(response)
      return copy
    }

    /// Returns an iterator; sends no request yet.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Response<Value>, Error>
      & SendableMetatype
    {
      Iterator(self)
    }
  }
}

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

extension Client.Pages {
  /// An iterator over the pages of a list.
  struct Iterator: AsyncIteratorProtocol {
    private let pages: Client.Pages<Value>
    /// The start of the next page; `nil` after the last page.
    private var position: Start?
    private var count = 0
    /// The sent requests without a body, to detect a repeated request.
    private var visits: Set<HTTPRequest> = []

    init(_ pages: Client.Pages<Value>) {
      self.pages = pages
      position = pages.start
      if case .after(let response) = pages.start { visits.insert(Self.visit(of: response)) }
    }

    /// Requests the next page; returns `nil` after the last page.
    ///
    /// After an error, it requests the same page again.
    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Client.Error) -> Response<Value>? {
      guard let endpoint = try upcoming() else {
        position = nil
        return nil
      }
      let declaration = endpoint.declaration
      let visit = visit(of: declaration)
      if let visit, visits.contains(visit) {
        throw .invalidRequest(
          Client.RequestFailure(
            request: try pages.client.request(for: endpoint).description,
            reason: "this page was already loaded: the pages form a loop"))
      }
      let page = try await pages.client.perform(endpoint)
      if let visit { visits.formUnion([visit, Self.visit(of: page)]) }
      count += 1
      position = .after(page)
      return page
    }

    private func upcoming() throws(Client.Error) -> (any Endpoint<Value>)? {
      if let limit = pages.limit, count >= limit { return nil }
      switch position {
      case .at(let endpoint): return endpoint
      case .after(let response): return try pages.following(response)
      case nil: return nil
      }
    }

    private func visit(of endpoint: any RequestDeclaration) -> HTTPRequest? {
      guard endpoint.body.encode == nil else { return nil }
      let target = pages.client.target(of: endpoint.path, endpoint.query)
      return HTTPRequest(
        method: endpoint.method, scheme: target.scheme, authority: target.authority,
        path: target.path, headerFields: endpoint.headerFields)
    }

    /// Returns the final request of a page, after redirects: a later link may repeat it.
    private static func visit(of page: Response<Value>) -> HTTPRequest {
      var head = page.request.head
      head.headerFields = page.request.declaration.headerFields
      return head
    }
  }
}
