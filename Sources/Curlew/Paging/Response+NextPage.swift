import HTTPTypes

extension Response {
  /// Returns the request for the page that this response links to; `nil` after the last page.
  func nextPage(
    of endpoint: Request<Value>
  ) throws(Client.Error) -> Request<Value>? {
    guard let link = head.headerFields.links.next else { return nil }
    let url: URLReference
    do {
      url = try self.url(of: link)
    } catch {
      throw request.invalid("its link to the next page is malformed: \(error.reason)")
    }
    var next = endpoint.at(url)
    let from = BaseURL.Target(request.head)
    let target = url.target(from: from)
    guard from.scheme != "https" || target?.scheme == "https" else {
      throw request.invalid("its link to the next page changes from https to http")
    }
    let isSameOrigin = target?.hasSameOrigin(as: from) ?? false
    for name in request.redaction.credentials
    where !isSameOrigin || !request.head.headerFields.contains(name) {
      next.headerFields[name] = nil
    }
    return next
  }
}
