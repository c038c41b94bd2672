import Sandbox
import Testing

/// The clients that the sandbox accepts: programs on the same machine, and browsers that open it
/// directly.
@Suite(.timeLimit(.minutes(1)))
struct RequestSourceTests {
  @Test(
    .sandbox,
    arguments: [
      "Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
      "X-Forwarded-Server", "X-Real-IP", "X-Client-IP", "True-Client-IP", "CF-Connecting-IP",
    ])
  func `request through a proxy is refused`(field: String) async throws {
    let reply = try await browser.get("/repos/apple/cups", headers: [field: "127.0.0.1"])
    #expect(reply.status == 403)
    #expect(reply.text == "The sandbox does not respond through a proxy.\n")
    #expect(sandbox.requests.isEmpty)
  }

  @Test(
    .sandbox,
    arguments: [
      ("cross-site", "cors", "empty", "GET", 403), ("same-site", "no-cors", "image", "GET", 403),
      ("cross-site", "navigate", "iframe", "GET", 403),
      ("cross-site", "navigate", "document", "POST", 403),
      ("cross-site", "navigate", "document", "GET", 200),
      ("none", "navigate", "document", "GET", 200),
      ("same-origin", "cors", "empty", "GET", 200),
    ])
  func `page of another site is refused`(
    site: String, mode: String, destination: String, method: String, status: Int
  ) async throws {
    let reply = try await browser.get(
      "/repos/apple/cups", method: method,
      headers: ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": destination])
    #expect(reply.status == status)
    let isRefused = reply.text == "The sandbox does not respond to pages of other sites.\n"
    #expect(isRefused == (status == 403))
  }
}
