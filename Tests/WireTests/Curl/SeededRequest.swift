import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport

@testable import Curlew

/// A request with an unusual method, target, fields or body, determined by its seed.
struct SeededRequest {
  /// The field that identifies the request at the server.
  static let numberName = HTTPField.Name("X-Number") ?? .maxForwards

  private static let methods: [HTTPRequest.Method] =
    [
      .get, .get, .post, .post, .put, .patch, .delete, .head, .options,
      HTTPRequest.Method("PROPFIND"),
    ]
    .compactMap { $0 } + ["get", "x'y!", "-d"].compactMap { HTTPRequest.Method($0) }
  private static let segments = [
    "a", "a b", "ü鳥", "100%", "%2f", "?#", "it's", "[x]{y}", "a+b&c=d;e", "\\", "$x`y`", "\"",
    "...", "~*!",
  ]
  private static let targets = [
    "a%2fb%C3%bc", "/double//slash/", "a/../b/./c", "a/%2e%2E/b", "{a,b}[1-3]", "a;v=1/@:!$&'()*,=",
    "'",
  ]
  private static let texts = [
    "", " ", "a", "it's", "''", "\"q\"", "$(x) ${y} `z` \\ !1 !!", "-X", "@file",
    "ü 鳥 'e'\u{301}'\u{301}",
    "a\tb", "{[x]}", "a  b;", "***", "%41%s\\n", "a: b", "&& exit 1", "#x", "~", "*", "<'END'",
    "a,b",
  ]
  private static let names = ["X-Odd", "X-odd", "x'y|~!#$", "Link"].compactMap {
    HTTPField.Name($0)
  }
  private static let standardNames: [HTTPField.Name] = [
    .accept, .userAgent, .contentType, .cookie, .cookie, .authorization, .acceptEncoding, .referer,
    .ifNoneMatch, .contentLength, .te,
  ]

  let request: Request<Void>
  private var random: SeededGenerator

  init(number: Int, folder: URL) throws {
    random = SeededGenerator(seed: Fuzz.seed() &+ UInt64(number))
    let method = random.pick(Self.methods)
    var fields: HTTPFields = [Self.numberName: "\(number)"]
    for _ in 0..<random.pick(0...4) {
      let name = random.pick(random.chance(oneIn: 3) ? Self.standardNames : Self.names)
      fields.append(HTTPField(name: name, value: random.pick(Self.texts)))
    }
    if random.chance(oneIn: 10) { fields[.range] = "bytes=1-" }
    var query: Query = [:]
    for _ in 0..<random.pick(0...3) {
      query.items.append(Query.Item(random.pick(Self.texts), random.pick(Self.texts)))
    }
    let path: Path =
      random.chance(oneIn: 3)
      ? "/\(raw: random.pick(Self.targets))"
      : "/\(random.pick(Self.segments))/\(random.pick(Self.segments))"
    let body = try Self.body(number, folder, &random)
    request = Request(
      method, path, query: query, headerFields: fields, body: body, decoding: .discarded)
  }

  private static func body(
    _ number: Int, _ folder: URL, _ random: inout SeededGenerator
  ) throws -> RequestBody {
    let text = (0..<random.pick(1...6)).map { _ in random.pick(texts) }
      .joined(separator: random.pick(["", "\n", "\r\n", "\r"]))
    let type = random.pick(["text/plain", "", "application/x-odd; a=\"'b'\""])
    switch random.pick(0...13) {
    case 0...1: return .none
    case 2: return .data(Data())
    case 3: return .json([text: random.pick(texts)])
    case 4: return .form([text: random.pick(texts), "b": 2])
    case 5...6: return .data(Data(text.utf8), contentType: type)
    case 7: return .data(bytes(random.pick(1...300), &random))
    case 8:
      let long = String(repeating: text + "ü", count: 300_000 / (text.utf8.count + 2))
      return .data(Data(long.utf8), contentType: "text/plain")
    case 9: return .data(bytes(300_000, &random))
    case 10:
      let file = folder.appending(path: "it's $(\(number)) \"ü\"\n -d @x")
      let size = random.chance(oneIn: 4) ? 0 : random.pick(1...5_000)
      try bytes(size, &random).write(to: file)
      return .file(file, contentType: type)
    case 11...12:
      let form = try SeededForm(seed: random.next(), folder: folder)
      let generator = SeededGenerator(seed: random.next())
      return .multipart(form.form, using: generator)
    default:
      let data = bytes(random.pick(1...3_000), &random)
      let length = random.chance(oneIn: 2) ? Int64(data.count) : nil
      return .stream(length: length) { AsyncStream([data]) }
    }
  }

  private static func bytes(_ count: Int, _ random: inout SeededGenerator) -> Data {
    Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
  }
}

extension AsyncStream where Element == Data {
  fileprivate init(_ chunks: [Data]) {
    self.init { stream in
      for chunk in chunks { stream.yield(chunk) }
      stream.finish()
    }
  }
}
