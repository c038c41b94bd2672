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
