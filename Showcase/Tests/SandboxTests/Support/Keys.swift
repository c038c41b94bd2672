import Foundation

/// Returns the paths of all keys in a JSON text, such as `items[].owner.login`.
func keyPaths(_ text: some DataProtocol) throws -> Set<String> {
  var paths: Set<String> = []
  func collect(_ value: Any, at path: String) {
    if let object = value as? [String: Any] {
      for (key, value) in object {
        let path = path.isEmpty ? key : "\(path).\(key)"
        paths.insert(path)
        collect(value, at: path)
      }
    } else if let list = value as? [Any] {
      for value in list { collect(value, at: "\(path)[]") }
    }
  }
  collect(try JSONSerialization.jsonObject(with: Data(text)), at: "")
  return paths
}

extension Reply {
  var data: Data { Data(text.utf8) }

  func keyPaths() throws -> Set<String> { try SandboxTests.keyPaths(data) }

  /// Returns the response as dictionaries and arrays of Foundation.
  func object() throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }
}
