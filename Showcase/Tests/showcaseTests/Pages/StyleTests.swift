import Foundation
import Testing

@testable import showcase

/// The scale of the pages' styles.
@Suite struct StyleTests {
  /// All styles, without comments and the white space after colons and commas.
  private let styles = String(
    decoding: PackageResources.base_css + PackageResources.layout_css
      + PackageResources.controls_css + PackageResources.states_css + PackageResources.rows_css
      + PackageResources.cards_css + PackageResources.detail_css + PackageResources.form_css
      + PackageResources.home_css + PackageResources.account_css + PackageResources.markdown_css,
    as: UTF8.self
  ).replacing(#//\*[^*]*\*/\n?/#, with: "").replacing(#/([:,]) /#) { $0.1 }

  @Test func `styles use only the six sizes of the scale, in rem`() {
    let sizes = styles.matches(of: /--f\d:([^;}]+)/).map { String($0.1) }
    #expect(sizes.count == 6 && sizes.allSatisfy { $0.hasSuffix("rem") })
    let used = styles.matches(of: /font(?:-size)?:(?:\d+ )?([^;\/} ]+)/).map { String($0.1) }
    #expect(used.count > 40)
    #expect(
      Set(used).subtracting((1...6).map { "var(--f\($0))" }) == ["inherit", "6.5px"],
      "6.5px of the miniatures’ own units")
  }

  @Test func `styles use three weights`() {
    let weights = styles.matches(of: /font(?:-weight)?:(\d+)[ ;}]/).map { String($0.1) }
    #expect(Set(weights) == ["400", "600", "700"])
  }

  @Test func `styles limit the width of the content in one place`() {
    let widths = styles.matches(of: /max-width:\d{3,}px[;}]/).map { String($0.output) }
    #expect(widths == ["max-width:640px;"], "the toast")
    #expect(styles.matches(of: /1200px/).count == 1)
  }
}
