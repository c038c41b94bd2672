import CurlewJSON
import Foundation
import Testing

/// A document as text or data.
protocol JSONDocument { var data: Data { get } }
extension String: JSONDocument { var data: Data { Data(utf8) } }
extension Data: JSONDocument { var data: Data { self } }

/// Expects that `FastJSONDecoder` decodes a document to the same value as Foundation's decoder, or throws the same
/// error.
///
/// Each document is decoded twice with the same decoder, so that its caches are tested.
@discardableResult
func expectSame<T: Decodable & Equatable>(
  _ type: T.Type, _ json: some JSONDocument, sourceLocation: SourceLocation = #_sourceLocation,
  configure: (JSONDecoder) -> Void = { _ in }
) -> Outcome<T> {
  let comparison = Comparison(type, json.data, times: 2, configure)
  #expect(comparison.difference == nil, sourceLocation: sourceLocation)
  return comparison.outcome
}

/// Expects the same result with several types.
func expectSame(
  asEachOf types: [any (Decodable & Equatable).Type], _ json: some JSONDocument,
  sourceLocation: SourceLocation = #_sourceLocation, configure: (JSONDecoder) -> Void = { _ in }
) {
  func check<T: Decodable & Equatable>(_ type: T.Type) {
    expectSame(type, json, sourceLocation: sourceLocation, configure: configure)
  }
  for type in types { check(type) }
}

/// Expects the same results for texts that may be values of some types, at the top level and in all kinds of
/// containers.
func expectSameAnywhere(
  _ types: any (Decodable & Equatable).Type..., in texts: [String],
  sourceLocation: SourceLocation = #_sourceLocation, configure: (JSONDecoder) -> Void = { _ in }
) {
  func check<T: Decodable & Equatable>(_ type: T.Type, _ text: String) {
    let documents: [(any (Decodable & Equatable).Type, String)] = [
      (type, text), ([T].self, "[\(text),\(text)]"), ([T?].self, "[null, \(text) ]"),
      (Holder<T>.self, "{\"v\":\(text)}"), ([Maybe<T>].self, "[{\"v\": \(text) , \"w\": 1}]"),
      (Maybe<[T]>.self, "{\"v\": [\(text)]}"), ([String: T].self, "{\"k\":\(text)}"),
      ([String: [[T?]]].self, "{\"k\":[[null,\(text)]]}"),
      (Holder<Holder<T?>>.self, "{\"v\":{\"v\":\(text)}}"),
    ]
    for (type, json) in documents {
      expectSame(asEachOf: [type], json, sourceLocation: sourceLocation, configure: configure)
    }
  }
  for type in types { for text in texts { check(type, text) } }
}

/// Expects that both decoders fail with the same error.
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

/// A comparison of both decoders for a document.
struct Comparison<T: Decodable & Equatable> {
  /// The result of `FastJSONDecoder`.
  let outcome: Outcome<T>
  /// A description of both results if they differ.
  private(set) var difference: String?

  /// - Parameter times: How often the same `FastJSONDecoder` decodes the document.
  init(
    _ type: T.Type, _ json: Data, times: Int = 1, _ configure: (JSONDecoder) -> Void = { _ in }
  ) {
    let (foundation, ours) = (JSONDecoder(), FastJSONDecoder())
    configure(foundation)
    configure(ours)
    let expected = Outcome { try foundation.decode(type, from: json) }
    let outcomes = (0..<times).map { _ in Outcome { try ours.decode(type, from: json) } }
    outcome = outcomes[times - 1]
    let other = outcomes.first { outcome in
      !agree(expected, outcome, json)
        && !isAnyOf(outcome, json) { Outcome { try foundation.decode(type, from: json) } }
    }
    difference = other.map {
      "\(shortened(json)) as \(type): Foundation \(expected), ours \($0)"
    }
  }
}

/// Returns whether an error is among Foundation's possible errors, which depend on a random order of keys if a type
/// decodes all keys of an object.
private func isAnyOf<T: Equatable>(
  _ outcome: Outcome<T>, _ json: Data, decode: () -> Outcome<T>
) -> Bool {
  guard outcome.failure != nil, decode().failure != nil else { return false }
  // The order depends on the addresses of dictionaries: allocating memory of all their sizes changes the addresses.
  var ballast: [[UInt8]] = []
  for _ in 0..<200 {
    for size in stride(from: 16, through: 1_024, by: 16) {
      for _ in 0..<Int.random(in: 0..<12) { ballast.append(Array(repeating: 0, count: size)) }
    }
    if agree(decode(), outcome, json) { return true }
  }
  return false
}

/// Returns whether two outcomes are the same, except for documented differences: trailing commas, which Foundation
/// accepts; zeros such as `0e1`, some of which Foundation considers too small; and the coding path of errors that
/// Foundation only reports as invalid JSON.
func agree<T: Equatable>(_ expected: Outcome<T>, _ outcome: Outcome<T>, _ json: Data) -> Bool {
  switch (expected, outcome) {
  case (.value(let expected), .value(let value)) where areSame(expected, value): true
  case (.failure(let expected), .failure(let failure)) where expected == failure: true
  case (.failure(.notJSON), .failure(let failure)) where failure.isScalars: true
  case (_, .failure(.notJSON)) where hasTrailingComma(json): true
  default: hasZeroWithExponent(json)
  }
}

/// Returns whether two values are equal; NaN equals NaN, and -0 differs from 0.
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

/// Returns whether the text has a trailing comma, which Foundation accepts against RFC 8259.
private func hasTrailingComma(_ json: Data) -> Bool {
  String(decoding: json, as: UTF8.self)
    .replacing(#/"(?s:[^"\\]|\\.)*"/#.matchingSemantics(.unicodeScalar), with: "\"\"")
    .contains(#/,[ \t\r\n]*[\]}]/#.matchingSemantics(.unicodeScalar))
}

/// Returns whether a zero has a nonzero exponent.
private func hasZeroWithExponent(_ json: Data) -> Bool {
  String(decoding: json, as: UTF8.self)
    .contains(#/(?:^|[^0-9.])-?0(?:\.0+)?[eE][+-]?0*[1-9]/#)
}

func shortened(_ json: Data) -> String {
  let text = String(decoding: json.prefix(2_000), as: UTF8.self).debugDescription
  return json.count > 2_000 ? "\(text)... (\(json.count) bytes)" : text
}

/// The settings of most clients.
func snakeCase(_ decoder: JSONDecoder) { decoder.keyDecodingStrategy = .convertFromSnakeCase }
func iso8601(_ decoder: JSONDecoder) { decoder.dateDecodingStrategy = .iso8601 }

extension String {
  func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}

extension Array {
  /// All permutations of the elements.
  var permutations: [[Element]] {
    guard count > 1 else { return [self] }
    return indices.flatMap { index in
      var rest = self
      let first = rest.remove(at: index)
      return rest.permutations.map { [first] + $0 }
    }
  }
}

extension Sequence<String> {
  /// The texts joined as the members of an object, or the elements of an array.
  var object: String { "{\(joined(separator: ","))}" }
  var array: String { "[\(joined(separator: ","))]" }
}
