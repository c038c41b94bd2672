import Curlew
import CurlewJSON
public import Foundation
import HTTPTypes

extension HAR {
  /// Reads a HAR 1.2 file, and the bodies that its entries attach as files in its folder (`_file` of Playwright).
  ///
  /// Ignores unknown fields and missing header fields, and skips malformed dates, times and comments. Each entry is
  /// read by itself: ``skipped`` lists the entries that can't be replayed. An attached body has a relative name
  /// without `..`, also if symbolic links are resolved, and at most 64 MiB.
  ///
  /// - Throws: ``ParsingError``, which names the file and the reason.
  public init(contentsOf file: URL) throws(ParsingError) {
    let name = file.isFileURL ? file.path(percentEncoded: false) : file.absoluteString
    let data: Data
    do {
      try FileSystemError.check(file)
      data = try Data(contentsOf: file)
    } catch {
      throw ParsingError(source: name, reason: FileSystemError(error, name).reason)
    }
    let folder = file.resolvingSymlinksInPath().deletingLastPathComponent()
    try self.init(data, name, HARFolder(path: folder.path(percentEncoded: false)))
  }

  /// Reads the bytes of a HAR 1.2 file; entries whose body is attached as a file are ``skipped``.
  ///
  /// - Parameters:
  ///   - data: The file's content.
  ///   - name: The name of the source in errors.
  /// - Throws: ``ParsingError``.
  public init(data: Data, name: String = "The recording") throws(ParsingError) {
    try self.init(data, name, HARFolder(path: nil))
  }

  private init(_ data: Data, _ name: String, _ folder: HARFolder) throws(ParsingError) {
    guard !data.isEmpty else { throw ParsingError(source: name, reason: "it is empty") }
    let log: HARFile.Log
    do {
      log = try FastJSONDecoder().decode(HARFile.self, from: data).log
    } catch {
      throw ParsingError(source: name, reason: Self.reason(of: error, json: data))
    }
    if let version = log.version?.value, !version.isEmpty, version != "1", !version.hasPrefix("1.")
    {
      throw ParsingError(source: name, reason: "its version is \(version), not 1.x")
    }
    self.init(comment: log.comment?.value)
    for (index, attempt) in log.entries.enumerated() {
      do {
        entries.append(try attempt.entry.get().exchange(in: folder))
      } catch {
        let reason =
          (error as? HARFile.Entry.Malformed)?.reason ?? Self.reason(of: error, json: data)
        skipped.append(SkippedEntry(number: index + 1, request: attempt.request, reason: reason))
      }
    }
  }

  /// Returns the reason of a JSON decoder's error; its coding path begins at the entry, or at the file.
  private static func reason(of error: any Error, json: Data) -> String {
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
    case DecodingError.dataCorrupted(let context):
      let fault = (context.underlyingError as? JSONFault).map { fault in
        let (line, column) = fault.position(in: JSONFault.utf8(json))
        return "is not JSON at line \(line), column \(column): \(fault.reason.dropLast())"
      }
      (path, problem) = ([], fault ?? "is not JSON in UTF-8, UTF-16 or UTF-32")
    default: (path, problem) = ([], "is not readable")
    }
    // `request.url`, or `log.version` outside an entry.
    let isInEntry = path.count > 2 && path[1].stringValue == "entries"
    let name = path.dropFirst(isInEntry ? 3 : 0).map { key in
      key.intValue.map { "[\($0)]" } ?? key.stringValue
    }.joined(separator: ".").replacing(".[", with: "[")
    return (name.isEmpty ? "it " : "its \(name) ") + problem
  }
}

extension HARFile.Attempt {
  /// The method and the URL, with secrets masked by the default redaction; `nil` if they can't be decoded.
  fileprivate var request: String? {
    names.map { names in
      // A data: URL has the size of its data.
      let url = names.url.utf8.count > 1_000 ? names.url.prefix(200) + "..." : names.url
      return "\(names.method) \(Redaction().redacting(url: url))"
    }
  }
}
