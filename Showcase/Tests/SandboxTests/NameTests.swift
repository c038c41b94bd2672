import Sandbox
import Testing

/// The names in paths, with every method that accepts them.
@Suite(.timeLimit(.minutes(1)))
struct NameTests {
  private static let bodies = [
    "PATCH": #"{"state": "closed"}"#, "POST": #"{"title": "a"}"#,
  ]

  private func send(_ method: String, _ path: String) async throws -> Reply {
    try await browser.get(path, method: method, body: Self.bodies[method])
  }

  @Test(
    .sandbox,
    arguments: [
      ("GET", "/repos/SigmaVirus24/betamax", "/repos/betamaxpy/betamax", 200),
      (
        "GET", "/repos/sigmavirus24/betamax/issues?state=all&per_page=3",
        "/repos/betamaxpy/betamax/issues?state=all&per_page=3", 200
      ),
      ("PATCH", "/repos/sigmavirus24/betamax/issues/1", "/repos/betamaxpy/betamax/issues/1", 404),
      ("PUT", "/user/starred/SigmaVirus24/betamax", "/user/starred/betamaxpy/betamax", 204),
      (
        "GET", "/repos/mirela-k/tide-watch/sandbox/opened-issues",
        "/repos/harborlight/tidewatch/sandbox/opened-issues", nil
      ),
    ] as [(String, String, String, Int?)])
  func `former name leads to the present one`(
    method: String, path: String, present: String, status: Int?
  ) async throws {
    let reply = try await send(method, path)
    let error = try reply.decode(ErrorShape.self)
    #expect(reply.status == 301 && error.message == "Moved Permanently")
    #expect(reply.header("Location") == browser.base + present)
    #expect(error.url == browser.base + present)
    #expect(try await browser.get("/user/starred").text == "[]")
    // The stream of opened issues does not end.
    if let status { #expect(try await send(method, present).status == status) }
  }

  @Test(.sandbox) func `unknown names are not found`() async throws {
    let paths = [
      "GET": [
        "/repos/nobody/nothing", "/repos/nobody/nothing/issues", "/repos/apple", "/repositories/1",
        "/repositories/x/issues", "/repos/apple/swift/", "/nowhere", "/repos/apple/swift/issues/0",
        "/repos/nobody/nothing/sandbox/opened-issues", "/user/starred/nobody/nothing",
        "/user/starred/apple",
      ],
      "PATCH": [
        "/repos/apple/cups/issues/0", "/repos/apple/cups/issues/99999",
        "/repos/apple/cups/issues/x", "/repos/nobody/nothing/issues/1", "/repos/apple/cups/issues",
        "/repos/apple/cups",
      ],
      "POST": ["/repos/apple/nothing/issues", "/repos/apple/cups", "/user/starred/apple/cups"],
      "PUT": ["/user/starred/nobody/nothing", "/user/starred/apple"],
      "DELETE": ["/user/starred/nobody/nothing", "/user/starred/apple"],
    ]
    for (method, paths) in paths {
      for path in paths {
        let reply = try await send(method, path)
        let error = try reply.decode(ErrorShape.self)
        #expect(reply.status == 404, "\(method) \(path)")
        #expect(error.message == "Not Found" && error.status == "404")
        #expect(error.documentation_url.hasPrefix("https://docs.github.com/rest"))
      }
    }
  }
}
