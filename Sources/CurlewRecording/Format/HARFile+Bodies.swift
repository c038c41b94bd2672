import Curlew
import Foundation

/// The folder of a HAR file, with bodies in files of their own; without a URL for a recording that is not a file.
struct HARFolder {
  /// The maximum size of an attached body, in bytes: the default limit of a response's body.
  private static let limit = Limits().bodySize

  let path: String?

  /// Returns the content of a regular file in this folder.
  ///
  /// The name is part of a recording, which may come from somebody else: it must not lead out of the folder, not by a
  /// symbolic link either.
  func body(named name: String) throws(HARFile.Entry.Malformed) -> Data {
    func refused(_ reason: String) -> HARFile.Entry.Malformed {
      .init(reason: "its body's _file \"\(name)\" \(reason)")
    }
    guard let folder = path.flatMap({ Self.resolved($0) }) else {
      throw refused("is beside the recording, which was not read from a file")
    }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { ["", ".", ".."].contains($0) }), !name.utf8.contains(0) else {
      throw refused("is not a relative name without \"..\"")
    }
    guard let file = Self.resolved("\(folder)/\(name)") else { throw refused("is missing") }
    guard file.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/") else {
      throw refused("is a link out of the recording's folder")
    }
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      guard attributes[.type] as? FileAttributeType == .typeRegular else {
        throw refused("is not a regular file")
      }
      guard let size = attributes[.size] as? Int, size <= Self.limit else {
        throw refused("has more than \(Self.limit) bytes")
      }
      return try Data(contentsOf: URL(filePath: file, directoryHint: .notDirectory))
    } catch {
      throw error as? HARFile.Entry.Malformed
        ?? refused("can't be read: \(FileSystemError(error, file).reason)")
    }
  }

  /// Returns a path without symbolic links; `nil` if there is no such file.
  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

extension HARFile.Content {
  /// Returns the decoded body; `nil` if none is recorded.
  func body(in folder: HARFolder) throws(HARFile.Entry.Malformed) -> Data? {
    if text?.isEmpty ?? true, let _file { return try folder.body(named: _file) }
    guard let text else { return nil }
    switch encoding?.lowercased() ?? "" {
    case "", "utf-8", "utf8":
      return Data(text.utf8)
    case "base64":
      guard let data = Data(base64Text: text) else {
        throw .init(reason: "its response.content.text is not valid base64")
      }
      return data
    case let other:
      throw .init(
        reason: "its response.content.encoding \"\(other)\" is not supported, only base64")
    }
  }
}

extension HARFile.PostData {
  /// Returns the body; `nil` if there is none, or it is a form with files, whose content is not recorded.
  func body(in folder: HARFolder) throws(HARFile.Entry.Malformed) -> Data? {
    if let text, !text.isEmpty {
      let data = _encoding?.value == "base64" ? Data(base64Text: text) : nil
      return data ?? Data(text.utf8)
    }
    if let _file { return try folder.body(named: _file) }
    guard let params, !params.isEmpty else { return nil }
    let type = mimeType?.value.flatMap { MediaType($0) }
    guard type?.type == "multipart" else {
      let query = Query(params.map { Query.Item($0.name, $0.text) })
      return Data(query.encoded.replacing("%20", with: "+").utf8)
    }
    guard params.allSatisfy({ $0.fileName?.value == nil && $0.contentType?.value == nil }) else {
      return nil
    }
    let boundary = type?.parameters["boundary"] ?? "boundary"
    let parts = params.map { parameter in
      let name = parameter.name.replacing("\"", with: "%22")
      return
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(parameter.text)\r\n"
    }
    return Data("\(parts.joined())--\(boundary)--\r\n".utf8)
  }
}

extension HARFile.PostData.Parameter {
  fileprivate var text: String { value?.value?.value ?? "" }
}

extension Data {
  /// Decodes base64 that may contain whitespace; returns `nil` if it is invalid.
  fileprivate init?(base64Text text: String) {
    self.init(base64Encoded: text.filter { !$0.isWhitespace })
  }
}
