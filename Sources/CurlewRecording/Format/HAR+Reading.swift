import Curlew
public import Foundation
import HTTPTypes

extension HAR {
  /// Reads a HAR 1.2 file.
  ///
  /// Unknown fields, missing header fields or bodies, and entries that can't be replayed (no response,
  /// or a URL that is not http) are ignored. Dates, times and comments are read where they are right.
  ///
  /// - Throws: ``ParsingError``, which names the file, the entry and the reason.
  public init(contentsOf file: URL) throws(ParsingError) {
    let name = file.isFileURL ? file.path(percentEncoded: false) : file.absoluteString
    let data: Data
    do {
      try FileSystemError.check(file)
      data = try Data(contentsOf: file)
    } catch {
      throw ParsingError(source: name, entry: nil, reason: FileSystemError(error, name).reason)
    }
    try self.init(data: data, name: name)
  }

  /// Reads the bytes of a HAR 1.2 file.
  ///
  /// - Parameters:
  ///   - data: The file's content.
  ///   - name: The name that errors use.
  /// - Throws: ``ParsingError``.
  public init(data: Data, name: String = "The recording") throws(ParsingError) {
    let byteOrderMark = Data([0xEF, 0xBB, 0xBF])
    let json = data.starts(with: byteOrderMark) ? data.dropFirst(byteOrderMark.count) : data
    guard !json.isEmpty else { throw ParsingError(source: name, entry: nil, reason: "it is empty") }
    let log: HARFile.Log
    do {
      log = try JSONDecoder().decode(HARFile.self, from: Data(json)).log
    } catch {
      throw ParsingError(decoding: error, json: Data(json), source: name)
    }
    if let version = log.version, !version.isEmpty, version != "1", !version.hasPrefix("1.") {
      throw ParsingError(source: name, entry: nil, reason: "its version is \(version), not 1.x")
    }
    self.init(comment: log.comment)
    for (index, entry) in log.entries.enumerated() {
      do {
        if let entry = try entry.exchange() { entries.append(entry) }
      } catch {
        throw ParsingError(source: name, entry: index + 1, reason: error.reason)
      }
    }
  }
}

extension HAR.ParsingError {
  /// Creates an error from a JSON decoder's, in the terms of a HAR file.
  fileprivate init(decoding error: any Error, json: Data, source: String) {
    let reason: String
    let path: [any CodingKey]
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      path = context.codingPath + [key]
      reason = "it has no \(Self.name(of: path))"
    case DecodingError.valueNotFound(_, let context):
      path = context.codingPath
      reason = "\(Self.subject(path)) is null"
    case DecodingError.typeMismatch(_, let context):
      path = context.codingPath
      reason = "\(Self.subject(path)) is not \(Self.kind(at: path))"
    default:
      path = []
      // `JSONDecoder` reports a number that does not fit `Int` as malformed JSON, without its position.
      reason =
        JSONFault(in: json).map {
          "it is not JSON at line \($0.line), column \($0.column): \($0.reason.dropLast())"
        }
        ?? (String(validating: json, as: UTF8.self) == nil
          ? "it is not text in UTF-8, as JSON is" : "a number in it is not whole, or too large")
    }
    let isInEntry = path.count > 2 && path[1].stringValue == "entries"
    self.init(
      source: source, entry: isInEntry ? path[2].intValue.map { $0 + 1 } : nil, reason: reason)
  }

  /// `request.url`, or `log.version` for what belongs to no entry.
  private static func name(of path: [any CodingKey]) -> String {
    let isInEntry = path.count > 2 && path[1].stringValue == "entries"
    return path.dropFirst(isInEntry ? 3 : 0).map { key in
      key.intValue.map { "[\($0)]" } ?? key.stringValue
    }.joined(separator: ".").replacing(".[", with: "[")
  }

  private static func subject(_ path: [any CodingKey]) -> String {
    let name = name(of: path)
    return name.isEmpty ? "it" : "its \(name)"
  }

  private static func kind(at path: [any CodingKey]) -> String {
    switch path.last?.stringValue {
    case "method", "url", "text", "encoding", "name", "value", "redirectURL": "a text"
    case "status": "a number"
    case "entries", "headers", "params": "a list"
    default: "an object"
    }
  }
}
