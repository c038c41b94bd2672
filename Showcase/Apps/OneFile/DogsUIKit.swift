import CurlewScreens

#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import CurlewUIKit
  import UIKit

  final class DogsViewController: ListViewController<Search<Dog>, Dog> {
    convenience init() {
      self.init(
        ScreenModel(Search(debounce: .milliseconds(300)) { try await Kennel().dogs(named: $0) }))
      title = "Dogs"
      searchBar.placeholder = "Name"
    }

    override func configure(_ cell: UICollectionViewListCell, for dog: Dog) {
      var content = cell.defaultContentConfiguration()
      (content.text, content.secondaryText) = (dog.name, dog.breed)
      cell.contentConfiguration = content
    }

    override func select(_ dog: Dog) {
      navigationController?.pushViewController(DogViewController(dog), animated: true)
    }

    override func makePlaceholder(_ placeholder: ListPlaceholder) -> (any UIContentConfiguration)? {
      switch placeholder {
      case .initial: super.makePlaceholder(.hint("Search for a Dog"))
      case .empty(let term): super.makePlaceholder(.hint("No Dogs Found for “\(term)”"))
      default: super.makePlaceholder(placeholder)  // a failure's text and button
      }
    }

    override func makeIndicator() -> any UIContentConfiguration {
      var content = UIContentUnavailableConfiguration.loading()
      content.text = "Whistling…"
      return content
    }
  }

  final class DogViewController: UIViewController {
    convenience init(_ dog: Dog) {
      self.init()
      title = dog.name
    }
  }
#endif
