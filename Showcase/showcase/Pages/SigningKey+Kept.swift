import CurlewLive
import Foundation

extension SigningKey {
  /// Returns the key that signs the state stored in browsers, so that a page restores its state
  /// after a restart of the server.
  ///
  /// The key is created on first use, in a file that only its owner can read.
  ///
  /// - Throws: An error about the file; without the file, the stored states are lost after a
  ///   restart.
  static func kept(in folder: URL) throws -> SigningKey {
    let url = folder.appending(path: "live.key")
    if let secret = try? String(contentsOf: url, encoding: .utf8),
      let key = try? SigningKey(secret: secret)
    {
      return key
    }
    let files = FileManager.default
    try files.createDirectory(
      at: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    var random = SystemRandomNumberGenerator()
    let secret = (0..<4).map { _ in String(random.next(), radix: 16) + "." }.joined()
    let made = url.appendingPathExtension("\(ProcessInfo.processInfo.processIdentifier)")
    guard
      files.createFile(
        atPath: made.path, contents: Data(secret.utf8), attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: made.path]) }
    // Renaming is atomic: processes that start concurrently read one complete secret.
    _ = rename(made.path, url.path)
    return try SigningKey(secret: String(contentsOf: url, encoding: .utf8))
  }
}
