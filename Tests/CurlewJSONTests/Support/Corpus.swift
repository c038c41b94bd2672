import Foundation

/// Documents of real servers, from the recordings beside the repository, and a generated document.
enum Corpus {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/recordings")

  /// The bodies of the JSON responses in the recordings, up to 20 KB each; empty without recordings.
  static let recorded: [Data] = names.flatMap { name -> [Data] in
    let archive = try? JSONDecoder().decode(
      Archive.self, from: Data(contentsOf: folder.appending(path: name)))
    return (archive?.log.entries ?? []).compactMap { entry -> Data? in
      guard let text = entry.response.content.text, text.utf8.count > 1 else { return nil }
      return "{[".utf8.contains(text.utf8.first ?? 0) ? Data(text.utf8) : nil
    }
  }

  private static let names: [String] = ["github.har", "tmdb.har", "itunes.har"]

  private struct Archive: Decodable {
    struct Log: Decodable { let entries: [Entry] }
    struct Entry: Decodable { let response: Response }
    struct Response: Decodable { let content: Content }
    struct Content: Decodable { let text: String? }
    let log: Log
  }

  static let own = Data(
    #"""
    [{"id": 1, "node_id": "MDU6SXNzdWUx", "number": 42, "title": "A \"title\" with \u00fcml\u00e4uts \ud83d\ude00 日本語",
      "user": {"login": "octocat", "id": 583231, "site_admin": false, "avatar_url": "https:\/\/a.b\/u\/1?v=4"},
      "labels": [{"id": 208045946, "name": "bug", "color": "f29513", "default": true, "description": null}],
      "state": "open", "locked": true, "assignee": null, "comments": 0, "created_at": "2026-01-22T13:33:48Z",
      "updated_at": "2026-02-28T23:59:59+01:00", "closed_at": null, "body": "Line\r\nbreak\tand \\ more",
      "reactions": {"+1": 3, "-1": 0, "url": "https://a.b/r", "total_count": 3}, "score": 1.0},
     {"id": 2, "node_id": "", "number": -1, "title": "", "user": null, "labels": [], "state": "closed", "locked": false,
      "comments": 12345678901, "created_at": "2026-13-22T13:33:48Z", "updated_at": "", "score": -2.5e-3,
      "genre_ids": [28, 12, 878], "vote_average": 7.26, "popularity": 1234.567, "release_date": "2026-11-22",
      "original_title": "K\u212a", "backdrop_path": "\/x.jpg", "adult": false, "video": true, "vote_count": 18446744073709551615},
     {"results": [{"id": 3, "title": "x", "vote_average": 0e1, "genre_ids": []}], "page": 1, "total_pages": 7, "total_results": 123,
      "feed": {"entry": [{"im:name": {"label": "A"}, "im:price": {"label": "$9.99", "attributes": {"amount": "9.99", "currency": "USD"}}}]}}]
    """#.utf8)
}
