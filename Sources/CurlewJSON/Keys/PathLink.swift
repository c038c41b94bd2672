/// A coding path as its last key and the path before it, which many longer ones share.
final class PathLink {
  private let parent: PathLink?
  private let key: any CodingKey

  init(_ key: any CodingKey, after parent: PathLink?) {
    (self.key, self.parent) = (key, parent)
  }

  /// The keys, the first one first.
  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var link: PathLink? = self
    while let next = link {
      keys.append(next.key)
      link = next.parent
    }
    return keys.reversed()
  }
}
