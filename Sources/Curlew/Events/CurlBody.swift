import Foundation

/// How a curl command gets the body that it sends.
enum CurlBody {
  /// A text that is an argument.
  case text(String)
  /// Bytes that come from `base64`: no argument can have them, or a terminal would change them when they
  /// are pasted.
  case bytes(Data)
  case file(path: String)
  /// A body that only the program has.
  case stream

  /// Linux limits an argument to 128 KiB.
  private static let longestArgument = 100_000

  /// - Parameter mask: Returns a body's bytes as they may be shown.
  init(_ body: OutgoingBody, mask: (Data) -> Data) {
    guard let data = body.data.map(mask) else {
      self = body.file.map { .file(path: $0.path) } ?? .stream
      return
    }
    let text = String(validating: data, as: UTF8.self)
    // Terminals obey control characters.
    let isPlain = text?.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) || $0 == "\n"
    }
    self =
      text.flatMap { isPlain == true && data.count <= Self.longestArgument ? .text($0) : nil }
      ?? .bytes(data)
  }

  /// Curl's option.
  var option: String {
    switch self {
    case .text(let text): "--data-raw \(ShellWord(text))"
    case .bytes, .stream: "--data-binary @-"
    case .file(let path): "--data-binary \(ShellWord("@\(path)"))"
    }
  }

  /// What comes before curl.
  var input: String {
    switch self {
    case .bytes(let data):
      "base64 -d <<'END' |\n"
        + data.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
        + "\nEND\n"
    // A comment that each shell takes, zsh's prompt, too.
    case .stream: ": 'curl reads the body from its standard input';\n"
    case .text, .file: ""
    }
  }
}
