import Foundation

extension DecodingError {
  /// `JSONDecoder`'s error for invalid JSON.
  static let invalidJSON = DecodingError.dataCorrupted(
    DecodingError.Context(
      codingPath: [], debugDescription: "The given data was not valid JSON."))
}

extension TapeDecoder {
  /// Creates the error for an unsuitable value.
  func malformed(
    _ reason: String, _ number: UnfitNumber? = nil, at path: [any CodingKey]
  ) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(codingPath: path, debugDescription: reason, underlyingError: number))
  }

  /// Creates the error for malformed JSON.
  func malformed(_ fault: JSONFault, at path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: path, debugDescription: "The given data was not valid JSON.",
        underlyingError: fault))
  }

  /// Creates the error for a value that can't be read as a string.
  func stringFailure(at index: Int, _ path: [any CodingKey]) -> DecodingError {
    if let error = nullFailure(String.self, at: index, path) { return error }
    let word = tape.pointee[index]
    return word.isString
      ? malformed(tape.pointee.stringFault(at: word.offset), at: path)
      : mismatch(String.self, at: index, path)
  }

  /// Creates the error for a value that can't be read as a number.
  func numberFailure(
    _ type: any Any.Type, at index: Int, _ path: [any CodingKey]
  ) -> DecodingError {
    if let error = nullFailure(type, at: index, path) { return error }
    let word = tape.pointee[index]
    let isInteger = word.kind == Word.Kind.integer
    guard isInteger || word.kind == Word.Kind.number else {
      guard type == Decimal.self else { return mismatch(type, at: index, path) }
      return .typeMismatch(type, DecodingError.Context(codingPath: path, debugDescription: ""))
    }
    guard isInteger || tape.pointee.number(word) != nil else {
      return malformed(
        tape.pointee.fault(at: word.offset, "the number is malformed."), at: path)
    }
    let text = tape.pointee.text(word)
    return malformed(
      "Number \(text) is not representable in Swift.", UnfitNumber(text: text), at: path)
  }

  /// Creates the error for a null in place of a value.
  ///
  /// - Parameter name: The description of the expected value; by default a value of the type.
  func nullFailure(
    _ type: any Any.Type, _ name: String? = nil, at index: Int,
    _ path: @autoclosure () -> [any CodingKey]
  ) -> DecodingError? {
    guard tape.pointee[index].kind == Word.Kind.null else { return nil }
    let text = "Cannot get \(name ?? "value of type \(type)") -- found null value instead"
    return .valueNotFound(type, DecodingError.Context(codingPath: path(), debugDescription: text))
  }

  /// Creates the error for a value of the wrong kind.
  func mismatch(
    _ type: any Any.Type, at index: Int, _ path: [any CodingKey]
  ) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: path,
        debugDescription:
          "Expected to decode \(type) but found \(tape.pointee[index].name) instead."))
  }

  /// Creates the error for a value without the requested container.
  func containerFailure(
    _ type: any Any.Type, _ name: String, at index: Int, _ path: [any CodingKey]
  ) -> DecodingError {
    nullFailure(type, "\(name) decoding container", at: index, path)
      ?? mismatch(type, at: index, path)
  }
}

extension Word {
  /// The kind of the value, as in Foundation's errors.
  fileprivate var name: String {
    switch kind {
    case Kind.null: "null"
    case Kind.no, Kind.yes: "bool"
    case Kind.integer, Kind.number: "number"
    case Kind.ascii, Kind.utf8, Kind.escaped: "a string"
    case Kind.array: "an array"
    default: "a dictionary"
    }
  }
}
