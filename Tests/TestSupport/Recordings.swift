package import Foundation

/// The recordings of real servers that lie beside the repository.
package enum Recordings {
  package static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .appending(path: "../../../../shared/recordings").standardizedFileURL
  package static let gitHub = folder.appending(path: "github.har")
  package static let iTunes = folder.appending(path: "itunes.har")
  package static let tmdb = folder.appending(path: "tmdb.har")

  /// Whether they are there; tests that need them say that they are not.
  package static var exist: Bool {
    [gitHub, iTunes, tmdb].allSatisfy { FileManager.default.isReadableFile(atPath: $0.path) }
  }
}
