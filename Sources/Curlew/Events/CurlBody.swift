import Foundation

/// The source of a request body in a curl command.
enum CurlBody {
  /// A text, as a command-line argument.
  case text(String)
  /// Bytes that `base64` decodes: they are invalid in an argument, or a terminal would change them when
  /// they are pasted.
  case bytes(Data)
  case file(path: String)
  /// A body that exists only in the program.
  case stream

  /// The maximum length of an argument in bytes: Linux limits an argument to 128 KiB.
  private static let longestArgument = 100_000

  /// - Parameter mask: Returns a body's bytes with secrets masked.
  init(_ body: OutgoingBody, mask: (Data) -> Data) {
    guard let data = body.data.map(mask) else {
      self = body.file.map { .file(path: $0.path) } ?? .stream
      return
    }
    let text = String(validating: data, as: UTF8.self)
    // Terminals interpret control characters.
    let isPlain = text?.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) || $0 == "\n"
    }
    self =
      text.flatMap { isPlain == true && data.count <= Self.longestArgument ? .text($0) : nil }
      ?? .bytes(data)
  }

  /// The command's option for the body.
  var option: String {
    switch self {
    case .text(let text): "--data-raw \(ShellWord(text))"
    case .bytes, .stream: "--data-binary @-"
    case .file(let path): "--data-binary \(ShellWord("@\(path)"))"
    }
  }

  /// The text before `curl`.
  var input: String {
    switch self {
    case .bytes(let data):
      "base64 -d <<'END' |\n"
        + data.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
        + "\nEND\n"
    // A comment that every shell accepts, including zsh in interactive mode.
    case .stream: ": 'curl reads the body from its standard input';\n"
    case .text, .file: ""
    }
  }
}
