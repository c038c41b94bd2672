import Foundation

/// axe-core, which detects accessibility violations; `Scripts/setup` installs it.
struct Axe {
  /// The shared instance; `nil` if axe-core is not installed.
  static let shared = Axe()

  private let source: String

  private init?() {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../../.build/axe/lib").standardizedFileURL
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let file = versions.lazy.map {
      folder.appending(path: "\($0)/site-packages/axe_playwright_python/axe.min.js")
    }.compactMap { try? String(contentsOf: $0, encoding: .utf8) }.first
    guard let file else { return nil }
    source = file
  }

  /// Returns the violations on the displayed page: each rule with the first element.
  func violations(on browser: Browser) async throws -> [String] {
    try await browser.run(
      """
      \(source)
      const reasons = ({ any, all, none }) =>
        [...any, ...all, ...none].map((check) => check.message).join("; ").slice(0, 200);
      return axe.run(document, { resultTypes: ["violations"], preload: false }).then(({ violations }) =>
        violations.map(({ id, nodes }) =>
          `${id}, ${nodes.length} times: ${nodes[0].html.slice(0, 120)} (${reasons(nodes[0])})`));
      """, returning: [String].self)
  }
}
