import HTTPTypes

extension Response {
  /// Returns the URL of a link of this response, such as `head.headerFields.links.next`, for
  /// ``Path/url(_:)``.
  ///
  /// A relative target is resolved against the URL that the response came from (RFC 8288 section
  /// 3.1). As after a redirect, a link to another origin gets none of the client's credentials, nor
  /// do the links of its response. Secrets that are masked in descriptions of this response's request
  /// are also masked in descriptions of the URL.
  ///
  /// - Throws: ``URLParsingError``.
  public func url(of link: WebLink) throws(URLParsingError) -> URLReference {
    let reference = try URLReference(link.target)
    let base = BaseURL.Target(request.head)
    guard let target = reference.target(from: base) else { return reference }
    var redaction = request.redaction
    redaction.remember(secretsOf: request.head)
    return URLReference(
      URLReference.Parts(
        "\(target.scheme)://\(target.authority)\(target.path)", redaction: redaction,
        isFromElsewhere: request.isCrossOrigin || !target.hasSameOrigin(as: base)))
  }
}

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
