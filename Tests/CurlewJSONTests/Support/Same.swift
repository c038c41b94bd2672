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
    let isSame =
      agree(expected, outcome, json)
      || isAnyOf(outcome, json) { Outcome { try foundation.decode(type, from: json) } }
    #expect(
      isSame,
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

/// Whether an error is one of those that Foundation's decoder can throw: it goes over the keys of an
/// object in a random order where a type asks for all of them.
func isAnyOf<T: Equatable>(_ outcome: Outcome<T>, _ json: Data, decode: () -> Outcome<T>) -> Bool {
  guard outcome.failure != nil, decode().failure != nil else { return false }
  // The order depends on the addresses of dictionaries: memory of all their sizes is taken, so that
  // the next ones are elsewhere.
  var ballast: [[UInt8]] = []
  for _ in 0..<200 {
    for size in stride(from: 16, through: 1_024, by: 16) {
      for _ in 0..<Int.random(in: 0..<12) { ballast.append(Array(repeating: 0, count: size)) }
    }
    if agree(decode(), outcome, json) { return true }
  }
  return false
}

/// Whether two outcomes are the same, the documented exceptions aside: a comma before a closing
/// bracket, which Foundation accepts, zeros such as `0e1`, of which it takes some for numbers
/// that are too small, and the coding path of what it only calls invalid.
func agree<T: Equatable>(_ expected: Outcome<T>, _ outcome: Outcome<T>, _ json: Data) -> Bool {
  switch (expected, outcome) {
  case (.value(let expected), .value(let value)) where areSame(expected, value): true
  case (_, .failure(.notJSON)) where hasTrailingComma(json): true
  case (.failure(let expected), .failure(let failure)) where expected == failure: true
  case (.failure(.notJSON), .failure(let failure)) where failure.isScalars: true
  default: hasZeroWithExponent(json)
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

/// Whether a zero has an exponent that isn't zero.
func hasZeroWithExponent(_ json: Data) -> Bool {
  String(decoding: json, as: UTF8.self)
    .contains(#/(?:^|[^0-9.])-?0(?:\.0+)?[eE][+-]?0*[1-9]/#)
}

func shortened(_ json: Data) -> String {
  let text = String(decoding: json.prefix(2_000), as: UTF8.self).debugDescription
  return json.count > 2_000 ? "\(text)... (\(json.count) bytes)" : text
}
