import CurlewLive
import Foundation

/// The file with the secret by which what browsers keep is signed, so that a page that was open before a restart
/// brings it back.
struct KeyFile {
  let url: URL

  /// Finds the file in a folder.
  init(in folder: URL) {
    url = folder.appending(path: "live.key")
  }

  /// Returns the key, which is made at the first use; only its owner can read the file.
  ///
  /// - Throws: What is wrong with the file; without it a restart loses what browsers keep.
  func key() throws -> SigningKey {
    if let secret = try? String(contentsOf: url, encoding: .utf8),
      let key = try? SigningKey(secret: secret)
    {
      return key
    }
    let files = FileManager.default
    try files.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    var random = SystemRandomNumberGenerator()
    let secret = (0..<4).map { _ in String(random.next(), radix: 16) + "." }.joined()
    let made = url.appendingPathExtension("\(ProcessInfo.processInfo.processIdentifier)")
    guard
      files.createFile(
        atPath: made.path, contents: Data(secret.utf8), attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: made.path]) }
    // Whoever starts at the same time has one whole secret or the other.
    _ = rename(made.path, url.path)
    return try SigningKey(secret: String(contentsOf: url, encoding: .utf8))
  }
}
