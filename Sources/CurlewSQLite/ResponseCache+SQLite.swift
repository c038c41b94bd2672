public import Curlew
public import Foundation

extension ResponseCache {
  /// Returns a cache in a file, which is persistent and can be shared by several processes.
  ///
  /// It needs no set-up: the file and its folder are created on demand.
  ///
  /// - Parameters:
  ///   - url: The file, for example in the user's cache folder.
  ///   - bytes: The maximum size of the file in bytes; 256 MiB by default.
  ///   - account: Returns the account of a request: see ``ResponseCache/init(_:account:now:)``.
  ///   - now: Returns the current date.
  ///   - report: Called when the file can't be used: see ``SQLiteCacheFailure``.
  public static func sqlite(
    at url: URL, bytes: Int = 256 << 20, account: (@Sendable (OutgoingRequest) -> String?)? = nil,
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (SQLiteCacheFailure) -> Void = { _ in }
  ) -> Self {
    Self(
      SQLiteCacheStorage(at: url, bytes: bytes, now: now, report: report), account: account,
      now: now)
  }
}
