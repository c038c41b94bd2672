import Foundation

/// How a curl command gets the body that it sends.
enum CurlBody {
  /// A text that is an argument.
  case text(String)
  /// A text that comes from `printf`, because no argument can have its length, or a terminal would change
  /// it when it is pasted.
  case printed(String)
  /// Bytes that come from `base64`.
  case bytes(Data)
  case file(path: String)
  /// A body that only the program has.
  case stream

  /// Linux limits an argument to 128 KiB.
  private static let longestArgument = 100_000

  /// - Parameter mask: Returns a body's bytes as they may be shown.
  init(_ body: OutgoingBody, mask: (Data) -> Data) {
    if let data = body.data {
      let data = mask(data)
      guard let text = String(validating: data, as: UTF8.self), Self.canBeShown(text) else {
        self = .bytes(data)
        return
      }
      let isPlain =
        data.count <= Self.longestArgument
        && !text.utf8.contains { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") }
      self = isPlain ? .text(text) : .printed(text)
    } else if let file = body.file {
      self = .file(path: file.path)
    } else {
      self = .stream
    }
  }

  /// Whether a text has no control characters, which terminals obey, but white space.
  private static func canBeShown(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) || "\r\n\t".unicodeScalars.contains($0)
    }
  }

  /// Curl's option.
  var option: String {
    switch self {
    case .text(let text): "--data-raw \(ShellWord(text))"
    case .printed, .bytes, .stream: "--data-binary @-"
    case .file(let path): "--data-binary \(ShellWord("@\(path)"))"
    }
  }

  /// What comes before curl; `printf` is part of each shell, so that its argument may be long, and may
  /// begin with a hyphen after `--`.
  var input: String {
    switch self {
    case .printed(let text): "printf -- \(ShellWord(Self.format(of: text))) | "
    case .bytes(let data):
      "base64 -d <<'END' |\n\(Self.lines(of: data))\nEND\n"
    case .text, .file, .stream: ""
    }
  }

  /// What comes before curl: a comment that each shell takes, zsh's prompt, too.
  var note: String {
    guard case .stream = self else { return "" }
    return ": 'curl reads the body from its standard input';\n"
  }

  private static func lines(of data: Data) -> String {
    data.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
  }

  private static func format(of text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
      case "%": result.append(contentsOf: "%%".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
