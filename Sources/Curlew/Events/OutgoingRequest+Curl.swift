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
