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

  @Test func `a packed script has neither comments nor needless white space`() {
    let script = #"""
      // A comment with "quotes".
      const a = "// no  comment";   // One behind code.
      /* One of
         lines. */
      const b = (x) => x.replace(/[/"'`]\/ +/g, " , ")
        .trim();
      let c = `a  ${ b(`{ ${ a } }`) }  // no comment`
      function d(x, y) {
        return /a = b/.test(x) ? x - -y : x / 2 / y;
      }
      c += +a
      for (const e of [1, 2]) { if (e in c) delete c[e]; }
      """#
    let packed = #"""
      const a="// no  comment";const b=(x)=>x.replace(/[/"'`]\/ +/g," , ").trim();let c=`a  ${b(`{ ${a} }`)}  // no comment`
      function d(x,y){return/a = b/.test(x)?x- -y:x/2/y;}
      c+=+a
      for(const e of[1,2]){if(e in c)delete c[e];}

      """#
    let bytes = LiveAsset.script(of: [Array(script.utf8)])
    #expect(String(decoding: bytes, as: UTF8.self) == packed)
  }

  @Test(arguments: ["\"a", "`a ${", "`a ${b", "/* a", "/a", "a = /[", "\\", "}", ")", "`}", ""])
  func `a script that ends early is packed`(script: String) {
    #expect(LiveAsset.script(of: [Array(script.utf8)]).last == UInt8(ascii: "\n"))
  }

  @Test func `the page's script has short names`() async throws {
    try await site(NotesPage()).test(.router) { client in
      let script = try await client.execute(uri: LiveAsset.script.path, method: .get).text
      #expect(!script.contains("patchFragment") && !script.contains("lastNumber"))
      // Properties keep their names.
      #expect(script.contains(".preventDefault()") && script.contains("window.Live="))
    }
  }
}
