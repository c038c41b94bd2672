import HTTPTypes
import Tracing

/// Writes a context into the header fields of a request.
struct FieldInjector: Injector {
  func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
    guard let name = HTTPField.Name(key) else { return }
    fields[name] = value
  }
}
