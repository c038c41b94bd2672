import Curlew
import CurlewSQLite
import Foundation

/// The file in which the showcase keeps responses from one run to the next.
struct CacheFile {
  let url: URL
  /// The showcase's folder for what may be lost.
  var folder: URL { url.deletingLastPathComponent() }

  /// Finds the file in the user's cache folder; `XDG_CACHE_HOME` names another folder.
  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws(Failure) {
    let named = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard
      let folder = named.map({ URL(filePath: $0) })
        ?? FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    else {
      throw Failure("There is no folder for caches; set XDG_CACHE_HOME.", status: .unavailable)
    }
    url = folder.appending(path: "curlew-showcase").appending(path: "responses.sqlite")
  }

  /// Returns the cache; what is wrong with the file is written to a log.
  func cache(_ log: Log) -> ResponseCache {
    var cache = ResponseCache.sqlite(
      at: url, bytes: 64 << 20, report: { problem in log.write("\(problem)") })
    // The pages say how old it is what they show.
    cache.servesUnvalidatedWhenOffline = true
    return cache
  }
}
