import SwiftUI

// MARK: Network

struct Dog: Identifiable, Sendable {
  let id: Int
  let name: String
  let breed: String
}

protocol DogSource: Sendable { func dogs(named: String) async throws -> [Dog] }

// MARK: Views

struct DogsView: View {
  @State private var search: Search<String, [Dog]>

  init(source: some DogSource) {
    let loader = Loader(fetch: { (name: String) in
      try await retrying { try await source.dogs(named: name) }
    })
    _search = State(initialValue: Search(loader))
  }

  var body: some View {
    NavigationStack {
      SearchScreen(search, prompt: "Name") { dogs in List(dogs) { dog in DogRow(dog: dog) } }.start
      { ContentUnavailableView("Search for a Dog", systemImage: "dog") }.loading {
        ProgressView("Whistling…")
      }.noResults { term in
        ContentUnavailableView("No Dogs Found for “\(term)”", systemImage: "dog")
      }.failure { reason in
        ContentUnavailableView(
          "The Dogs Failed to Load", systemImage: "pawprint", description: Text(reason))
      }.navigationTitle("Dogs")
    }
  }
}

private struct DogRow: View {
  let dog: Dog

  var body: some View {
    VStack(alignment: .leading) {
      Text(dog.name).font(.headline)
      Text(dog.breed).font(.subheadline).foregroundStyle(.secondary)
    }.spoken("\(dog.name), \(dog.breed)")
  }
}
