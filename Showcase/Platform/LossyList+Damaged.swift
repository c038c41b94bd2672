import Curlew
import Domain

extension LossyList {
  /// The entries that could not be read, as a listing reports them.
  var damaged: [DamagedEntry] {
    failures.map { DamagedEntry(index: $0.index, reason: "\($0)") }
  }
}
