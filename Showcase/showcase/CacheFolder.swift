import Curlew
import CurlewSQLite
import Foundation

/// The folder in which the showcase keeps what may be lost from one run to the next.
enum CacheFolder {
  /// The folder, within the user's cache folder; `XDG_CACHE_HOME` names another one.
  static var url: URL {
    get throws(Failure) {
      let named = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? ""
      guard
        let folder = named.hasPrefix("/")
          ? URL(filePath: named)
          : FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      else {
        throw Failure("There is no folder for caches; set XDG_CACHE_HOME.", status: .unavailable)
      }
      return folder.appending(path: "curlew-showcase")
    }
  }

  /// Returns the cache of responses; what is wrong with its file is written to standard error.
  static func responses() throws(Failure) -> ResponseCache {
    var cache = ResponseCache.sqlite(
      at: try url.appending(path: "responses.sqlite"), bytes: 64 << 20,
      report: { problem in Log.standardError.write("\(problem)") })
    // The pages say how old it is what they show.
    cache.servesUnvalidatedWhenOffline = true
    return cache
  }
}
