// MARK: Views

#if canImport(SwiftUI)
  import SwiftUI

  struct Poster: View {
    let url: URL?
    let width: CGFloat
    @ScaledMetric private var scale = 1.0

    var body: some View {
      AsyncImage(url: url) { image in
        image.resizable().scaledToFit()
      } placeholder: {
        Rectangle().fill(.quaternary)
      }.frame(width: width * scale, height: width * 1.5 * scale).accessibilityHidden(true)
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
        ? AnyLayout(VStackLayout(alignment: .leading)) : AnyLayout(HStackLayout(alignment: .top))
      layout {
        Poster(url: poster, width: 60)
        VStack(alignment: .leading) {
          Text(title).font(.headline)
          Text(details).foregroundStyle(.secondary)
        }
      }.accessibilityElement(children: .combine)
    }
  }
#endif
