#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import CurlewScreens
  import CurlewUIKit
  import Foundation
  import UIKit

  /// A list whose rows have an image, a title and details.
  class MediaListController<S: Screen, Item: Identifiable & Equatable & Sendable>:
    ListViewController<S, Item>
  where Item.ID: Sendable {
    private let sources: AppSources

    init(_ title: String, _ model: ScreenModel<S>, _ sources: AppSources) {
      self.sources = sources
      super.init(model)
      self.title = title
    }

    required init?(coder: NSCoder) { nil }

    /// Returns the content of an item's row.
    func row(
      _ title: String, _ picture: URL?, _ details: String?...
    ) -> MediaContent {
      MediaContent(picture: picture, title: title, details: details, sources)
    }
  }

  /// The details of an item: texts below an image.
  class DetailController<S: Screen>: ScreenViewController<S> {
    private let sources: AppSources
    private let picture = UIImageView()
    private let texts = UILabel()
    private var load: Task<Void, Never>?
    private var url: URL?

    init(_ title: String, _ model: ScreenModel<S>, _ sources: AppSources) {
      self.sources = sources
      super.init(model)
      self.title = title
    }

    required init?(coder: NSCoder) { nil }

    /// Starts a refresh.
    func refresh() -> PendingWork? { nil }

    override func viewDidLoad() {
      let scroll = UIScrollView(frame: .zero)
      let stack = UIStackView(arrangedSubviews: [picture, texts])
      stack.axis = .vertical
      picture.contentMode = .scaleAspectFit
      (texts.numberOfLines, texts.adjustsFontForContentSizeCategory) = (0, true)
      texts.font = .preferredFont(forTextStyle: .body)
      view.backgroundColor = .systemBackground
      view.addPinned(scroll)
      scroll.addPinned(stack)
      stack.widthAnchor.constraint(equalTo: scroll.widthAnchor).isActive = true
      let control = UIRefreshControl()
      control.addAction(
        UIAction { [weak self, weak control] _ in
          Task {
            await self?.refresh()?.finished()
            control?.endRefreshing()
          }
        }, for: .valueChanged)
      scroll.refreshControl = control
      super.viewDidLoad()
    }

    /// Shows an image and texts.
    func show(_ url: URL?, _ lines: [String?]) {
      texts.text = lines.compactMap { $0 }.joined(separator: "\n\n")
      guard let url, url != self.url else { return }
      self.url = url
      load?.cancel()
      load = Task { [sources, picture] in
        let image = await sources.uiImage(url)
        if !Task.isCancelled { picture.image = image }
      }
    }

    deinit { load?.cancel() }
  }
#endif
