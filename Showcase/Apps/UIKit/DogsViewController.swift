#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import Domain
  import UIKit

  /// The search for dogs; it replaces each text of the generic search.
  final class DogsViewController: MediaListController<DogSearch, Dog> {
    convenience init(_ sources: AppSources) {
      self.init("Dogs", sources.model(DogSearch(sources.dogs)), sources)
    }

    override func makePresenter() -> Presenter { Presenter(\.self) { $0 } }

    override func configure(_ cell: UICollectionViewListCell, for dog: Dog) {
      cell.contentConfiguration = row(dog.name, dog.picture, DogFacts(dog).line)
    }

    override func makePlaceholder(_ placeholder: ListPlaceholder) -> (any UIContentConfiguration)? {
      var content = UIContentUnavailableConfiguration.empty()
      switch placeholder {
      case .initial: content.text = "Type the beginning of a breed's name."
      case .empty(let term): content.text = "No breed begins with \(term)."
      default: return super.makePlaceholder(placeholder)
      }
      return content
    }

    override func makeIndicator() -> any UIContentConfiguration {
      var content = UIContentUnavailableConfiguration.loading()
      content.text = "Loading dogs…"
      return content
    }
  }
#endif
