import ArgumentParser
import CurlewLive
import Testing
import showcase

/// The registration of a screen suffices for its page, its link, its command and its help.
struct ScreenEntryTests {
  @Test(arguments: ScreenEntry.all.indices)
  func `every screen opens and is called by its name`(index: Int) throws {
    let entry = ScreenEntry.all[index]
    #expect(ScreenEntry(argument: entry.name)?.address == entry.address)
    #expect(ScreenEntry.all.filter { $0.name == entry.name }.count == 1)
    let servers = HardServers()
    let page = entry.page(DataSources(all: try #require(servers)))
    let query = page.query(of: entry.address)
    #expect(query != nil, "its page has its address")
    // A page supports only the actions in its help.
    for action in entry.actions.split(separator: ",") {
      let words = action.split(separator: " ").map(String.init)
      let value =
        ["NUMBER": "1", "OWNER/NAME": "a/b"][words.dropFirst().last ?? ""]
        ?? words.dropFirst().last?.split(separator: "|").first.map(String.init) ?? ""
      let isTaken = Self.takes(page, LiveAction(name: words[0], value: value))
      #expect(isTaken, "\(action)")
    }
    #expect(Showcase.helpMessage().contains("showcase \(entry.example.command) "))
    let help = ScreenCommand.helpMessage(columns: 80).replacing(/\s+/, with: " ")
    #expect(help.contains("\(entry.name) \(entry.actions)"))
    #expect(Showcase.commandNames.contains(entry.name))
  }

  private static func takes(_ page: some ShowcasePage, _ action: LiveAction) -> Bool {
    page.event(for: action) != nil
  }

  @Test func `screen that is not listed has no name`() {
    #expect(ScreenEntry(argument: "unknown") == nil)
    #expect(ScreenEntry(argument: "") == nil)
  }
}
