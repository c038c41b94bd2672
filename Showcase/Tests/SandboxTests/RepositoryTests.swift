import Foundation
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RepositoryTests {
  @Test(.sandbox) func `repository has git hubs shape`() async throws {
    let reply = try await browser.get("/repos/apple/swift")
    #expect(reply.status == 200)
    #expect(reply.header("Content-Type") == "application/json; charset=utf-8")
    let swift = try reply.decode(RepositoryShape.self)
    #expect(swift.full_name == "apple/swift")
    #expect(swift.owner.login == "apple")
    #expect(swift.owner.type == "Organization")
    #expect(swift.url.absoluteString == browser.base + "/repos/apple/swift")
    #expect(swift.license?.spdx_id == "Apache-2.0")
    #expect(swift.open_issues_count == 250)
    #expect(swift.created_at < swift.updated_at && swift.updated_at < today)
  }

  @Test(.sandbox) func `names match ignoring case`() async throws {
    let exact = try await browser.get("/repos/moya/moya")
    let shouted = try await browser.get("/repos/Moya/MOYA")
    #expect(exact.status == 200)
    #expect(shouted.body == exact.body)
  }

  @Test func `each repository lists as many open issues as it counts`() async throws {
    let names = Sandbox.gitHubRepositories
    #expect(names.count >= 16)
    let counts = try await withSandbox { _, browser in
      var counts: [Int] = []
      for name in names {
        let count = try await browser.get("/repos/\(name)").decode(RepositoryShape.self)
          .open_issues_count
        let issues = try await browser.wholeList("/repos/\(name)/issues")
        #expect(issues.count == count, "\(name)")
        counts.append(count)
      }
      return counts
    }
    #expect(Set(counts).isSuperset(of: [0, 1, 30, 31, 100, 101, 250]))
    #expect(counts.allSatisfy { $0 <= 250 })
  }

  @Test(.sandbox) func `head has the headers of get and no body`() async throws {
    let get = try await browser.get("/repos/apple/cups")
    let head = try await browser.get("/repos/apple/cups", method: "HEAD")
    #expect(head.status == 200 && head.size == 0)
    #expect(head.header("ETag") == get.header("ETag"))
    #expect(head.header("Content-Length") == String(get.size))
    // The client above ignores a body; on the wire, it would be parsed as the next response.
    let bytes = try await exchange(
      "HEAD /repos/apple/cups HTTP/1.1\r\nUser-Agent: x\r\nConnection: close\r\n\r\n",
      port: browser.port)
    #expect(bytes.hasPrefix("HTTP/1.1 200 ") && bytes.hasSuffix("\r\n\r\n"))
  }
}
