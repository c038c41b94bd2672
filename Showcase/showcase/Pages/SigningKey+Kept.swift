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
    try SigningKey(secret: keptSecret(in: folder))
  }

  /// Returns the key's secret.
  static func keptSecret(in folder: URL) throws -> String {
    let url = folder.appending(path: "live.key")
    if let secret = try? String(contentsOf: url, encoding: .utf8),
      (try? SigningKey(secret: secret)) != nil
    {
      return secret
    }
    var random = SystemRandomNumberGenerator()
    let secret = (0..<4).map { _ in String(random.next(), radix: 16) + "." }.joined()
    try url.writePrivately(Data(secret.utf8))
    return try String(contentsOf: url, encoding: .utf8)
  }
}
