public import HTTPTypes
public import Hummingbird

/// The reason why a visitor does not see a page.
///
/// A page's script loads the document again when one of its own requests is refused, so that the browser shows what the
/// document's request leads to.
public struct LiveRefusal: HTTPResponseError, Equatable {
  /// The visitor has not signed in (401).
  public static let unauthorized = LiveRefusal(status: .unauthorized)
  /// The visitor may not see the page (403).
  public static let forbidden = LiveRefusal(status: .forbidden)

  /// The status of the response, unless it is a redirect.
  public let status: HTTPResponse.Status
  private var signInPage: (path: String, parameter: String)?

  private init(status: HTTPResponse.Status) { self.status = status }

  /// The visitor has to sign in at a page, which gets the address to return to as a query parameter: it checks the
  /// address with ``LiveVisitors/address(returningTo:otherwise:)``.
  public static func signIn(at path: String, returning parameter: String = "return") -> LiveRefusal
  {
    var refusal = unauthorized
    refusal.signInPage = (path, parameter)
    return refusal
  }

  /// Returns a redirect to the sign-in page, or a text for requests of a script.
  public func response(from request: Request, context: some RequestContext) -> Response {
    let isDocument =
      request.headers[.liveTab] == nil || request.headers[.accept]?.contains("text/html") ?? false
    guard let signInPage, isDocument else {
      return refusal(
        status, status == .forbidden ? "You may not see this page." : "Please sign in.")
    }
    let query = LiveQuery(items: [(signInPage.parameter, request.uri.string)]).text
    let location =
      signInPage.path + (signInPage.path.contains("?") ? "&" + query.dropFirst() : query)
    return Response(status: .seeOther, headers: [.location: location, .cacheControl: "no-store"])
  }

  /// Whether two refusals lead to the same response.
  public static func == (left: LiveRefusal, right: LiveRefusal) -> Bool {
    left.status == right.status && left.signInPage?.path == right.signInPage?.path
      && left.signInPage?.parameter == right.signInPage?.parameter
  }
}
