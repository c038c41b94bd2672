import Curlew
import Foundation
import HTTPTypes

/// The encoding of a stored response's head and key in a row.
///
/// It preserves names, values and their order. It takes microseconds, a tenth of JSON's time.
enum HeadCoding {
  static func encode(_ response: StoredResponse, _ key: CacheKey) -> Data {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    withUnsafeBytes(of: response.id.uuid) { bytes.append(contentsOf: $0) }
    let flags: UInt32 =
      (response.isDecoded ? 1 : 0) | (key.account == nil ? 0 : 2) | (response.isOutdated ? 4 : 0)
    append(flags, to: &bytes)
    append(UInt32(response.head.status.code), to: &bytes)
    append(response.requestTime.timeIntervalSinceReferenceDate.bitPattern, to: &bytes)
    append(response.responseTime.timeIntervalSinceReferenceDate.bitPattern, to: &bytes)
    append(key.account ?? "", to: &bytes)
    append(key.url, to: &bytes)
    append(response.head.status.reasonPhrase, to: &bytes)
    append(UInt32(response.variant.count), to: &bytes)
    for (name, value) in response.variant {
      append(name, to: &bytes)
      append(value, to: &bytes)
    }
    append(UInt32(response.head.headerFields.count), to: &bytes)
    for field in response.head.headerFields {
      append(field.name.rawName, to: &bytes)
      field.withUnsafeBytesOfValue { value in
        append(UInt32(value.count), to: &bytes)
        bytes.append(contentsOf: value)
      }
    }
    return Data(bytes)
  }

  /// Returns the decoded head and key; `nil` if the bytes are damaged.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, bodySize: Int64
  ) -> (response: StoredResponse, key: CacheKey)? {
    var reader = Reader(bytes)
    guard let id = reader.number(UUIDBytes.self), let flags = reader.number(UInt32.self),
      let status = reader.number(UInt32.self), status <= 999,
      let requestTime = reader.number(UInt64.self), let responseTime = reader.number(UInt64.self),
      let account = reader.text(), let url = reader.text(), let reason = reader.text(),
      let variants = reader.number(UInt32.self)
    else { return nil }
    var variant: [String: String] = [:]
    for _ in 0..<variants {
      guard let name = reader.text(), let value = reader.text() else { return nil }
      variant[name] = value
    }
    guard let count = reader.number(UInt32.self) else { return nil }
    var fields = HTTPFields()
    for _ in 0..<count {
      guard let name = reader.text().flatMap({ HTTPField.Name($0) }), let value = reader.bytes()
      else { return nil }
      fields.append(HTTPField(name: name, lenientValue: value))
    }
    guard reader.isAtEnd else { return nil }
    let head = HTTPResponse(
      status: .init(code: Int(status), reasonPhrase: reason), headerFields: fields)
    var response = StoredResponse(
      id: UUID(uuid: id), variant: variant, head: head, requestTime: date(requestTime),
      responseTime: date(responseTime), bodySize: bodySize, isDecoded: flags & 1 == 1)
    response.isOutdated = flags & 4 != 0
    return (
      response,
      CacheKey(account: flags & 2 == 0 ? nil : account, url: url)
    )
  }

  private typealias UUIDBytes = uuid_t

  private static func date(_ bits: UInt64) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    append(UInt32(text.utf8.count), to: &bytes)
    bytes.append(contentsOf: text.utf8)
  }

  /// Reads possibly damaged bytes.
  private struct Reader {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number<Number: BitwiseCopyable>(_ type: Number.Type) -> Number? {
      let size = MemoryLayout<Number>.size
      guard rest.count >= size else { return nil }
      defer { rest = rest.dropFirst(size) }
      return UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: type)
    }

    mutating func bytes() -> UnsafeRawBufferPointer? {
      guard let count = number(UInt32.self), rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(Int(count)) }
      return UnsafeRawBufferPointer(rebasing: rest.prefix(Int(count)))
    }

    mutating func text() -> String? { bytes().map { String(decoding: $0, as: UTF8.self) } }
  }
}
