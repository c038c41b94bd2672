// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@testable public import Curlew

/// A form with unusual names, file names and contents, determined by its seed.
public struct SeededForm: Sendable {
  /// The expected contents of a parsed part.
  public struct Part: Sendable {
    public let name: String
    public let fileName: String?
    public let contentType: String?
    public let content: Data
  }

  private static let pieces = [
    "a", "photo", " ", "\t", "\"", "\r", "\n", "\r\n", "\r\n\r\n", ";", "=", ",", ":", "'", "\\",
    "%", "%22", "%0D%0A", "--", "--curlew-", "; filename=\"x\"", "\r\nContent-Type: text/html",
    "ü", "e\u{301}", "日本", "👩‍👩‍👧", "\u{0}", "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}", "..", "/", "*",
  ]
  private static let contentTypes = [
    "image/png", "text/plain", "text/plain; charset=utf-8", "application/octet-stream",
    "application/x-odd+json; a=\"b;c\"",
  ]

  public private(set) var parts: [Part] = []
  public private(set) var form = MultipartForm()
  private var random: SeededGenerator
  private let isPlain: Bool

  /// - Parameters:
  ///   - folder: The folder for the form's files.
  ///   - isPlain: Whether fields without a file name contain only texts, names have no backslashes, and streams have a
  ///     length: for parsers with these limitations.
  public init(seed: UInt64, folder: URL, isPlain: Bool = false) throws {
    random = SeededGenerator(seed: seed)
    self.isPlain = isPlain
    for _ in 0..<random.pick(1...6) {
      // Sometimes the previous part's name again.
      let name = parts.last.flatMap { random.chance(oneIn: 5) ? $0.name : nil } ?? makeName()
      try addPart(name, folder)
    }
  }

  private mutating func addPart(_ name: String, _ folder: URL) throws {
    let contentType = random.pick(Self.contentTypes)
    switch random.pick(0...4) {
    case 0:
      let text = makeText()
      add(
        Part(name: name, fileName: nil, contentType: nil, content: Data(text.utf8)),
        text.multipartContents[0])
    case 1:
      let data = isPlain ? Data(makeText().utf8) : makeContent()
      add(
        Part(name: name, fileName: nil, contentType: contentType, content: data),
        .data(data, contentType: contentType))
    case 2:
      let (data, fileName) = (makeContent(), makeName())
      add(
        Part(name: name, fileName: fileName, contentType: contentType, content: data),
        .data(data, contentType: contentType, fileName: fileName))
    case 3:
      let (data, fileName) = (makeContent(), makeName())
      let file = folder.appending(path: "\(parts.count).bin")
      try data.write(to: file)
      add(
        Part(name: name, fileName: fileName, contentType: contentType, content: data),
        .file(file, contentType: contentType, fileName: fileName))
    default:
      let (data, fileName) = (makeContent(), makeName())
      let length = isPlain || random.chance(oneIn: 2) ? Int64(data.count) : nil
      let body = RequestBody.stream(length: length, contentType: contentType) {
        AsyncStream { chunks in
          for byte in data.prefix(3) { chunks.yield(Data([byte])) }
          chunks.yield(data.dropFirst(3))
          chunks.finish()
        }
      }
      add(
        Part(name: name, fileName: fileName, contentType: contentType, content: data),
        .body(body, fileName: fileName))
    }
  }

  private mutating func add(_ part: Part, _ content: MultipartForm.Content) {
    parts.append(part)
    form.parts.append(MultipartForm.Part(part.name, content))
  }

  private mutating func makeText() -> String {
    (0..<random.pick(0...4)).map { _ in random.pick(Self.pieces) }.joined()
  }

  private mutating func makeName() -> String {
    let name = makeText()
    return isPlain ? name.replacing("\\", with: "/") : name
  }

  /// Returns no bytes, random bytes, or bytes that resemble the form's own syntax.
  private mutating func makeContent() -> Data {
    switch random.pick(0...5) {
    case 0: Data()
    case 1: Data(makeText().utf8)
    case 2: Data("\r\n--curlew-\(makeText())--\r\n\r\n--".utf8)
    case 3 where random.chance(oneIn: 10): bytes(random.pick(60_000...300_000))
    default: bytes(random.pick(1...400))
    }
  }

  private mutating func bytes(_ count: Int) -> Data {
    Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
  }
}
