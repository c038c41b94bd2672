import CCurlewLiveAssets
import Foundation
import HTTPTypes
public import Hummingbird
import NIOCore

/// A static file that pages refer to, such as a script, a stylesheet or an icon.
///
/// Its path contains a fingerprint of its content, so browsers can cache it permanently: a changed
/// file has another path.
public struct LiveAsset: Sendable {
  /// A coding of the content, with its own strong entity tag (RFC 9110 section 8.8.3).
  private struct Representation {
    let tag: String
    let bytes: ByteBuffer
  }

  /// The path of the asset: `/assets/live.1f3c….js`.
  public let path: String
  private let plain: Representation
  private let gzip: Representation?
  private let contentType: String

  /// Creates an asset from a file's name and content; the content is compressed here, once.
  public init(named name: String, bytes: [UInt8], contentType: String) {
    let fingerprint = Self.fingerprint(bytes)
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    path = "/assets/\(name[..<dot]).\(fingerprint)\(name[dot...])"
    plain = Representation(tag: "\"\(fingerprint)\"", bytes: ByteBuffer(bytes: bytes))
    gzip = Gzip.whole(plain.bytes).map {
      Representation(tag: "\"\(fingerprint)-gzip\"", bytes: $0)
    }
    self.contentType = contentType
  }

  /// Returns a fingerprint that is the same in every process: an FNV-1a hash in hexadecimal digits, which is sufficient
  /// to distinguish versions.
  static func fingerprint(_ bytes: some Sequence<UInt8>) -> String {
    String(
      bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 },
      radix: 16)
  }

  /// The script that makes pages live.
  public static let script = LiveAsset(
    named: "live.js", bytes: scriptBytes, contentType: "text/javascript; charset=utf-8")

  /// The files in `Assets` as one script, whose names other scripts can't access.
  private static let scriptBytes: [UInt8] = {
    let names = ScriptNames(ScriptTokens(bytes(of: curlew_live_script())).tokens)
    return Array("\"use strict\";(()=>{\(names.tokens.packed)})();\n".utf8)
  }()

  /// Returns the bytes of an embedded file.
  static func bytes(of file: CurlewLiveAsset) -> [UInt8] {
    Array(UnsafeBufferPointer(start: file.start, count: file.count))
  }

  /// Returns the code of files without comments and needless white space.
  ///
  /// A regular expression's literal must not follow a parenthesis.
  public static func script(of files: [[UInt8]]) -> [UInt8] {
    let code = Array(files.joined(separator: [UInt8(ascii: "\n")]))
    return Array((ScriptTokens(code).tokens.packed + "\n").utf8)
  }

  fileprivate func response(to request: Request) -> Response {
    let compressed = AcceptEncoding(request.headers[.acceptEncoding]).acceptsGzip ? gzip : nil
    let content = compressed ?? plain
    var fields: HTTPFields = [
      .eTag: content.tag, .cacheControl: "public, max-age=31536000, immutable",
    ]
    if gzip != nil { fields[.vary] = "Accept-Encoding" }
    if IfNoneMatch(request.headers[.ifNoneMatch]).matches(content.tag) {
      return Response(status: .notModified, headers: fields)
    }
    fields[.contentType] = contentType
    fields[.xContentTypeOptions] = "nosniff"
    if compressed != nil { fields[.contentEncoding] = "gzip" }
    return Response(
      status: .ok, headers: fields, body: ResponseBody(byteBuffer: content.bytes))
  }
}

extension Router {
  /// Serves an asset at its path.
  public func add(_ asset: LiveAsset) {
    get(RouterPath(asset.path)) { request, _ in asset.response(to: request) }
    head(RouterPath(asset.path)) { request, _ in asset.response(to: request).createHeadResponse() }
  }
}
