import Foundation
import HTTPTypes

extension OutgoingRequest {
  /// Returns a `curl` command that sends this request, to paste into a POSIX shell.
  ///
  /// It sends the same method, URL, header fields and body as the client. `Accept-Encoding` is curl's,
  /// unless the request has its own. Curl reads a file from its path. It reads a body that is not a text in
  /// memory from a file `body` in the current folder, and also a body with a `Content-Encoding`, unless
  /// secrets are shown. Redirects are not followed.
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
  /// The option for the body.
  private let body: String?
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
      let data = (isHidden ? nil : body.data).map {
        showsSecrets ? $0 : redaction.redacting(body: $0, contentType: type, secretsOf: head)
      }
      let file = isHidden ? nil : body.file?.path
      self.body =
        data.flatMap { Self.argument($0) }.map { "--data-raw \(ShellWord($0))" }
        ?? "--data-binary \(ShellWord("@\(file ?? "body")"))"
      isChunked = body.length == nil
      isLong = body.length.map { $0 > Self.waitingLength } ?? true
    } else {
      body = Self.methodsWithoutBody.contains(method) ? nil : "--data-raw ''"
      (isChunked, isLong) = (false, false)
    }
  }

  var description: String {
    let lines = [target] + fieldOptions.map { "-H \(ShellWord($0))" } + (body.map { [$0] } ?? [])
    return lines.joined(separator: " \\\n  ")
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

  /// Returns a body as an argument; `nil` if it is longer than Linux allows (128 KiB) or not a text, or
  /// contains control characters, which terminals interpret.
  private static func argument(_ body: Data) -> String? {
    guard body.count <= 100_000, let text = String(validating: body, as: UTF8.self) else {
      return nil
    }
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) || $0 == "\n"
    }
    return isPlain ? text : nil
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
