import Curlew
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// The code of FromTheTutorials.md beside the apps, compiled and run.
@Suite("The page about the tutorials' apps", .timeLimit(.minutes(1)))
struct FromTheTutorialsPageTests {
  @Test func `operations with responses of their own are called as the cases of an enum`()
    async throws
  {
    let stub = StubTransport()
    let github = Client.stubbed(by: stub)
    stub.stub(.get, "/users/octocat", with: .json(#"{"login": "octocat"}"#))
    stub.stub(.get, "/users/octocat/gists", with: .json(#"[{"id": "7"}]"#))
    let account = try await github.send(.account("octocat"))
    let gists = try await github.send(.gists(of: "octocat"))
    #expect(account.login == "octocat")
    #expect(gists.map(\.id) == ["7"])
  }

  @Test func `the page's table is what the script counts`() throws {
    let package = URL(filePath: #filePath).appending(path: "../../..").standardized
    let script = Process()
    let output = Pipe()
    script.executableURL = package.appending(path: "Scripts/count-apps")
    script.standardOutput = output
    try script.run()
    let counted = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    script.waitUntilExit()
    let page = try DocumentationTests.page("FromTheTutorials.md")
    let rows = counted.split(separator: "\n").filter { $0.contains("**") }
    #expect(rows.count == 7)
    for row in rows {
      // The tutorials' sources are not in this repository.
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let ours = page.split(separator: "\n").first { $0.hasPrefix("| \(cells[0]) | ") }
      #expect(ours?.hasSuffix("| \(cells[2]) | \(cells[3]) |") == true, "\(row)")
    }
  }
}

nonisolated struct Account: Decodable, Sendable { let login: String }
nonisolated struct Gist: Decodable, Sendable { let id: String }

nonisolated extension Endpoint where Self == Request<Account> {
  static func account(_ name: String) -> Self { .get("/users/\(name)") }
}
nonisolated extension Endpoint where Self == Request<[Gist]> {
  static func gists(of name: String) -> Self { .get("/users/\(name)/gists") }
}
