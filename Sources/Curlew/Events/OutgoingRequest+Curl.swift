import Foundation
import HTTPTypes

extension OutgoingRequest {
  /// Returns a `curl` command that sends this request, to paste into a POSIX shell.
  ///
  /// It sends the same method, URL, header fields and body as the client. `Accept-Encoding` is curl's,
  /// unless the request has its own. Curl reads a file from its path. It reads any other body that is not
  /// in memory from the standard input, as the command's first line explains, and also a body with a
  /// `Content-Encoding`, unless secrets are shown. Redirects are not followed.
  ///
  /// - Parameter showsSecrets: Whether the command contains the values that ``redaction`` masks. Otherwise
  ///   each of them is `***`, and must be inserted before a server accepts the request.
  public func curl(showsSecrets: Bool = false) -> String {
    CurlCommand(self, showsSecrets: showsSecrets).description
  }
}

/// A command that sends a request with curl.
struct CurlCommand: CustomStringConvertible {
  /// The body length in bytes above which old versions of curl send `Expect: 100-continue`; new versions do
  /// above one mebibyte.
  private static let waitingLength = 1024
  /// The methods that need no `Content-Length: 0` without a body (RFC 9110 section 8.6).
  private static let methodsWithoutBody: [HTTPRequest.Method] = [
    .get, .head, .delete, .connect, .trace,
  ]

  private let method: HTTPRequest.Method
  private let url: String
  private let fields: HTTPFields
  private let body: CurlBody?
  private let isChunked: Bool
  private let isLong: Bool

  init(_ request: OutgoingRequest, showsSecrets: Bool) {
    let (head, redaction) = (request.head, request.redaction)
    method = head.method
    url = showsSecrets ? request.url : redaction.redacting(url: request.url)
    fields =
      showsSecrets ? head.headerFields : redaction.redacting(head.headerFields, secretsOf: head)
    if let body = request.body, body.length != 0 {
      let type = head.headerFields[.contentType]
      // Secrets in a compressed body can't be found and masked.
      let isHidden = !showsSecrets && head.headerFields[.contentEncoding] != nil
      self.body =
        isHidden
        ? .stream
        : CurlBody(body) {
          showsSecrets ? $0 : redaction.redacting(body: $0, contentType: type, secretsOf: head)
        }
      isChunked = body.length == nil
      isLong = body.length.map { $0 > Self.waitingLength } ?? true
    } else {
      body = Self.methodsWithoutBody.contains(method) ? nil : .text("")
      (isChunked, isLong) = (false, false)
    }
  }

  var description: String {
    let lines =
      [target] + fieldOptions.map { "-H \(ShellWord($0))" } + (body.map { [$0.option] } ?? [])
    return (body?.input ?? "") + lines.joined(separator: " \\\n  ")
  }

  /// The first line: the method and the URL.
  private var target: String {
    var words = ["curl"]
    if method == .head, body == nil {
      words.append("--head")
    } else if method != (body == nil ? .get : .post) {
      words += ["-X", "\(ShellWord(method.rawValue))"]
    }
    // A range refers to encoded bytes, so the encoding must not change.
    if fields[.acceptEncoding] == nil, fields[.range] == nil { words.append("--compressed") }
    if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { words.append("--globoff") }
    if url.contains(/(?i)\/(\.|%2e)/) { words.append("--path-as-is") }
    return (words + ["\(ShellWord(url))"]).joined(separator: " ")
  }

  /// The options for the header fields in order, and for curl's default fields that must be removed.
  private var fieldOptions: [String] {
    // Curl sets the length. Transports send all cookies in one field (RFC 6265 section 5.4).
    var options = fields.filter {
      ![.cookie, .contentLength, .transferEncoding].contains($0.name)
    }.map { Self.option($0.name, $0.value) }
    if let cookies = fields[.cookie] { options.append(Self.option(.cookie, cookies)) }
    if isChunked { options.append(Self.option(.transferEncoding, "chunked")) }
    var own: [HTTPField.Name] = [.accept, .userAgent]
    if body != nil { own.append(.contentType) }
    if isLong { own.append(.expect) }
    return options + own.filter { !fields.contains($0) }.map { "\($0.rawName):" }
  }

  private static func option(_ name: HTTPField.Name, _ value: String) -> String {
    let isEmpty = value.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return isEmpty ? "\(name.rawName);" : "\(name.rawName): \(value)"
  }
}

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

/// A text as one word of a POSIX shell command.
struct ShellWord: CustomStringConvertible {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The text, in single quotes unless no shell interprets any of its characters.
  var description: String {
    if !text.isEmpty, text.utf8.allSatisfy(Self.isPlain) { return text }
    // Within single quotes, only the closing quote is special. The loop is over bytes, because a quotation
    // mark and a following combining accent are one `Character`.
    var bytes = [UInt8(ascii: "'")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "'") { bytes += "'\\''".utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes + "'".utf8, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._/:@%+,".utf8.contains(byte)
    }
  }
}

extension Client {
  /// Returns a `curl` command for the request of an endpoint, to paste into a shell.
  ///
  /// The command contains the request before the client's middlewares, without the fields that they add,
  /// such as tokens and cookies. For the request as it is sent, call
  /// ``OutgoingRequest/curl(showsSecrets:)`` in a middleware.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint, such as a ``Request``.
  ///   - showsSecrets: Whether the command contains the values that the client's ``Redaction`` masks.
  /// - Throws: The ``Client/Error`` of a request that can't be created, such as an encoding error of its
  ///   body.
  public func curl<E: Endpoint>(
    for endpoint: E, showsSecrets: Bool = false
  ) throws(Error) -> String {
    try request(for: endpoint, isObserved: false).curl(showsSecrets: showsSecrets)
  }
}
