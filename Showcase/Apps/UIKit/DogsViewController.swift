#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  public import AppComposition
  import Application
  import CurlewScreens
  public import CurlewUIKit
  public import Domain
  public import UIKit

  /// The search for dogs, based on the generic search controller.
  public final class DogsViewController: SearchViewController<Dog> {
    private let table = ItemTable<String>()

    /// Creates a search of the app's dogs.
    public convenience init(_ sources: AppSources) {
      self.init(DogSearch(sources.dogs))
    }

    /// Sets the title.
    public override func viewDidLoad() {
      super.viewDidLoad()
      title = "Dogs"
    }

    /// Returns the table of dogs.
    public override func makeContentView() -> UIView { table.view }

    /// Shows dogs.
    public override func show(_ dogs: [Dog]) {
      table.show(dogs.map { ($0.id, $0.name, DogFacts($0).line) })
    }
  }
#endif
