#if canImport(SwiftUI)
  public import AppComposition
  import Application
  import CurlewScreens
  import CurlewSwiftUI
  import Domain
  public import SwiftUI

  /// The search for dogs; it replaces each text of the generic search.
  public struct DogsView: View {
    private let sources: AppSources
    @State private var model: ScreenModel<DogSearch>

    /// Creates a view that shows data from the given sources.
    public init(_ sources: AppSources) {
      self.sources = sources
      _model = State(initialValue: sources.model(DogSearch(sources.dogs)))
    }

    init(model: ScreenModel<DogSearch>, _ sources: AppSources) {
      self.sources = sources
      _model = State(initialValue: model)
    }

    /// The view.
    public var body: some View {
      NavigationStack {
        SearchList(
          model.state, prompt: "Name of a breed", send: { model.send($0) }
        ) { dog in
          MediaRow(
            picture: dog.picture, title: dog.name, details: [DogFacts(dog).line], sources)
        } placeholder: { placeholder in
          switch placeholder {
          case .initial: Text("Type the beginning of a breed's name.")
          case .empty(let term): Text("No breed begins with \(term).")
          case .failed: Text("The dogs could not be loaded.")
          case .hint, .loading: EmptyView()
          }
        }
        .navigationTitle("Dogs")
        .activity(of: model) { ProgressView("Loading dogs…") }
        .running(model)
      }
    }
  }
#endif
