import CurlewScreens
import CurlewSwiftUI
import SwiftUI

struct SongSearchView: View {
  @State private var model = ScreenModel(Search<Song>.iTunes)

  var body: some View {
    NavigationStack {
      SearchList(model, prompt: "Title or artist") { song in
        VStack(alignment: .leading) {
          Text(song.trackName).font(.headline)
          Text(song.artistName).foregroundStyle(.secondary)
        }
      } placeholder: { placeholder in
        switch placeholder {
        case .initial: ContentUnavailableView("Search for a Song", systemImage: "music.note")
        case .empty(let term): ContentUnavailableView.search(text: term)
        default: EmptyView()
        }
      }.navigationTitle("Songs").activity(of: model).running(model)
    }
  }
}
