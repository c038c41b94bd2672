import CurlewJSON
import Foundation
import Testing

/// Expects that `FastJSONDecoder` decodes a document to the same value as Foundation's decoder, or
/// fails with the same error.
///
/// Each document is decoded twice with the same decoder: whatever it remembers must not matter.
@discardableResult
func expectSame<T: Decodable & Equatable>(
  _ type: T.Type, _ json: Data, sourceLocation: SourceLocation = #_sourceLocation,
  configure: (JSONDecoder) -> Void = { _ in }
) -> Outcome<T> {
  let (foundation, ours) = (JSONDecoder(), FastJSONDecoder())
  configure(foundation)
  configure(ours)
  let expected = Outcome { try foundation.decode(type, from: json) }
  var outcome = Outcome { try ours.decode(type, from: json) }
  for _ in 0..<2 {
    #expect(
      agree(expected, outcome, json),
      "\(shortened(json)) as \(type): Foundation \(expected), ours \(outcome)",
      sourceLocation: sourceLocation)
    outcome = Outcome { try ours.decode(type, from: json) }
  }
  return outcome
}

@discardableResult
func expectSame<T: Decodable & Equatable>(
  _ type: T.Type, _ json: String, sourceLocation: SourceLocation = #_sourceLocation,
  configure: (JSONDecoder) -> Void = { _ in }
) -> Outcome<T> {
  expectSame(
    type, Data(json.utf8), sourceLocation: sourceLocation, configure: configure)
}

/// Expects that both decoders fail, and in the same way.
@discardableResult
func expectSameFailure<T: Decodable & Equatable>(
  _ type: T.Type, _ json: String, sourceLocation: SourceLocation = #_sourceLocation,
  configure: (JSONDecoder) -> Void = { _ in }
) -> Failure? {
  let outcome = expectSame(type, json, sourceLocation: sourceLocation, configure: configure)
  #expect(
    outcome.failure != nil, "\(json) was decoded as \(type)", sourceLocation: sourceLocation)
  return outcome.failure
}

/// Whether two outcomes are the same, the documented exceptions aside.
func agree<T: Equatable>(_ expected: Outcome<T>, _ outcome: Outcome<T>, _ json: Data) -> Bool {
  switch (expected, outcome) {
  case (.value(let expected), .value(let value)): areSame(expected, value)
  case (_, .failure(.notJSON)) where hasTrailingComma(json): true
  case (.failure(let expected), .failure(let failure)): expected == failure
  default: false
  }
}

/// Whether two values are equal; NaN equals NaN, and -0 is not 0.
func areSame<T: Equatable>(_ first: T, _ second: T) -> Bool {
  if let first = first as? any BinaryFloatingPoint { return areSameNumbers(first, second) }
  return first == second || String(reflecting: first) == String(reflecting: second)
}

private func areSameNumbers<N: BinaryFloatingPoint>(_ first: N, _ second: Any) -> Bool {
  guard let second = second as? N else { return false }
  return first.isNaN
    ? second.isNaN
    : first == second && first.sign == second.sign
}

/// Whether a comma stands before a closing bracket, which Foundation accepts against RFC 8259.
func hasTrailingComma(_ json: Data) -> Bool {
  var (isInString, isEscaped, isAfterComma) = (false, false, false)
  for byte in json {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      continue
    }
    switch byte {
    case UInt8(ascii: "]"), UInt8(ascii: "}"): if isAfterComma { return true }
    case UInt8(ascii: "\""): (isInString, isAfterComma) = (true, false)
    case UInt8(ascii: " "), 9, 10, 13: break
    default: isAfterComma = byte == UInt8(ascii: ",")
    }
  }
  return false
}

func shortened(_ json: Data) -> String {
  let text = String(decoding: json.prefix(600), as: UTF8.self).debugDescription
  return json.count > 600 ? "\(text)... (\(json.count) bytes)" : text
}
