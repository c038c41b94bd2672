import HTTPTypes

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
