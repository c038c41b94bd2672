#if canImport(SwiftUI)
  public import AppComposition
  import Application
  import CurlewScreens
  import CurlewSwiftUI
  import Domain
  public import SwiftUI

  /// A search for anything, whose views can each be replaced.
  struct SearchView<
    Item: Identifiable & Equatable & Sendable, Row: View, Loading: View, Empty: View
  >:
    View
  {
    let model: AppModel<Search<Item>>
    let prompt: LocalizedStringKey
    @ViewBuilder let row: (Item) -> Row
    @ViewBuilder let loading: () -> Loading
    @ViewBuilder let empty: (String) -> Empty

    var body: some View {
      List(model.items) { row($0) }
        .overlay {
          switch model.results.phase {
          case .loading(last: nil): loading()
          case .empty: empty(model.term ?? "")
          default: EmptyView()
          }
        }
        .searchable(text: model.binding(\.text) { .term($0) }, prompt: prompt)
        .onSubmit(of: .search) { model.send(.submit) }
        .activity(of: model)
        .running(model)
    }
  }

  /// The search for dogs.
  public struct DogsView: View {
    @State private var model: AppModel<DogSearch>

    /// Shows what the sources have.
    public init(_ sources: AppSources) {
      _model = State(initialValue: sources.model(DogSearch(sources.dogs)))
    }

    init(model: AppModel<DogSearch>) { _model = State(initialValue: model) }

    /// The view.
    public var body: some View {
      NavigationStack {
        SearchView(model: model, prompt: "Name of a breed") { dog in
          Text(dog.name)
        } loading: {
          Text("Looking for dogs…")
        } empty: { term in
          Text("No dog is called \(term).")
        }
        .navigationTitle("Dogs")
      }
    }
  }
#endif
