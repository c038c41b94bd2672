import CSandboxData

/// The files in `Data`.
enum PackageResources {
  static var dogs_json: [UInt8] { bytes(of: sandbox_dogs_json()) }
  static var drawings_json: [UInt8] { bytes(of: sandbox_drawings_json()) }
  static var github_repositories_json: [UInt8] { bytes(of: sandbox_github_repositories_json()) }
  static var github_responses_json: [UInt8] { bytes(of: sandbox_github_responses_json()) }
  static var github_words_json: [UInt8] { bytes(of: sandbox_github_words_json()) }
  static var itunes_json: [UInt8] { bytes(of: sandbox_itunes_json()) }
  static var page_css: [UInt8] { bytes(of: sandbox_page_css()) }
  static var page_html: [UInt8] { bytes(of: sandbox_page_html()) }
  static var real_data_json: [UInt8] { bytes(of: sandbox_real_data_json()) }
  static var tmdb_json: [UInt8] { bytes(of: sandbox_tmdb_json()) }

  private static func bytes(of file: SandboxFile) -> [UInt8] {
    Array(UnsafeBufferPointer(start: file.start, count: file.count))
  }
}
