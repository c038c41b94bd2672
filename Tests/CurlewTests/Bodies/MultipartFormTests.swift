import Foundation
import TestSupport
import Testing

@testable import Curlew

/// The encoding of a form's parts, byte by byte.
@Suite(.timeLimit(.minutes(1)))
struct MultipartFormTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a form has its parts in their order`() async throws {
    struct Meta: Encodable { let takenAt = 7 }
    let photo = try folder.file("photo.JPG", Data("jpeg".utf8))
    let title = "Milk & \r\n ü"
    let posted = try await PostedForm([
      "title": title, "stars": 5, "meta": .json(Meta()), "photo": .file(photo),
      "raw": .data(Data("abc".utf8), fileName: "a.b"), "title": "again",
    ])
    #expect(posted.contentType == "multipart/form-data; boundary=\(posted.boundary)")
    #expect(
      try await posted.text == """
        --B\r
        Content-Disposition: form-data; name="title"\r
        \r
        Milk & \r\n ü\r
        --B\r
        Content-Disposition: form-data; name="stars"\r
        \r
        5\r
        --B\r
        Content-Disposition: form-data; name="meta"\r
        Content-Type: application/json\r
        \r
        {"taken_at":7}\r
        --B\r
        Content-Disposition: form-data; name="photo"; filename="photo.JPG"\r
        Content-Type: image/jpeg\r
        \r
        jpeg\r
        --B\r
        Content-Disposition: form-data; name="raw"; filename="a.b"\r
        Content-Type: application/octet-stream\r
        \r
        abc\r
        --B\r
        Content-Disposition: form-data; name="title"\r
        \r
        again\r
        --B--\r\n
        """)
  }

  @Test func `nil has no part and an array has one for each element`() async throws {
    let missing: String? = nil
    let file: MultipartForm.Content? = nil
    var form: MultipartForm = ["none": nil, "no": missing, "file": file, "tags": ["a", "b"]]
    form.add("tags", [1, 2])
    form.add("tags", nil)
    form.add("key", Sensitive("hunter2"))
    form.add("body", RequestBody.form(["c": "d e"]))
    #expect(form.parts.map(\.name) == ["tags", "tags", "tags", "tags", "key", "body"])
    let text = try await PostedForm(form).text
    #expect(
      text.matches(of: /\r\n\r\n(.*?)\r\n/).map(\.1) == ["a", "b", "1", "2", "hunter2", "c=d+e"])
    #expect(text.contains("name=\"body\"\r\nContent-Type: application/x-www-form-urlencoded\r\n"))
    #expect(!"\(form) \(String(reflecting: form))".contains("hunter2"))
  }

  @Test func `a form without parts is its end`() async throws {
    #expect(try await PostedForm([:]).text == "--B--\r\n")
    #expect(try await PostedForm(["": .body(.none)]).text.contains("name=\"\"\r\n\r\n\r\n--B--"))
  }

  @Test(arguments: [
    ("", ""), ("a b;c=d", "a b;c=d"), (#"say "hi""#, "say %22hi%22"), ("a\r\nb", "a%0D%0Ab"),
    ("a\rb\nc", "a%0Db%0Ac"), (#"c:\x\"#, #"c:\x\"#), ("100%22", "100%22"), ("naïve 👩‍👩‍👧", "naïve 👩‍👩‍👧"),
    ("\u{0}\u{85}\u{2028}", "\u{0}\u{85}\u{2028}"), ("\"\r\n\r\n--B--", "%22%0D%0A%0D%0A--B--"),
    ("\r\u{301}", "%0D\u{301}"),
  ])
  func `names are escaped as browsers do`(name: String, escaped: String) async throws {
    let posted = try await PostedForm([name: .data(Data(), contentType: "a/b", fileName: name)])
    #expect(
      Data(try await posted.text.utf8)
        == Data(
          """
          --B\r
          Content-Disposition: form-data; name="\(escaped)"; filename="\(escaped)"\r
          Content-Type: a/b\r
          \r
          \r
          --B--\r\n
          """.utf8))
  }

  @Test(arguments: [
    ("a.png", "image/png"), ("a.b.PDF", "application/pdf"), ("a", "application/octet-stream"),
    ("png", "application/octet-stream"), ("a.", "application/octet-stream"),
    ("a.swift", "application/octet-stream"), (".txt", "text/plain"),
  ])
  func `a files type comes from its extension`(name: String, contentType: String) async throws {
    let file = try folder.file(name, Data("x".utf8))
    let text = try await PostedForm(["f": .file(file)]).text
    #expect(text.contains("; filename=\"\(name)\"\r\nContent-Type: \(contentType)\r\n\r\nx\r\n"))
    let own = try await PostedForm(["f": .file(file, contentType: "a/b", fileName: "c.gif")]).text
    #expect(own.contains("; filename=\"c.gif\"\r\nContent-Type: a/b\r\n\r\nx\r\n"))
  }

  @Test(arguments: [
    "", "text", "text/", "/plain", "text/plain\r\nX-Evil: 1", "text/plain\n", "text/pl ain",
    "text/plain; a=\"\r\n\"", "text/ü", "text/a; b=ü", "a/b/c", "a/b\u{0}", "a(b)/c", "a,b/c",
  ])
  func `a malformed content type is an encoding error`(contentType: String) async throws {
    let error = await #expect(throws: Client.Error.self) {
      try await PostedForm(["n\n": .data(Data(), contentType: contentType)])
    }
    #expect(
      error?.encodingFailure?.reason == #"the content type of the part "n\n" is malformed"#)
  }

  @Test func `a form in a form has a boundary of its own`() async throws {
    let posted = try await PostedForm(["inner": .body(.multipart(["a": "b"]))])
    let text = try await posted.text
    let inner = try #require(
      text.firstMatch(of: /Content-Type: multipart\/form-data; boundary=(curlew-\w{24})\r\n/))
    #expect(text.contains("\r\n\r\n--\(inner.1)\r\n"))
    #expect(text.hasSuffix("\r\nb\r\n--\(inner.1)--\r\n\r\n--B--\r\n"))
  }

  // MARK: The text between the parts

  @Test func `every request has a boundary of its own`() async throws {
    let body = RequestBody.multipart(["a": "b"])
    var boundaries: Set<String> = []
    for _ in 0..<100 { boundaries.insert(try await PostedForm(body).boundary) }
    #expect(boundaries.count == 100)
    for boundary in boundaries {
      #expect(boundary.wholeMatch(of: /curlew-[A-Za-z0-9]{24}/) != nil)
    }
  }

  @Test func `a seed gives the same bytes`() async throws {
    let body = RequestBody.multipart(["a": "b"], using: SeededGenerator(seed: 7))
    let (one, other) = (try await PostedForm(body), try await PostedForm(body))
    #expect(one.contentType == other.contentType)
    #expect(one.body.data == other.body.data)
  }
}
