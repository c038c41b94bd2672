import CurlewLive
import Foundation

extension SigningKey {
  /// Returns the key by which what browsers keep is signed, so that a page that was open before a restart brings
  /// it back; it is made at the first use, in a file that only its owner can read.
  ///
  /// - Throws: What is wrong with the file; without it a restart loses what browsers keep.
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
    // Whoever starts at the same time has one whole secret or the other.
    _ = rename(made.path, url.path)
    return try SigningKey(secret: String(contentsOf: url, encoding: .utf8))
  }
}
