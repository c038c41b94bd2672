import Foundation

/// The result of decoding a document, as far as both decoders must agree.
enum Outcome<Value> {
  case value(Value)
  case failure(Failure)

  init(_ decode: () throws -> Value) {
    do { self = .value(try decode()) } catch { self = .failure(Failure(error)) }
  }

  var value: Value? {
    guard case .value(let value) = self else { return nil }
    return value
  }

  var failure: Failure? {
    guard case .failure(let failure) = self else { return nil }
    return failure
  }
}

/// A decoder's error: its kind, coding path and text, and the key or type that it concerns.
struct Failure: Equatable, Sendable, CustomStringConvertible {
  enum Kind: Equatable, Sendable { case mismatch, noValue, noKey, corrupted, other }

  /// The failure for invalid JSON; in Foundation also for malformed numbers or strings.
  static let notJSON = Failure(
    kind: .corrupted, path: [], text: "The given data was not valid JSON.")

  /// Returns the failure for a number that doesn't fit, with its coding path.
  static func unfit(_ number: String, at path: [String] = []) -> Failure {
    Failure(
      kind: .corrupted, path: path, text: "Number \(number) is not representable in Swift.")
  }

  /// Whether this is the failure of a malformed string or number, or of a number that doesn't fit.
  var isScalars: Bool {
    kind == .corrupted
      && (text == Self.notJSON.text
        || text.hasPrefix("Number ") && text.hasSuffix(" is not representable in Swift."))
  }

  var kind: Kind
  var path: [String]
  var text: String
  var subject = ""

  init(kind: Kind, path: [String], text: String, subject: String = "") {
    (self.kind, self.path, self.text, self.subject) = (kind, path, text, subject)
  }

  init(_ error: any Error) {
    switch error {
    case DecodingError.typeMismatch(let type, let context):
      self.init(.mismatch, context, String(reflecting: type))
    case DecodingError.valueNotFound(let type, let context):
      self.init(.noValue, context, String(reflecting: type))
    case DecodingError.keyNotFound(let key, let context):
      self.init(.noKey, context, "\(type(of: key)) \(Self.describe(key))")
    case DecodingError.dataCorrupted(let context):
      self.init(.corrupted, context, "")
    default:
      self.init(kind: .other, path: [], text: String(reflecting: error))
    }
  }

  private init(_ kind: Kind, _ context: DecodingError.Context, _ subject: String) {
    self.init(
      kind: kind, path: context.codingPath.map(Self.describe), text: context.debugDescription,
      subject: subject)
  }

  /// Returns a description by which keys are compared: names are compared byte by byte.
  static func describe(_ key: any CodingKey) -> String {
    let name = key.stringValue.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    return key.intValue.map { "\(name)#\($0)" } ?? name
  }

  var description: String {
    "\(kind) at [\(path.joined(separator: ", "))] \(subject): \(text)"
  }
}

extension Outcome: CustomStringConvertible {
  var description: String {
    switch self {
    case .value(let value): "value \(String(String(reflecting: value).prefix(400)))"
    case .failure(let failure): String(failure.description.prefix(400))
    }
  }
}
