import CurlewScreens
import CurlewSwiftUI
import SwiftUI

struct SongSearchView: View {
  @State private var model = ScreenModel(Search<Song>.iTunes)

  var body: some View {
    NavigationStack {
      SearchList(model, prompt: "Title or artist") { song in
        Text(song.trackName)
      }.running(model)
    }
  }
}
