import Curlew
import CurlewJSON
import Foundation

/// A request's body in a form for comparison with recorded bodies.
///
/// The order of JSON members, the spaces between JSON values, the order of a form's fields with different names, and
/// the boundary of a form with files make no difference. Members and fields with secret names are masked. A mask of
/// a recorded body stands for any text: a recorder masks the secrets of all requests everywhere.
struct RecordedBody {
  private static let mask = Array(Redaction.mask.utf8)

  private let bytes: [UInt8]
  private let value: Value?

  /// - Parameter contentType: The media type of the body that is sent, for recorded bodies, too.
  init(_ data: Data, contentType: String?, redaction: Redaction) {
    let type = contentType.flatMap { MediaType($0) }
    var data = data
    if type?.type == "multipart", let boundary = type?.parameters["boundary"] {
      // `--boundary` is the first line.
      let first = Data(data.prefix { $0 != 0x0D && $0 != 0x0A }.dropFirst(2))
      if !first.isEmpty {
        data = Data([UInt8](data).replacing([UInt8](first), with: boundary.utf8))
      }
    }
    data = redaction.maskingNamedValues(in: data, contentType: contentType).body
    bytes = [UInt8](data)
    if type?.subtype == "x-www-form-urlencoded" {
      value = .fields(of: String(decoding: data, as: UTF8.self))
    } else {
      let start = data.first { $0 > 0x20 }
      let isJSON = start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
      value = isJSON ? try? FastJSONDecoder().decode(Value.self, from: data) : nil
    }
  }

  /// Returns whether this body is equal to a recorded body.
  ///
  /// - Parameter isCut: Whether only the beginning of the recorded body is recorded.
  func isEqual(to recorded: RecordedBody, isCut: Bool) -> Bool {
    if let value, let other = recorded.value { return other.matches(value) }
    return Self.matches(bytes, recorded.bytes, isCut: isCut)
  }

  /// Returns the number of members or fields that this body shares with a recorded body.
  func sharedMembers(with recorded: RecordedBody) -> Int {
    guard case .object(let members)? = value, case .object(let others)? = recorded.value else {
      return bytes == recorded.bytes ? 1 : 0
    }
    return others.count { name, other in members[name].map { other.matches($0) } ?? false }
  }

  private static func matches(_ text: [UInt8], _ recorded: [UInt8], isCut: Bool) -> Bool {
    var parts = recorded.split(separator: mask, omittingEmptySubsequences: false)
    let end = isCut || parts.count == 1 ? [] : parts.removeLast()
    guard text.starts(with: parts[0]) else { return false }
    var rest = text.dropFirst(parts[0].count)
    guard recorded.count > parts[0].count || isCut else { return rest.isEmpty }
    for part in parts.dropFirst() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.count >= end.count && rest.suffix(end.count).elementsEqual(end)
  }
}

extension RecordedBody {
  /// A JSON value, or the fields of a form: an object of lists.
  private enum Value: Decodable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([Value])
    case object([String: Value])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let number = try? container.decode(Int64.self) {
        self = .integer(number)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let bool = try? container.decode(Bool.self) {
        self = .bool(bool)
      } else if let members = try? container.decode([String: Value].self) {
        self = .object(members)
      } else if let elements = try? container.decode([Value].self) {
        self = .list(elements)
      } else {
        self = .null
      }
    }

    static func fields(of form: String) -> Value {
      func decoded(_ text: Substring) -> String {
        String(decoding: PercentEncoding.decoded(text, plusIsSpace: true), as: UTF8.self)
      }
      let fields = form.split(separator: "&").map { field in
        let name = field.prefix { $0 != "=" }
        return (decoded(name), Value.text(decoded(field[name.endIndex...].dropFirst())))
      }
      return .object(Dictionary(grouping: fields, by: \.0).mapValues { .list($0.map(\.1)) })
    }

    /// Returns whether a value of a request is equal to this recorded value.
    func matches(_ other: Value) -> Bool {
      switch (self, other) {
      case (.null, .null): true
      case (.bool(let one), .bool(let other)): one == other
      case (.integer(let one), .integer(let other)): one == other
      case (.number(let one), .number(let other)): one == other
      case (.text(Redaction.mask), _): true
      case (.text(let one), .text(let other)):
        RecordedBody.matches(Array(other.utf8), Array(one.utf8), isCut: false)
      case (.list(let one), .list(let other)):
        one.count == other.count && zip(one, other).allSatisfy { $0.matches($1) }
      case (.object(let one), .object(let other)):
        one.count == other.count
          && one.allSatisfy { name, value in other[name].map { value.matches($0) } ?? false }
      default: false
      }
    }
  }
}
