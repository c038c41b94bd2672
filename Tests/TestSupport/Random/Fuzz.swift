import Foundation

/// How much the tests try that try at random, and from which seed.
///
/// `CURLEW_SEED=7` tries something else. `CURLEW_FUZZ=1000000` runs fuzzes as often, and storms
/// and stories in full; `CURLEW_STORIES=10000` tells as many stories of each kind.
package enum Fuzz {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["CURLEW_FUZZ"].flatMap { Int($0) }

  /// The seed that is asked for.
  package static func seed(_ usual: UInt64 = 20_270_115) -> UInt64 {
    environment["CURLEW_SEED"].flatMap { UInt64($0) } ?? usual
  }

  /// How often to run a fuzz.
  ///
  /// - Parameter share: Runs only one of so many that are asked for, where one takes long.
  package static func runs(_ usual: Int, of share: Int = 1) -> Int {
    count.map { max(1, $0 / share) } ?? usual
  }

  /// The size of a storm: full when long runs are asked for.
  package static func size(_ usual: Int, full: Int) -> Int { count == nil ? usual : full }

  /// How many stories to tell: a quarter of the full number, unless long runs are asked for.
  package static func stories(full: Int) -> Int {
    environment["CURLEW_STORIES"].flatMap { Int($0) } ?? size(full / 4, full: full)
  }
}
