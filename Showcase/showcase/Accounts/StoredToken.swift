import Curlew
import Foundation

/// The tokens of the user of the commands, in a file beside the cache that only its owner can read.
enum StoredToken {
  private static var file: URL {
    get throws { try CacheFolder.url.appending(path: "token.json") }
  }

  /// The tokens; `nil` if nobody has signed in.
  static var value: BearerToken? {
    (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(BearerToken.self, from: $0) }
  }

  /// Replaces the tokens; `nil` removes the file.
  ///
  /// A failure is logged, because the command itself needs no file.
  static func set(_ token: BearerToken?, _ log: Log) {
    do {
      guard let token else {
        if FileManager.default.fileExists(atPath: try file.path) {
          try FileManager.default.removeItem(at: file)
        }
        return
      }
      try file.writePrivately(JSONEncoder().encode(token))
    } catch {
      log.write("The sign-in can't be stored: \(error)")
    }
  }
}

extension URL {
  /// Writes a file that only its owner can read, in a folder that only its owner can list.
  func writePrivately(_ content: Data) throws {
    let files = FileManager.default
    try files.createDirectory(
      at: deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let made = appendingPathExtension("\(ProcessInfo.processInfo.processIdentifier)")
    guard
      files.createFile(
        atPath: made.path, contents: content, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: made.path]) }
    // Renaming is atomic: processes that start concurrently read one complete file.
    _ = rename(made.path, path)
  }
}
