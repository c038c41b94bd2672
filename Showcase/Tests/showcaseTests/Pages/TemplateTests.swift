import Testing
import showcase

/// The templates of pages: each tag is one that its values have.
@Suite(.timeLimit(.minutes(1)))
struct TemplateTests {
  @Test func `every template fits its values`() {
    for view in templateViews { view.check() }
    #expect(Set(templateViews.map { "\($0)" }).count == templateViews.count)
  }
}
