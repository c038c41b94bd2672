package import Foundation

/// The recordings of real servers, stored beside the repository.
package enum Recordings {
  package static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .appending(path: "../../../../shared/recordings").standardizedFileURL
  package static let gitHub = folder.appending(path: "github.har")
  package static let iTunes = folder.appending(path: "itunes.har")
  package static let tmdb = folder.appending(path: "tmdb.har")

  /// Whether the recordings exist; tests that need them report their absence.
  package static var exist: Bool {
    [gitHub, iTunes, tmdb].allSatisfy { FileManager.default.isReadableFile(atPath: $0.path) }
  }
}
