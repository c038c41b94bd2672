import SwiftUI

// MARK: Views

struct Poster: View {
  let url: URL?
  let width: CGFloat
  @ScaledMetric private var scale = 1.0

  var body: some View {
    AsyncImage(url: url) { image in
      image.resizable().scaledToFit()
    } placeholder: {
      Rectangle().fill(.quaternary)
    }.frame(width: width * scale, height: width * 1.5 * scale).clipShape(.rect(cornerRadius: 6))
      .accessibilityHidden(true)
  }
}

struct PosterRow: View {
  let poster: URL?
  let title: String
  let details: String
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    let layout =
      typeSize.isAccessibilitySize
      ? AnyLayout(VStackLayout(alignment: .leading))
      : AnyLayout(HStackLayout(alignment: .top, spacing: 12))
    layout {
      Poster(url: poster, width: 60)
      VStack(alignment: .leading, spacing: 4) {
        Text(title).font(.headline)
        Text(details).font(.subheadline).foregroundStyle(.secondary)
      }
    }
  }
}
