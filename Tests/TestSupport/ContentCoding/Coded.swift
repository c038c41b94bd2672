// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CCurlewZlib
import CurlewAsyncHTTPClient
public import CurlewFaultServer
public import Foundation
public import Testing

/// Compression formats of a body, each with its name in `Content-Encoding`.
public enum Coded: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case gzip, zlib, bareDeflate, brotli, zstandard

  public static let inZlib: [Coded] = [.gzip, .zlib, .bareDeflate]

  /// The formats that this build decodes: Brotli and Zstandard need the system's libraries, which CI has.
  public static let allCases =
    inZlib + [.brotli, .zstandard].filter { ContentCoding(rawValue: $0.name) != nil }

  public var testDescription: String { rawValue }

  public var name: String {
    switch self {
    case .gzip: "gzip"
    case .zlib, .bareDeflate: "deflate"
    case .brotli: "br"
    case .zstandard: "zstd"
    }
  }

  private var windowBits: Int32 {
    switch self {
    case .gzip: 31
    case .zlib: 15
    default: -15
    }
  }

  /// The number of checksum bytes at the end.
  public var checksumLength: Int {
    switch self {
    case .gzip: 8
    case .zlib, .zstandard: 4
    case .bareDeflate, .brotli: 0
    }
  }

  /// Whether damage is detected.
  ///
  /// Bare DEFLATE has no checksum; the zlib format without its header is parsed as bare DEFLATE.
  public func isChecked(_ damaged: Data, of body: Data) -> Bool {
    switch self {
    case .gzip: true
    case .zlib: damaged.prefix(2) == body.prefix(2)
    // The header says whether there is a checksum, and whether the frame is skipped.
    case .zstandard: damaged.prefix(5) == body.prefix(5)
    case .bareDeflate, .brotli: false
    }
  }

  /// Compresses a whole body at once.
  public func body(of data: Data, level: Int32 = 9) throws -> Data {
    switch self {
    case .brotli: try SystemEncoder.brotli(data, level)
    case .zstandard: try SystemEncoder.zstandard(data, level)
    default: try deflated(data, level)
    }
  }

  private func deflated(_ data: Data, _ level: Int32) throws -> Data {
    var stream = z_stream()
    try #require(curlew_deflateInit(&stream, level, windowBits) == Z_OK)
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(data.count))))
    let result = data.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { output in
        curlew_setBuffers(
          &stream, input.baseAddress, input.count, output.baseAddress, output.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    try #require(result == Z_STREAM_END)
    return Data(output.prefix(Int(stream.total_out)))
  }

  public func body(of text: String) throws -> Data { try body(of: Data(text.utf8)) }
}

/// How a body's length is delimited.
public enum Framing: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case length, chunked, closing

  public var testDescription: String { rawValue }
}

extension Exchange {
  /// Responds with a coded body, in pieces of `size` bytes; in one piece by default.
  public func respond(
    _ status: Int = 200, coding: String, fields: String = "", _ body: Data,
    _ framing: Framing = .length, by size: Int = .max
  ) async throws {
    let length =
      switch framing {
      case .length: "Content-Length: \(body.count)\r\n"
      case .chunked: "Transfer-Encoding: chunked\r\n"
      case .closing: "Connection: close\r\n"
      }
    try await write(
      "HTTP/1.1 \(status) Status\r\nContent-Encoding: \(coding)\r\n\(fields)\(length)\r\n")
    var rest = body
    while !rest.isEmpty {
      let piece = rest.prefix(size)
      rest = rest.dropFirst(piece.count)
      guard framing == .chunked else {
        try await write(Data(piece))
        continue
      }
      let count = String(piece.count, radix: 16)
      try await write(Data("\(count)\r\n".utf8) + piece + Data("\r\n".utf8))
    }
    switch framing {
    case .length: break
    case .chunked: try await write("0\r\n\r\n")
    case .closing: try await close()
    }
  }
}

/// Sample data for compression.
public enum CodedSample: Sendable {
  public static let text = #"{"name":"curlew","calls":["cur-lee","cur-lee","cur-lee","cur-lee"]}"#

  /// Returns text that compresses to about a quarter.
  public static func lines(_ count: Int) -> Data {
    Data((0..<count).map { "\($0): \($0 &* 2_654_435_761 % 1_000_003) curlews\n" }.joined().utf8)
  }
}
