import HTTPTypes

/// The header fields that proxies add to the requests that they forward.
private let proxyFields = [
  "Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
  "X-Forwarded-Server", "X-Real-IP", "X-Client-IP", "True-Client-IP", "CF-Connecting-IP",
].compactMap { HTTPField.Name($0) }

extension HTTPRequest {
  /// Whether a proxy has forwarded the request.
  var isForwarded: Bool { proxyFields.contains { headerFields.contains($0) } }

  /// Whether another site's page caused the request (W3C Fetch Metadata); false if the user has
  /// followed a link, because the other site can't read the document.
  var isFromAnotherSite: Bool {
    guard let site = self["Sec-Fetch-Site"], site != "same-origin", site != "none" else {
      return false
    }
    return method != .get || self["Sec-Fetch-Mode"] != "navigate"
      || self["Sec-Fetch-Dest"] != "document"
  }

  private subscript(name: String) -> String? {
    HTTPField.Name(name).flatMap { headerFields[$0] }
  }
}
