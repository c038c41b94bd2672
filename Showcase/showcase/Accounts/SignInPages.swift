import Application
import CurlewLive
import Domain
import HTTPTypes
import Hummingbird
import NIOCore

/// The sign-in page, its form and the sign-out: ordinary pages without a screen.
struct SignInPages: Sendable {
  typealias Visitors = LiveVisitors<User?, BasicRequestContext>

  static let path = "/sign-in"

  let accounts: Accounts
  let cookie: SessionCookie
  let layout: PageLayout

  /// Who visits the pages: anyone, except of the form for a new issue.
  var visitors: Visitors {
    let visitors = Visitors(id: { $0?.name ?? "" }) { [self] request, _ in
      guard let user = await user(of: request) else {
        if request.uri.path.hasPrefix("/issues/new") { throw LiveRefusal.signIn(at: Self.path) }
        return nil
      }
      return user
    }
    accounts.whenSignedOut { [weak visitors] in visitors?.end(sessionsOf: $0) }
    return visitors
  }

  func user(of request: Request) async -> User? {
    guard let session = cookie.session(of: request) else { return nil }
    return await accounts.user(of: session)
  }

  /// Adds the routes, and makes the user known to the documents of all routes that are added later.
  func add(to router: Router<BasicRequestContext>, _ visitors: Visitors) {
    router.get(RouterPath(Self.path)) { request, _ in
      page(returnAddress: visitors.address(returningTo: returnAddress(of: request)))
    }
    router.post(RouterPath(Self.path)) { request, _ in
      guard let form = await form(of: request) else { return Response(status: .forbidden) }
      let returnAddress = visitors.address(returningTo: form["return"])
      let old = cookie.session(of: request)
      guard let session = try? await accounts.signIn(form["user"] ?? "", insteadOf: old) else {
        return page(
          returnAddress: returnAddress, problem: "That did not work. Try again.", .badRequest)
      }
      return redirect(to: returnAddress, session)
    }
    router.post("/sign-out") { request, _ in
      guard let form = await form(of: request) else { return Response(status: .forbidden) }
      if let user = await user(of: request) {
        let pending = accounts.sources(of: user)?.host.pendingChanges().current
        if form["discard"] == nil, let summary = PendingChanges.State(pending).summary {
          let address = visitors.address(returningTo: returnAddress(of: request))
          return page(
            layout.signOut(
              SignOutView(
                summary: summary, changes: (pending ?? []).map(\.title), returnAddress: address)))
        }
        await accounts.signOut(user)
      }
      var response = redirect(to: "/", nil)
      // Also what the page that is left stores meanwhile, such as the text in its fields.
      response.headers[.clearSiteData] = "\"storage\""
      return response
    }
  }

  /// The unchecked address to return to: of the query, or of the page with the link.
  private func returnAddress(of request: Request) -> String? {
    if let address = LiveQuery(request.uri.query ?? "")["return"] { return address }
    // What follows `https://host`.
    let parts = (request.headers[.referer] ?? "").split(
      separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count == 4 ? "/\(parts[3])" : nil
  }

  /// Returns the fields of a form of this origin, which browsers name in each `POST`; `nil` for other requests.
  private func form(of request: Request) async -> LiveQuery? {
    guard request.isSameOrigin, let body = try? await request.body.collect(upTo: 4_096) else {
      return nil
    }
    return LiveQuery(String(buffer: body))
  }

  private func page(
    returnAddress: String, problem: String? = nil, _ status: HTTPResponse.Status = .ok
  ) -> Response {
    page(
      layout.signIn(
        SignInView(names: accounts.names, returnAddress: returnAddress, problem: problem)), status)
  }

  private func page(_ html: HTML, _ status: HTTPResponse.Status = .ok) -> Response {
    var fields = HTTPFields.page
    fields[.cacheControl] = "no-store"
    return Response(
      status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(string: html.text)))
  }

  private func redirect(to address: String, _ session: String?) -> Response {
    Response(
      status: .seeOther,
      headers: [
        .location: address, .setCookie: cookie.field(session), .cacheControl: "no-store",
      ])
  }
}

extension HTTPField.Name {
  /// The W3C's `Clear-Site-Data`, which browsers heed by HTTPS and on loopback.
  fileprivate static let clearSiteData = HTTPField.Name("Clear-Site-Data") ?? .cacheControl
}

/// Makes the user of a request known to its document.
struct CurrentUser: RouterMiddleware {
  let pages: SignInPages

  @concurrent
  func handle(
    _ request: Request, context: BasicRequestContext,
    next: @concurrent (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    let user = await pages.user(of: request)
    return try await User.$current.withValue(user) { try await next(request, context) }
  }
}

/// The changes that a sign-out would discard, and the question whether it may.
struct SignOutView: TemplateView {
  let summary: String
  /// The names of the changes.
  let changes: [String]
  /// The address to return to.
  let returnAddress: String

  static let template = HTMLTemplate<Self>(PackageResources.signout_mustache)
  static let names: TemplateNames<Self> = [
    "summary": \.summary, "changes": \.changes, "returnAddress": \.returnAddress,
  ]
}

/// The list of users.
struct SignInView: TemplateView {
  let names: [String]
  /// The address to return to.
  let returnAddress: String
  let problem: String?

  static let template = HTMLTemplate<Self>(PackageResources.signin_mustache)
  static let names: TemplateNames<Self> = [
    "names": \.names, "returnAddress": \.returnAddress, "problem": \.problem,
  ]
}
