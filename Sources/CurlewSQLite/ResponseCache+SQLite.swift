public import Curlew
public import Foundation

extension ResponseCache {
  /// Returns a cache in a file, which survives a restart, and which several processes may use at once.
  ///
  /// It needs no set-up: the file and its folder are created when they are needed first.
  ///
  /// - Parameters:
  ///   - url: The file, for example in the user's cache folder.
  ///   - bytes: The maximum size of the file; 256 MiB by default.
  ///   - account: Names the account that a request is for: see ``ResponseCache/init(_:account:now:)``.
  ///   - now: Returns the current date.
  ///   - report: Is called when the file can't be used as it is: see ``SQLiteCacheFailure``.
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
