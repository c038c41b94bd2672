import Curlew
import CurlewSQLite
import Foundation

/// The folder for data that may be deleted between runs.
enum CacheFolder {
  /// The folder, inside the user's cache folder or the folder in `XDG_CACHE_HOME`.
  static var url: URL {
    get throws(Failure) {
      let named = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? ""
      guard
        let folder = named.hasPrefix("/")
          ? URL(filePath: named)
          : FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      else {
        throw Failure("The cache folder was not found; set XDG_CACHE_HOME.", status: .unavailable)
      }
      return folder.appending(path: "curlew-showcase")
    }
  }

  /// Returns the cache of responses; reports problems with its file to standard error.
  static func responses() throws(Failure) -> ResponseCache {
    var cache = ResponseCache.sqlite(
      at: try url.appending(path: "responses.sqlite"), bytes: 64 << 20,
      report: { problem in Log.standardError.write("\(problem)") })
    // The pages show the age of outdated content.
    cache.servesUnvalidatedWhenOffline = true
    return cache
  }
}
