import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ConditionTests {
  @Test(.sandbox, arguments: ["/repos/apple/cups", "/repos/apple/cups/issues"])
  func `known tag is not sent again`(path: String) async throws {
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

  @Test(.sandbox) func `other tag gets the whole response`() async throws {
    for condition in ["\"x\"", "W/\"x\"", "", ",,", "W/", "\"*\"", "W/*", "*, *"] {
      let reply = try await browser.get("/repos/apple/cups", headers: ["If-None-Match": condition])
      #expect(reply.status == 200 && reply.size > 500, "\(condition)")
    }
  }

  @Test(.sandbox) func `tag follows the content`() async throws {
    let path = "/repos/apple/swift/issues"
    var tags: Set<String> = []
    for query in ["", "?page=2", "?per_page=29", "?state=all"] {
      tags.insert(try #require(try await browser.get(path + query).header("ETag")))
    }
    #expect(tags.count == 4)
    #expect(tags.contains(try #require(try await browser.get(path).header("ETag"))))
  }

  @Test(.sandbox) func `not modified has the fields of the whole response`() async throws {
    let whole = try await browser.get("/repos/apple/cups")
    let known = try await browser.get("/repos/apple/cups", headers: ["If-None-Match": "*"])
    #expect(known.status == 304 && known.size == 0)
    for name in ["Cache-Control", "ETag", "Vary", "X-RateLimit-Limit"] {
      #expect(known.header(name) != nil && known.header(name) == whole.header(name), "\(name)")
    }
    #expect(known.header("Date") != nil)
    #expect(known.header("Content-Type") == nil && known.header("Content-Length") == nil)
  }
}
