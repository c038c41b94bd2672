package import Application
package import CurlewLive
package import CurlewScreens
import Domain
package import Foundation

extension ScreenEntry {
  static let dog = ScreenEntry(
    name: "dog", start: "/dogs/dalmatian", parent: "dogs", actions: "retry",
    command: DogCommand.self,
    example: ("dog dalmatian", "the facts about a breed"),
    page: { DogPage(DogDetail($0.dogs, recent: $0.recentDogs), isOffline: $0.isOffline) })
}

/// The page of a breed.
package struct DogPage: DatedPage {
  package let screen: DogDetail
  package let activity: ScreenActivity.Options
  let now: @Sendable () -> Date

  package init(
    screen: DogDetail, activity: ScreenActivity.Options,
    now: @escaping @Sendable () -> Date
  ) {
    (self.screen, self.activity, self.now) = (screen, activity, now)
  }

  package var path: String { "/dogs/{id}" }

  package func events(for query: LiveQuery, in state: DogDetail.State) -> [DogDetail.Event] {
    guard let id = query["id"] else { return [] }
    return [.show(id)]
  }

  package func event(for action: LiveAction) -> DogDetail.Event? {
    action.name == "retry" ? .retry : nil
  }

  package func address(of state: DogDetail.State) -> LiveAddress {
    LiveAddress(
      path: state.id.map(Dog.address) ?? ScreenEntry.dogs.address)
  }

  package func title(of state: DogDetail.State) -> String {
    state.latest?.name ?? "Dog"
  }

  /// Whether a breed is known, at least from the search results.
  package func isPresentable(_ state: DogDetail.State) -> Bool {
    state.latest != nil
  }

  package func view(of state: DogDetail.State, _ activity: ScreenActivity) -> DogDetailView {
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

  package func terminalContent(
    of state: DogDetail.State, _ view: DogDetailView
  ) -> TerminalContent {
    var content = TerminalContent()
    content.detail = state.latest.map {
      TerminalDetail(title: "", facts: $0.facts)
    }
    return content
  }
}

package struct DogDetailView: DetailPageView {
  package let status: String
  let detail: DetailView
  let dog: Known?
  private var back: String { ScreenEntry.dogs.address }

  package static let template = HTMLTemplate<Self>(PackageResources.dogdetail_mustache)
  package static let names: TemplateNames<Self> = [
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
