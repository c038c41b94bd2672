import HTTPTypes
import Hummingbird

/// The header fields that proxies add to forwarded requests.
private let proxyFields = [
  "Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
  "X-Forwarded-Server", "X-Real-IP", "X-Client-IP", "True-Client-IP", "CF-Connecting-IP",
].compactMap { HTTPField.Name($0) }

extension Request {
  /// The rejection of a request that doesn't come from a program on this machine; nil for accepted
  /// requests.
  var refusal: Response? {
    if proxyFields.contains(where: { headers.contains($0) }) {
      return .text("The sandbox does not respond through a proxy.", status: .forbidden)
    }
    if isFromAnotherSite {
      return .text("The sandbox does not respond to pages of other sites.", status: .forbidden)
    }
    return nil
  }

  /// Whether another site's page sent the request (W3C Fetch Metadata), except by a link that the
  /// user followed.
  private var isFromAnotherSite: Bool {
    guard let site = self["Sec-Fetch-Site"], site != "same-origin", site != "none" else {
      return false
    }
    return method != .get || self["Sec-Fetch-Mode"] != "navigate"
      || self["Sec-Fetch-Dest"] != "document"
  }

  private subscript(name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}
