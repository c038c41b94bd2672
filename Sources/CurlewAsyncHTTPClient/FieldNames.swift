import HTTPTypes
import NIOHTTP1
import Synchronization

/// The names of the header fields of the last response, in their order.
///
/// A server's responses have nearly always the same fields in the same order, and validating and
/// lowercasing a name costs more than the rest of its field.
final class FieldNames: Sendable {
  private let last = Mutex<[HTTPField.Name]>([])

  /// Calls a function with the valid names and the values of header fields, in their order.
  func forEach(in fields: HTTPHeaders, _ body: (HTTPField.Name, String) -> Void) {
    let known = last.withLock { $0 }
    var (index, hasNew) = (0, false)
    for (text, value) in fields {
      if index < known.count, known[index].rawName == text {
        body(known[index], value)
      } else if let name = HTTPField.Name(text) {
        hasNew = true
        body(name, value)
      } else {
        continue
      }
      index += 1
    }
    if hasNew { last.withLock { $0 = fields.compactMap { HTTPField.Name($0.name) } } }
  }
}
