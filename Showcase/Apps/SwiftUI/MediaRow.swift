#if canImport(SwiftUI)
  import AppComposition
  import Foundation
  import ImageIO
  import SwiftUI

  /// A row with an image, a title and details; VoiceOver reads it as one sentence.
  struct MediaRow: View {
    let picture: URL?
    let title: String
    let details: [String?]
    let sources: AppSources

    init(picture: URL?, title: String, details: [String?], _ sources: AppSources) {
      (self.picture, self.title, self.details, self.sources) = (picture, title, details, sources)
    }

    var body: some View {
      HStack(alignment: .top) {
        RemoteImage(picture, width: 48, sources)
        VStack(alignment: .leading) {
          Text(title).font(.headline)
          ForEach(details.compactMap { $0 }.filter { !$0.isEmpty }, id: \.self) { detail in
            Text(detail).font(.subheadline).foregroundStyle(.secondary).lineLimit(2)
          }
        }
      }
      .accessibilityElement(children: .combine)
    }
  }

  /// An image from the client's cache, or from its server.
  struct RemoteImage: View {
    let url: URL?
    let width: Double
    let sources: AppSources
    @State private var image: CGImage?

    init(_ url: URL?, width: Double, _ sources: AppSources) {
      (self.url, self.width, self.sources) = (url, width, sources)
    }

    var body: some View {
      VStack {
        if let image {
          Image(decorative: image, scale: 1).resizable().aspectRatio(contentMode: .fit)
        }
      }
      .frame(width: width)
      .task(id: url) {
        guard let url, let data = try? await sources.image(url) else { return }
        image = CGImageSourceCreateWithData(data as CFData, nil).flatMap {
          CGImageSourceCreateImageAtIndex($0, 0, nil)
        }
      }
    }
  }
#endif
