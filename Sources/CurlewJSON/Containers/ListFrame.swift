/// A list that is being decoded: what an unkeyed container refers to.
final class ListFrame {
  unowned(unsafe) let decoder: TapeDecoder
  /// The index of the list in the tape.
  let list: Int
  /// The list's node in the coding path.
  private(set) var node: Int32
  /// The decoder, once the frame outlives its value.
  private var owner: TapeDecoder?
  /// The keys that lead to the list, where they are not those of the node.
  private(set) var path: [any CodingKey]?

  init(_ decoder: TapeDecoder, _ list: Int, at node: Int32) {
    (self.decoder, self.list, self.node) = (decoder, list, node)
  }

  var count: Int { decoder.tape.pointee[list].length }

  /// The keys from the value that the decoder was made for.
  var keys: [any CodingKey] { decoder.keys(to: node) + (path ?? []) }

  /// Adds the node of an index.
  @inline(__always)
  func addNode(_ index: Int) -> Int32 {
    var parent = node
    if let path { parent = decoder.state.pointee.path.add(path, after: parent) }
    return decoder.state.pointee.path.add(.index(index), after: parent)
  }

  /// Makes the frame independent of the value that is being decoded: its container may be kept.
  func detach(at path: [any CodingKey]) {
    self.path = path
    node = CodingPath.root
    owner = decoder
  }
}
