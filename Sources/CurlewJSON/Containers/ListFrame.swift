/// A list that is being decoded; an unkeyed container refers to it.
final class ListFrame {
  unowned(unsafe) let decoder: TapeDecoder
  /// The index of the list in the tape.
  let list: Int
  /// The list's node in the coding path.
  private(set) var node: Int32
  /// The decoder, retained when the frame outlives its value.
  private var owner: TapeDecoder?
  /// The path to the list, if it differs from the node's path.
  private var path: [any CodingKey]?

  init(_ decoder: TapeDecoder, _ list: Int, at node: Int32) {
    (self.decoder, self.list, self.node) = (decoder, list, node)
  }

  var count: Int { decoder.tape.pointee[list].length }

  var codingPath: [any CodingKey] { path ?? decoder.codingPath(to: node) }

  /// Adds the node of an element's index.
  @inline(__always)
  func addNode(_ index: Int) -> Int32 {
    let parent = path.map { decoder.state.pointee.path.add($0) } ?? node
    return decoder.state.pointee.path.add(.index(index), after: parent)
  }

  /// Makes the frame independent of the current value, because its container may outlive it.
  func detach(at path: [any CodingKey]) {
    self.path = path
    node = CodingPath.root
    owner = decoder
  }
}
