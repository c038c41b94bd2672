import Curlew
import CurlewRecording
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Bodies in files beside the recording, as Playwright's mode `attach` writes them
/// (playwright.dev/docs/api/class-browser, recordHar.content; mrichman/hargo#31, microsoft/playwright#14938).
@Suite(.timeLimit(.minutes(1)))
struct AttachedBodyTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private var folder: URL { root.appending(path: "har") }

  init() throws {
    let files = FileManager.default
    try files.createDirectory(at: folder.appending(path: "sub"), withIntermediateDirectories: true)
    try Data("secret".utf8).write(to: root.appending(path: "secret"))
    try Data("{\"n\":1}".utf8).write(to: folder.appending(path: "f1.json"))
    try Data("in".utf8).write(to: folder.appending(path: "sub/f2"))
    try Data().write(to: folder.appending(path: "empty"))
    for (link, target) in [
      ("out", "../secret"), ("up", ".."), ("absolute", root.path() + "/secret"), ("loop", "loop"),
      ("inside", "sub/f2"), ("dangling", "nothing"),
    ] {
      try files.createSymbolicLink(
        atPath: folder.appending(path: link).path(), withDestinationPath: target)
    }
    let large = folder.appending(path: "large")
    #expect(files.createFile(atPath: large.path(), contents: nil))
    for (name, size) in [("large", 64 << 20 + 1), ("largest", 64 << 20)] {
      let file = folder.appending(path: name)
      #expect(files.createFile(atPath: file.path(), contents: nil))
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: UInt64(size))
      try handle.close()
    }
    #expect(mkfifo(folder.appending(path: "pipe").path(), 0o600) == 0)
  }

  private func read(_ content: String, _ postData: String = "null") throws -> HAR {
    defer { try? FileManager.default.removeItem(at: root) }
    let file = folder.appending(path: "x.har")
    let text = #"""
      {"log": {"entries": [{"request": {"method": "POST", "url": "https://a.b/", "postData": \#(postData)},
        "response": {"status": 200, "content": \#(content)}}]}}
      """#
    try Data(text.utf8).write(to: file)
    // The folder of a link's target counts.
    let link = root.appending(path: "link.har")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    let (har, linked) = (try HAR(contentsOf: file), try HAR(contentsOf: link))
    #expect(har == linked)
    return har
  }

  @Test(arguments: [
    ("f1.json", 7), ("sub/f2", 2), ("inside", 2), ("empty", 0), ("largest", 64 << 20),
  ])
  func `An attached body is read`(name: String, size: Int) throws {
    let har = try read(#"{"size": \#(size), "mimeType": "x", "_file": "\#(name)"}"#)
    #expect(har.skipped == [])
    #expect(har.entries.first?.response.body.count == size)
  }

  @Test(arguments: [
    ("../secret", "is not a relative name without \"..\""),
    ("sub/../../secret", "is not a relative name without \"..\""),
    ("sub/../f1.json", "is not a relative name without \"..\""),
    ("/etc/passwd", "is not a relative name without \"..\""),
    ("", "is not a relative name without \"..\""), (".", "is not a relative name without \"..\""),
    ("f1.json/", "is not a relative name without \"..\""),
    ("..", "is not a relative name without \"..\""),
    ("f1.json\\u0000", "is not a relative name without \"..\""),
    ("out", "is a link out of the recording's folder"),
    ("up/secret", "is a link out of the recording's folder"),
    ("absolute", "is a link out of the recording's folder"),
    ("up", "is a link out of the recording's folder"),
    ("loop", "is missing"), ("dangling", "is missing"), ("nothing", "is missing"),
    ("file:f1.json", "is missing"), ("..%2Fsecret", "is missing"),
    ("sub", "is not a regular file"), ("pipe", "is not a regular file"),
    ("large", "has more than 67108864 bytes"),
  ])
  func `A body outside of the folder is not read`(name: String, reason: String) throws {
    let har = try read(#"{"size": 7, "mimeType": "x", "_file": "\#(name)"}"#)
    #expect(har.entries == [])
    #expect(har.skipped.first?.reason.hasSuffix(reason) == true, "\(har.skipped)")
  }

  @Test func `An attached request body is read`() throws {
    let har = try read(#"{"text": "1"}"#, #"{"mimeType": "x", "text": "", "_file": "f1.json"}"#)
    #expect(har.entries.first?.body == Data("{\"n\":1}".utf8))
  }
}
