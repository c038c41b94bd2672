import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ConditionTests {
  @Test(arguments: ["/repos/apple/cups", "/repos/apple/cups/issues"])
  func knownTagIsNotSentAgain(path: String) async throws {
    try await withSandbox { _, browser in
      let tag = try #require(try await browser.get(path).header("ETag"))
      #expect(tag.hasPrefix("W/\"") && tag.hasSuffix("\""))
      let strong = String(tag.dropFirst(2))
      for condition in [tag, strong, "\"x\", \(tag)", "\"x\",\(strong) , W/\"y\"", "*"] {
        let reply = try await browser.get(path, headers: ["If-None-Match": condition])
        #expect(reply.status == 304, "\(condition)")
        #expect(reply.size == 0)
        #expect(reply.header("ETag") == tag)
        #expect(reply.header("Content-Length") == nil)
      }
    }
  }

  @Test func otherTagGetsTheWholeResponse() async throws {
    try await withSandbox { _, browser in
      for condition in ["\"x\"", "W/\"x\"", "", ",,", "W/", "\"*\""] {
        let reply = try await browser.get(
          "/repos/apple/cups", headers: ["If-None-Match": condition])
        #expect(reply.status == 200 && reply.size > 500, "\(condition)")
      }
    }
  }

  @Test func tagFollowsTheContent() async throws {
    try await withSandbox { _, browser in
      let path = "/repos/apple/swift/issues"
      var tags: Set<String> = []
      for query in ["", "?page=2", "?per_page=29", "?state=all", "?direction=asc"] {
        tags.insert(try #require(try await browser.get(path + query).header("ETag")))
      }
      #expect(tags.count == 5)
      #expect(tags.contains(try #require(try await browser.get(path).header("ETag"))))
    }
  }

  @Test func errorsHaveNoTag() async throws {
    try await withSandbox { _, browser in
      let reply = try await browser.get("/repos/no/one", headers: ["If-None-Match": "*"])
      #expect(reply.status == 404 && reply.header("ETag") == nil)
    }
  }

  @Test func responseToATokenIsPrivate() async throws {
    try await withSandbox { _, browser in
      let anyone = try await browser.get("/repos/apple/cups")
      let someone = try await browser.get(
        "/repos/apple/cups", headers: ["Authorization": "Bearer x"])
      #expect(anyone.header("Cache-Control") == "public, max-age=60, s-maxage=60")
      #expect(someone.header("Cache-Control") == "private, max-age=60, s-maxage=60")
    }
  }
}
