import Foundation

/// The extent and the seed of random tests.
///
/// `CURLEW_SEED=7` changes the seed. `CURLEW_FUZZ=1000000` runs each fuzz test that often, and storms and stories in
/// full; `CURLEW_STORIES=10000` runs that many stories of each kind.
public enum Fuzz: Sendable {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["CURLEW_FUZZ"].flatMap { Int($0) }

  /// Returns the seed from the environment, or the default seed.
  public static func seed(_ usual: UInt64 = 20_270_115) -> UInt64 {
    environment["CURLEW_SEED"].flatMap { UInt64($0) } ?? usual
  }

  /// Returns how often to run a fuzz test.
  ///
  /// - Parameter share: Divides the requested number of runs, for tests whose runs take long.
  public static func runs(_ usual: Int, of share: Int = 1) -> Int {
    count.map { max(1, $0 / share) } ?? usual
  }

  /// Returns the size of a storm: full when long runs are requested.
  public static func size(_ usual: Int, full: Int) -> Int { count == nil ? usual : full }

  /// Returns the number of stories: a quarter of the full number, unless long runs are requested.
  public static func stories(full: Int) -> Int {
    environment["CURLEW_STORIES"].flatMap { Int($0) } ?? size(full / 4, full: full)
  }
}
