#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import Foundation
  import UIKit

  /// A row with an image, a title and details; VoiceOver reads it as one sentence.
  struct MediaContent: UIContentConfiguration {
    let picture: URL?
    let title: String
    let details: [String?]
    let sources: AppSources

    init(picture: URL?, title: String, details: [String?], _ sources: AppSources) {
      (self.picture, self.title, self.details, self.sources) = (picture, title, details, sources)
    }

    func makeContentView() -> any UIView & UIContentView { MediaContentView(self) }

    func updated(for state: any UIConfigurationState) -> Self { self }
  }

  /// The view of a row; a reused row cancels the load of its former image.
  private final class MediaContentView: UIView, UIContentView {
    var configuration: any UIContentConfiguration { didSet { show() } }
    private let list = UIListContentView(configuration: .subtitleCell())
    private var load: Task<Void, Never>?

    init(_ content: MediaContent) {
      configuration = content
      super.init(frame: .zero)
      addPinned(list)
      show()
    }

    required init?(coder: NSCoder) { nil }

    private func show() {
      load?.cancel()
      guard let media = configuration as? MediaContent else { return }
      let details = media.details.compactMap { $0 }.filter { !$0.isEmpty }
      var content = UIListContentConfiguration.subtitleCell()
      (content.text, content.secondaryText) = (media.title, details.joined(separator: "\n"))
      let size = CGSize(width: 48, height: 72)
      (content.imageProperties.maximumSize, content.imageProperties.reservedLayoutSize) = (
        size, size
      )
      list.configuration = content
      isAccessibilityElement = true
      accessibilityLabel = ([media.title] + details).joined(separator: ", ")
      guard let picture = media.picture else { return }
      load = Task { [list] in
        guard let image = await media.sources.uiImage(picture), !Task.isCancelled else { return }
        content.image = image
        list.configuration = content
      }
    }

    deinit { load?.cancel() }
  }

  extension AppSources {
    /// Returns an image from the cache or from its server; `nil` after a failure.
    func uiImage(_ url: URL) async -> UIImage? {
      (try? await image(url)).flatMap { UIImage(data: $0) }
    }
  }

  extension UIView {
    /// Adds a view that fills this view.
    func addPinned(_ view: UIView) {
      view.translatesAutoresizingMaskIntoConstraints = false
      addSubview(view)
      NSLayoutConstraint.activate([
        view.topAnchor.constraint(equalTo: topAnchor),
        view.bottomAnchor.constraint(equalTo: bottomAnchor),
        view.leadingAnchor.constraint(equalTo: leadingAnchor),
        view.trailingAnchor.constraint(equalTo: trailingAnchor),
      ])
    }
  }
#endif
