import Foundation

extension TapeDecoder {
  /// Decodes a date, data, a URL or a decimal number with the decoder's strategies.
  ///
  /// - Parameter outer: The node of the enclosing value.
  @inline(never)
  func special<Value: Decodable>(_ type: Value.Type, _ index: Int, _ outer: Int32) throws -> Value {
    if let error = nullFailure(type, at: index, codingPath) { throw error }
    // Each comparison ensures that the types are the same.
    if type == Date.self { return unsafeBitCast(try date(at: index, outer), to: type) }
    if type == Data.self { return unsafeBitCast(try data(at: index), to: type) }
    if type == URL.self { return unsafeBitCast(try url(at: index), to: type) }
    guard let decimal = tape.pointee.decimal(at: index) else {
      throw numberFailure(Decimal.self, at: index, codingPath)
    }
    return unsafeBitCast(decimal, to: type)
  }

  private func date(at index: Int, _ outer: Int32) throws -> Date {
    switch settings.dates {
    case .deferredToDate: return try Date(from: self)
    case .secondsSince1970: return Date(timeIntervalSince1970: try decode(Double.self))
    case .millisecondsSince1970:
      return Date(timeIntervalSince1970: try decode(Double.self) / 1_000)
    case .iso8601:
      if let date = tape.pointee.internetDate(at: index) { return date }
      let text = try decode(String.self)
      guard let date = try? Date.ISO8601FormatStyle().parse(text) else {
        // Foundation's error has the path of the enclosing value.
        throw malformed(
          "Expected date string to be ISO8601-formatted.", at: codingPath(to: outer))
      }
      return date
    #if canImport(Darwin)
      case .formatted(let formatter):
        let text = try decode(String.self)
        guard let date = formatter.date(from: text) else {
          throw malformed(
            "Date string does not match format expected by formatter.", at: codingPath)
        }
        return date
    #endif
    case .custom(let decode): return try decode(self)
    @unknown default: return try Date(from: self)
    }
  }

  private func data(at index: Int) throws -> Data {
    switch settings.data {
    case .deferredToData: return try Data(from: self)
    case .custom(let decode): return try decode(self)
    default: break
    }
    guard tape.pointee[index].isString else {
      throw mismatch(String.self, at: index, codingPath)
    }
    guard let data = Data(base64Encoded: try decode(String.self)) else {
      throw malformed("Encountered Data is not valid Base64.", at: codingPath)
    }
    return data
  }

  private func url(at index: Int) throws -> URL {
    guard let url = URL(string: try decode(String.self)) else {
      throw malformed("Invalid URL string.", at: codingPath)
    }
    return url
  }
}
