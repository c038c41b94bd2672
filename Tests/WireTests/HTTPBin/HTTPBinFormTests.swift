import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Seeded forms, parsed by httpbin's parser, werkzeug: 100, and 1,000 in the long mode.
@Suite(
  "httpbin reads forms with files", .enabled(if: HTTPBin.isPossible, "Python is not installed"),
  .httpBin, .timeLimit(.minutes(5)))
struct HTTPBinFormTests {
  /// The form as parsed by httpbin.
  private struct Echo: Decodable, Sendable {
    let form: [String: Values]
    /// The first file of each name: a text, or a `data:` URL for bytes that are not UTF-8.
    let files: [String: String]
  }

  /// A name's texts: JSON has a string for a single text, otherwise a list.
  private struct Values: Decodable, Equatable, Sendable {
    var texts: [String]

    init(texts: [String]) {
      self.texts = texts
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      texts = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
    }
  }

  private let client: Client
  private let folder: URL

  init() throws {
    client = Client(baseURL: try #require(HTTPBin.baseURL)) {
      $0.transport = TransportUnderTest.asyncHTTPClient.transport
    }
    folder = FileManager.default.temporaryDirectory.appending(path: "curlew-form-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func echo(_ form: MultipartForm) async throws -> Echo {
    try await client.send(Request<Echo>.post("/post", body: .multipart(form)))
  }

  /// Returns a name as parsed by werkzeug: it decodes `%22`, but neither `%0D` nor `%0A`.
  private func read(_ name: String) -> String {
    name.unicodeScalars.map { $0 == "\r" ? "%0D" : $0 == "\n" ? "%0A" : String($0) }.joined()
      .replacing("%22", with: "\"")
  }

  /// Returns a file as httpbin shows it.
  private func shown(_ part: SeededForm.Part) -> String {
    String(validating: part.content, as: UTF8.self)
      ?? "data:\(part.contentType ?? "");base64,\(part.content.base64EncodedString())"
  }

  @Test func `seeded forms are read back`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    // httpbin rejects a body without a length (501), decodes fields as text, and treats backslashes as escapes;
    // Python's `email` parses such forms, and the test below covers a backslash.
    for number in 0..<UInt64(Fuzz.size(100, full: 1_000)) {
      let seed = Fuzz.seed() &+ number
      let form = try SeededForm(seed: seed, folder: folder, isPlain: true)
      var texts: [String: Values] = [:]
      var files: [String: String] = [:]
      for part in form.parts {
        let name = read(part.name)
        if part.fileName == nil {
          let text = String(decoding: part.content, as: UTF8.self)
          texts[name, default: Values(texts: [])].texts.append(text)
        } else if files[name] == nil {
          files[name] = shown(part)
        }
      }
      let echo = try await echo(form.form)
      #expect(echo.form == texts, "seed \(seed)")
      #expect(echo.files == files, "seed \(seed)")
    }
  }

  @Test func `a backslash is an escape for HTTP bin`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    // Some versions remove every backslash, others every second backslash.
    let echo = try await echo([#"c:\\x"#: "1", "f": .data(Data([255]), fileName: #"c:\x"#)])
    #expect(echo.form.mapValues(\.texts) == [#"c:\x"#: ["1"]])
    #expect(echo.files == ["f": "data:application/octet-stream;base64,/w=="])
  }

  @Test func `a form without parts is read`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let echo = try await echo([:])
    #expect(echo.form.isEmpty && echo.files.isEmpty)
  }
}
