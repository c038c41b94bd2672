import CurlewLive
import CurlewScreens
import Testing
import showcase

@Suite(.timeLimit(.minutes(1)))
struct MarkdownRecentTests {
  @Test func `a text is drawn once`() {
    let text = "Drawn *once*, in aTextIsDrawnOnce."
    #expect(Markdown.recent[text] == nil)
    let html = Markdown.recentHTML(text).text
    #expect(html == Markdown.html(text).text)
    #expect(Markdown.recent[text]?.text == html)
    #expect(Markdown.recentHTML(text).text == html)
  }

  @Test func `a very long text is not kept`() {
    let text = String(repeating: "long ", count: Markdown.maximumRememberedSize / 5 + 1)
    #expect(Markdown.recentHTML(text).text == Markdown.html(text).text)
    #expect(Markdown.recent[text] == nil)
  }
}
