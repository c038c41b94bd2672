import Domain
import showcase

extension DataSources {
  /// Creates data sources from a single source.
  init(all source: some CodeHost & MovieCatalogue & MovieStore) {
    self.init(host: source, catalogue: source, store: source)
  }
}
