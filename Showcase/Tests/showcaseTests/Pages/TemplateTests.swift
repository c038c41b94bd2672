import Testing
import showcase

/// The tags in the templates match the names of their values.
@Suite(.timeLimit(.minutes(1)))
struct TemplateTests {
  @Test func `every template fits its values`() {
    for view in templateViews { view.check() }
    #expect(Set(templateViews.map { "\($0)" }).count == templateViews.count)
  }
}
