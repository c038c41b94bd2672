import Curlew
import Domain

extension LossyList {
  /// The undecodable entries, in the form that a listing reports.
  var damaged: [DamagedEntry] {
    failures.map { DamagedEntry(index: $0.index, reason: "\($0)") }
  }
}
