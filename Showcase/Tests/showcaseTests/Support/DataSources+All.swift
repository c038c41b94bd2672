import Domain
import showcase

extension DataSources {
  /// Everything from one source.
  init(all source: some CodeHost & MovieCatalogue & MovieStore) {
    self.init(host: source, catalogue: source, store: source)
  }
}
