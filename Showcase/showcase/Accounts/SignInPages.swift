import CurlewLive
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
      guard let user = user(of: request) else {
        if request.uri.path.hasPrefix("/issues/new") { throw LiveRefusal.signIn(at: Self.path) }
        return nil
      }
      return user
    }
    accounts.whenSignedOut { [weak visitors] in visitors?.end(sessionsOf: $0) }
    return visitors
  }

  func user(of request: Request) -> User? {
    cookie.session(of: request).flatMap { accounts.user(of: $0) }
  }

  /// Adds the routes, and makes the user known to the documents of all routes that are added later.
  func add(to router: Router<BasicRequestContext>, _ visitors: Visitors) {
    router.get(RouterPath(Self.path)) { request, _ in
      page(place: visitors.address(returningTo: place(of: request)))
    }
    router.post(RouterPath(Self.path)) { request, _ in
      guard let form = await form(of: request) else { return Response(status: .forbidden) }
      let place = visitors.address(returningTo: form["return"])
      guard let session = try? await accounts.signIn(form["user"] ?? "") else {
        return page(place: place, problem: "That did not work. Try again.", .badRequest)
      }
      return redirect(to: place, session)
    }
    router.post("/sign-out") { request, _ in
      guard await form(of: request) != nil else { return Response(status: .forbidden) }
      if let user = user(of: request) { await accounts.signOut(user) }
      return redirect(to: "/", nil)
    }
  }

  /// The address to return to: of the query, or of the page with the link.
  private func place(of request: Request) -> String? {
    if let place = LiveQuery(request.uri.query ?? "")["return"] { return place }
    let referrer = request.headers[.referer] ?? ""
    // What follows is checked as any address to return to.
    return origins(of: request).first { referrer.hasPrefix($0) }
      .map { String(referrer.dropFirst($0.count)) }
  }

  /// Returns the fields of a form of this origin, which browsers name in each `POST`; `nil` for other requests.
  private func form(of request: Request) async -> LiveQuery? {
    guard let origin = request.headers[.origin], origins(of: request).contains(origin),
      let body = try? await request.body.collect(upTo: 4_096)
    else { return nil }
    return LiveQuery(String(buffer: body))
  }

  private func origins(of request: Request) -> [String] {
    request.head.authority.map { ["http://\($0)", "https://\($0)"] } ?? []
  }

  private func page(
    place: String, problem: String? = nil, _ status: HTTPResponse.Status = .ok
  ) -> Response {
    var fields = HTTPFields.page
    fields[.cacheControl] = "no-store"
    let html = layout.signIn(SignInView(names: accounts.names, place: place, problem: problem))
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

/// Makes the user of a request known to its document.
struct CurrentUser: RouterMiddleware {
  let pages: SignInPages

  @concurrent
  func handle(
    _ request: Request, context: BasicRequestContext,
    next: @concurrent (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    try await User.$current.withValue(pages.user(of: request)) { try await next(request, context) }
  }
}

/// The list of users.
struct SignInView: TemplateView {
  let names: [String]
  /// The address to return to.
  let place: String
  let problem: String?

  static let template = HTMLTemplate<Self>(PackageResources.signin_mustache)
  static let names: TemplateNames<Self> = [
    "names": \.names, "place": \.place, "problem": \.problem,
  ]
}
