import Foundation
import Sandbox
import Synchronization
import Testing

/// The tokens of the simulated GitHub's users, and what belongs to a user.
@Suite(.timeLimit(.minutes(1)))
struct SignInTests {
  private struct Grant: Decodable {
    let access_token, refresh_token, token_type, scope: String
    let expires_in: Int
  }

  private func grant(_ form: String) async throws -> Reply {
    try await browser.get("/login/oauth/access_token", method: "POST", body: form)
  }

  private func token(_ name: String) async throws -> String {
    try await grant("login=\(name)").decode(Grant.self).access_token
  }

  private func send(
    _ method: String, _ path: String, as token: String, body: String? = nil
  ) async throws -> Reply {
    try await browser.get(
      path, method: method, headers: ["Authorization": "Bearer \(token)"], body: body)
  }

  @Test func `a token expires and is refreshed`() async throws {
    let age = Mutex(0.0)
    var options = Sandbox.Options()
    options.now = { today.addingTimeInterval(age.withLock { $0 }) }
    try await withSandbox(options) { _, browser in
      let reply = try await browser.get(
        "/login/oauth/access_token", method: "POST", body: "login=ada")
      let first = try reply.decode(Grant.self)
      #expect(reply.header("Cache-Control") == "no-store")
      #expect(first.token_type == "bearer" && first.expires_in == 300)
      for (seconds, status) in [(299.0, 200), (300, 401)] {
        age.withLock { $0 = seconds }
        let stars = try await browser.get(
          "/user/starred", headers: ["Authorization": "Bearer \(first.access_token)"])
        #expect(stars.status == status)
      }
      let second = try await browser.get(
        "/login/oauth/access_token", method: "POST",
        body: "grant_type=refresh_token&refresh_token=\(first.refresh_token)"
      ).decode(Grant.self)
      let stars = try await browser.get(
        "/user/starred", headers: ["Authorization": "Bearer \(second.access_token)"])
      #expect(stars.status == 200 && second.access_token != first.access_token)
    }
  }

  @Test(.sandbox) func `a sign out revokes the tokens of its sign in`() async throws {
    let (left, stays) = (
      try await grant("login=ada").decode(Grant.self), try await token("ada")
    )
    func revoke(_ token: String) async throws -> Int {
      try await browser.get(
        "/applications/showcase/grant", method: "DELETE", body: #"{"access_token": "\#(token)"}"#
      ).status
    }
    #expect(try await revoke(left.refresh_token) == 404)
    #expect(try await revoke(left.access_token) == 204)
    #expect(try await send("GET", "/user/starred", as: left.access_token).status == 401)
    #expect(
      try await grant("grant_type=refresh_token&refresh_token=\(left.refresh_token)").status == 400)
    #expect(try await send("GET", "/user/starred", as: stays).status == 200)
  }

  @Test(.sandbox) func `each user has stars and issues of their own`() async throws {
    let (ada, grace) = (try await token("ada"), try await token("grace"))
    #expect(try await send("PUT", "/user/starred/apple/cups", as: ada).status == 204)
    #expect(try await send("GET", "/user/starred/apple/cups", as: ada).status == 204)
    #expect(try await send("GET", "/user/starred/apple/cups", as: grace).status == 404)
    #expect(try await browser.get("/user/starred/apple/cups").status == 404)
    let issue = try await send(
      "POST", "/repos/apple/cups/issues", as: grace, body: #"{"title": "Mine"}"#)
    #expect(issue.text.contains(#""login":"grace""#))
  }

  @Test(.sandbox) func `the reader may not close an issue`() async throws {
    let issue = "/repos/apple/cups/issues/21"
    for (name, status) in [("bob", 403), ("ada", 200)] {
      let reply = try await send(
        "PATCH", issue, as: try await token(name), body: #"{"state": "closed"}"#)
      #expect(reply.status == status)
    }
    let scope = try await grant("login=bob").decode(Grant.self).scope
    #expect(scope != (try await grant("login=ada").decode(Grant.self).scope))
  }
}
