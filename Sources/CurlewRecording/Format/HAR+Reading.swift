import Curlew
import CurlewJSON
public import Foundation
import HTTPTypes

extension HAR {
  /// Reads a HAR 1.2 file.
  ///
  /// Ignores unknown fields, missing header fields or bodies, and entries that can't be replayed (no response, or a URL
  /// that is not http). Skips malformed dates, times and comments.
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
  ///   - name: The name of the source in errors.
  /// - Throws: ``ParsingError``.
  public init(data: Data, name: String = "The recording") throws(ParsingError) {
    guard !data.isEmpty else { throw ParsingError(source: name, entry: nil, reason: "it is empty") }
    let log: HARFile.Log
    do {
      log = try FastJSONDecoder().decode(HARFile.self, from: data).log
    } catch {
      throw ParsingError(decoding: error, json: data, source: name)
    }
    if let version = log.version?.value, !version.isEmpty, version != "1", !version.hasPrefix("1.")
    {
      throw ParsingError(source: name, entry: nil, reason: "its version is \(version), not 1.x")
    }
    self.init(comment: log.comment?.value)
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
  /// Converts a JSON decoder's error to an error about a HAR file.
  fileprivate init(decoding error: any Error, json: Data, source: String) {
    let (path, problem): ([any CodingKey], String)
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      (path, problem) = (context.codingPath + [key], "is missing")
    case DecodingError.valueNotFound(_, let context):
      (path, problem) = (context.codingPath, "is null")
    case DecodingError.typeMismatch(_, let context):
      (path, problem) = (context.codingPath, "has the wrong type")
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      (path, problem) = (context.codingPath, "is malformed, or not an integer, or too large")
    default:
      let fault = JSONFault(in: json).map {
        "is not JSON at line \($0.line), column \($0.column): \($0.reason.dropLast())"
      }
      (path, problem) = ([], fault ?? "is not JSON in UTF-8, UTF-16 or UTF-32")
    }
    // `request.url`, or `log.version` outside an entry.
    let isInEntry = path.count > 2 && path[1].stringValue == "entries"
    let name = path.dropFirst(isInEntry ? 3 : 0).map { key in
      key.intValue.map { "[\($0)]" } ?? key.stringValue
    }.joined(separator: ".").replacing(".[", with: "[")
    self.init(
      source: source, entry: isInEntry ? path[2].intValue.map { $0 + 1 } : nil,
      reason: (name.isEmpty ? "it " : "its \(name) ") + problem)
  }
}
