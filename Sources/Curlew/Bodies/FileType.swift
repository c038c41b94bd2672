/// The content types of files.
enum FileType {
  /// The types that apps commonly upload, by file extension; the same on all platforms.
  private static let contentTypes = [
    "avif": "image/avif", "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip",
    "heic": "image/heic", "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg",
    "json": "application/json", "m4a": "audio/mp4", "md": "text/markdown", "mov": "video/quicktime",
    "mp3": "audio/mpeg", "mp4": "video/mp4", "pdf": "application/pdf", "png": "image/png",
    "svg": "image/svg+xml", "txt": "text/plain", "wav": "audio/wav", "webm": "video/webm",
    "webp": "image/webp", "xml": "application/xml", "zip": "application/zip",
  ]

  /// Returns the content type for a file name: `application/octet-stream` if its extension is not in the
  /// table.
  static func contentType(of fileName: String) -> String {
    let fileExtension = fileName.split(separator: ".", omittingEmptySubsequences: false)
      .dropFirst().last
    return contentTypes[fileExtension?.lowercased() ?? ""] ?? "application/octet-stream"
  }

  /// Returns whether a text is a media type (RFC 9110 section 8.3.1) of printable ASCII characters, and so
  /// contains no line break.
  static func isValid(_ contentType: String) -> Bool {
    contentType.utf8.allSatisfy { (0x20...0x7E).contains($0) } && MediaType(contentType) != nil
  }
}
