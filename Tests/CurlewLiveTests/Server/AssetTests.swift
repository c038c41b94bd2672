import CurlewLive
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AssetTests {
  @Test func `assets may be kept for good`() async throws {
    try await site(NotesPage()).test(.router) { client in
      let script = try await client.execute(uri: LiveAsset.script.path, method: .get)

      #expect(script.status == .ok)
      #expect(script.headers[.contentType] == "text/javascript; charset=utf-8")
      #expect(script.headers[.cacheControl] == "public, max-age=31536000, immutable")
      #expect(script.headers[.xContentTypeOptions] == "nosniff")
      #expect(script.text.contains("text/event-stream"))
    }
  }

  @Test func `a changed file has another path`() {
    let (old, new) = ("a{}", "b{}")
    let path = { (text: String) in
      LiveAsset(named: "site.css", bytes: Array(text.utf8), contentType: "text/css").path
    }

    #expect(path(old) != path(new))
    #expect(path(old) == path(old))
    #expect(path(old).hasPrefix("/assets/site."))
    #expect(path(old).hasSuffix(".css"))
  }
}
