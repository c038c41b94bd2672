#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import Domain
  import UIKit

  /// The best-selling movies of a store.
  final class TopMoviesViewController: MediaListController<TopMovies, StoreMovie> {
    convenience init(_ sources: AppSources) {
      self.init("Top Movies", sources.model(TopMovies(store: sources.store)), sources)
    }

    override func makePresenter() -> Presenter { Presenter(\.feed) { .feed($0) } }

    override func configure(_ cell: UICollectionViewListCell, for movie: StoreMovie) {
      let texts = StoreMovieRow(movie)
      cell.contentConfiguration = row(
        texts.title, texts.image, "No. \(movie.rank)", texts.price, texts.releaseDate)
    }
  }
#endif
