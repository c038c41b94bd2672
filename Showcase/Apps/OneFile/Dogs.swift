import Curlew
import CurlewScreens

// MARK: Network

nonisolated struct Dog: Decodable, Identifiable, Equatable, Sendable {
  let id: Int
  let name: String
  let breed: String
}

nonisolated struct Kennel: Sendable {
  var client = Client(baseURL: "https://kennel.example") { $0.middleware = [.retrying()] }

  func dogs(named name: String) async throws -> [Dog] {
    try await client.send(.get("/dogs", query: ["name": name]))
  }
}

// MARK: Views

#if canImport(SwiftUI)
  import CurlewSwiftUI
  import SwiftUI

  struct DogsView: View {
    @State private var model = ScreenModel(Search { try await Kennel().dogs(named: $0) })

    var body: some View {
      NavigationStack {
        SearchList(model, prompt: "Name") { dog in
          VStack(alignment: .leading) {
            Text(dog.name).font(.headline)
            Text(dog.breed).foregroundStyle(.secondary)
          }.accessibilityElement(children: .combine)
        } placeholder: { placeholder in
          switch placeholder {
          case .initial: ContentUnavailableView("Search for a Dog", systemImage: "dog")
          case .empty(let term):
            ContentUnavailableView("No Dogs Found for “\(term)”", systemImage: "dog")
          case .failed: ContentUnavailableView("The Dogs Failed to Load", systemImage: "pawprint")
          default: EmptyView()
          }
        }.navigationTitle("Dogs").activity(of: model) { ProgressView("Whistling…") }.running(model)
      }
    }
  }
#endif

// MARK: UIKit

#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import CurlewUIKit
  import UIKit

  final class DogsViewController: ListViewController<Search<Dog>, Dog> {
    convenience init() {
      self.init(
        ScreenModel(Search(debounce: .milliseconds(300)) { try await Kennel().dogs(named: $0) }))
      title = "Dogs"
      searchBar.placeholder = "Name"
    }

    override func configure(_ cell: UICollectionViewListCell, for dog: Dog) {
      var content = cell.defaultContentConfiguration()
      (content.text, content.secondaryText) = (dog.name, dog.breed)
      cell.contentConfiguration = content
    }

    override func select(_ dog: Dog) {
      let detail = UIViewController()
      detail.title = dog.name
      navigationController?.pushViewController(detail, animated: true)
    }

    override func makePlaceholder(_ placeholder: ListPlaceholder) -> (any UIContentConfiguration)? {
      switch placeholder {
      case .initial: super.makePlaceholder(.hint("Search for a Dog"))
      case .empty(let term): super.makePlaceholder(.hint("No Dogs Found for “\(term)”"))
      default: super.makePlaceholder(placeholder)  // a failure's text and button
      }
    }

    override func makeIndicator() -> any UIContentConfiguration {
      var content = UIContentUnavailableConfiguration.loading()
      content.text = "Whistling…"
      return content
    }
  }
#endif
