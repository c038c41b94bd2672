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
      searchBar.placeholder = "Name of a breed"
    }

    override func configure(_ cell: UICollectionViewListCell, for dog: Dog) {
      cell.contentConfiguration = row(dog.name, dog.picture, DogFacts(dog).line)
    }

    override func makePlaceholder(_ placeholder: ListPlaceholder) -> (any UIContentConfiguration)? {
      switch placeholder {
      case .initial: return super.makePlaceholder(.hint("Type the beginning of a breed's name."))
      case .empty(let term): return super.makePlaceholder(.hint("No breed begins with \(term)."))
      case .failed:
        var content = super.makePlaceholder(placeholder) as? UIContentUnavailableConfiguration
        content?.text = "The dogs could not be loaded."
        return content
      case .hint, .loading: return super.makePlaceholder(placeholder)
      }
    }

    override func makeIndicator() -> any UIContentConfiguration {
      var content = UIContentUnavailableConfiguration.loading()
      content.text = "Loading dogs…"
      return content
    }
  }
#endif
