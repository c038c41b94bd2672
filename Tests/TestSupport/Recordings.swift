// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// The recordings of real servers, stored beside the repository.
public enum Recordings: Sendable {
  public static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .appending(path: "../../../../shared/recordings").standardizedFileURL
  public static let gitHub = folder.appending(path: "github.har")
  public static let iTunes = folder.appending(path: "itunes.har")
  public static let tmdb = folder.appending(path: "tmdb.har")

  /// Whether the recordings exist; tests that need them report their absence.
  public static var exist: Bool {
    [gitHub, iTunes, tmdb].allSatisfy { FileManager.default.isReadableFile(atPath: $0.path) }
  }
}
