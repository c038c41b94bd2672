import Application
import CurlewLive
import CurlewScreens
import CurlewTerminal
import Domain
import Foundation

extension ScreenEntry {
  static let dog = ScreenEntry(
    name: "dog", start: "/dogs/dalmatian", parent: "dogs", actions: "retry",
    command: DogCommand.self,
    example: ("dog dalmatian", "the facts about a breed"),
    page: { DogPage(DogDetail($0.dogs, recent: $0.recentDogs), isOffline: $0.isOffline) })
}

/// The page of a breed.
struct DogPage: DatedPage {
  let screen: DogDetail
  let activity: ScreenActivity.Options
  let now: @Sendable () -> Date

  var path: String { "/dogs/{id}" }

  func events(for query: LiveQuery, in state: DogDetail.State) -> [DogDetail.Event] {
    guard let id = query["id"] else { return [] }
    return [.show(id)]
  }

  func event(for action: LiveAction) -> DogDetail.Event? {
    action.name == "retry" ? .retry : nil
  }

  func address(of state: DogDetail.State) -> LiveAddress {
    LiveAddress(
      path: state.id.map(Dog.address) ?? ScreenEntry.dogs.address)
  }

  func title(of state: DogDetail.State) -> String {
    state.latest?.name ?? "Dog"
  }

  /// Whether a breed is known, at least from the search results.
  func isPresentable(_ state: DogDetail.State) -> Bool {
    state.latest != nil
  }

  func view(of state: DogDetail.State, _ activity: ScreenActivity) -> DogDetailView {
    let known = state.latest
    let status =
      switch state.content {
      case .idle, .content: ""
      case .loading: known == nil ? "Loading the breed…" : "Loading the details…"
      case .empty: "There is no such breed."
      case .failed:
        known == nil ? "The breed could not be loaded." : "The details could not be loaded."
      }
    return DogDetailView(
      status: status,
      detail: DetailView(
        state, activity, isKnown: known != nil,
        retry: state.id.map(Dog.address) ?? ScreenEntry.dogs.address, now: now()),
      dog: known.map { DogDetailView.Known(dog: $0, isFilling: state.content.isLoading) })
  }

  func terminalContent(
    of state: DogDetail.State, _ view: DogDetailView
  ) -> TerminalContent<DogDetail.Event> {
    var content = TerminalContent<DogDetail.Event>()
    content.text = state.latest.map { Text(facts: $0.facts) }
    return content
  }
}

struct DogDetailView: DetailPageView {
  let status: String
  let detail: DetailView
  let dog: Known?
  private var back: String { ScreenEntry.dogs.address }

  static let template = HTMLTemplate<Self>(PackageResources.dogdetail_mustache)
  static let names: TemplateNames<Self> = [
    "status": \.status, "detail": \.detail, "back": \.back, "dog": \.dog,
  ]

  /// The known properties of the breed.
  struct Known: TemplateValues {
    let dog: Dog
    let isFilling: Bool
    private var picture: String? { dog.picture?.imagePath }
    private var counts: [FactView] {
      let facts = DogFacts(dog)
      return [
        FactView("Weight", facts.weight), FactView("Life span", facts.lifespan),
        FactView("Group", dog.group),
      ]
    }
    /// The properties that only the details contain, each as a list of words.
    private var lists: [WordsView] {
      [
        WordsView(name: "Temperament", words: dog.temperament, isFilling: isFilling),
        WordsView(name: "Coats", words: dog.coats, isFilling: isFilling),
      ].filter { isFilling || !$0.words.isEmpty }
    }

    static let names: TemplateNames<Self> = [
      "name": \.dog.name, "origin": \.dog.origin, "picture": \.picture, "counts": \.counts,
      "lists": \.lists,
    ]
  }

  /// Words with a heading.
  struct WordsView: TemplateValues {
    let name: String
    let words: [String]
    let isFilling: Bool
    private var isAbsent: Bool { isFilling && words.isEmpty }

    static let names: TemplateNames<Self> = [
      "name": \.name, "words": \.words, "isAbsent": \.isAbsent,
    ]
  }
}
