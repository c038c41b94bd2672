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
