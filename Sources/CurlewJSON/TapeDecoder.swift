import Foundation

/// Decodes values from a tape: the `Decoder` passed to `init(from:)`.
///
/// A single object decodes all values of a text: it tracks the current value and restores the enclosing value
/// afterwards, as Foundation's decoder does.
final class TapeDecoder {
  /// The state that changes with each value, in its own memory: access to a class's properties has exclusivity checks.
  struct State {
    /// The index of the current value in the tape.
    var value = 0
    /// The node of the current value in the coding path.
    var node = CodingPath.root
    var path: CodingPath
    /// Whether a value is being decoded, after which its containers are reused.
    var isDecoding = false
    /// The open frames of keyed containers, the last one first.
    var open: UnsafeMutablePointer<KeyedFrame.State>?
    /// The frames of unkeyed containers.
    var lists: [ListFrame] = []
    var settings = Settings.standard
    var keyStyle = Settings.KeyStyle.same
  }

  let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
  let tape: UnsafeMutablePointer<Tape>
  var document: Document
  let types: TypeCache
  var settings: Settings {
    @inline(__always) get { state.pointee.settings }
  }

  /// Creates a decoder of a text.
  ///
  /// - Parameters:
  ///   - document: The text.
  ///   - types: The type cache.
  ///   - value: The index of a value in the tape.
  ///   - path: The coding path of the value.
  init(
    _ document: Document = Document(), _ types: TypeCache = TypeCache(), value: Int = 0,
    at path: [any CodingKey] = []
  ) {
    (self.document, self.types) = (document, types)
    tape = document.tape
    state.initialize(to: State(value: value, path: CodingPath(after: path)))
  }

  func set(_ settings: Settings) {
    state.pointee.settings = settings
    state.pointee.keyStyle = settings.keyStyle
  }

  deinit {
    state.pointee.path.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// A text and its tape, which several decoders can share.
  final class Document {
    let tape = UnsafeMutablePointer<Tape>.allocate(capacity: 1)

    init() { tape.initialize(to: Tape()) }

    deinit {
      tape.pointee.deallocate()
      tape.deallocate()
    }
  }
}

extension TapeDecoder {
  /// Decodes the value at an index of the tape.
  ///
  /// - Parameters:
  ///   - node: The value's node in the coding path.
  ///   - mark: The state of the nodes before this node was added.
  @inline(__always)
  func decode<Value: Decodable>(
    _ type: Value.Type, at index: Int, _ node: Int32, since mark: CodingPath.Mark
  ) throws -> Value {
    let (outerValue, outerNode) = (state.pointee.value, state.pointee.node)
    let (open, listCount) = (state.pointee.open, state.pointee.lists.count)
    let wasDecoding = state.pointee.isDecoding
    state.pointee.value = index
    state.pointee.node = node
    state.pointee.isDecoding = true
    defer {
      if state.pointee.open != open || state.pointee.lists.count != listCount {
        closeFrames(upTo: open, listCount)
      }
      state.pointee.value = outerValue
      state.pointee.node = outerNode
      state.pointee.isDecoding = wasDecoding
      state.pointee.path.remove(since: mark)
    }
    if Value.self == Date.self || Value.self == Data.self || Value.self == URL.self
      || Value.self == Decimal.self
    {
      return try special(type, index, outerNode)
    }
    if tape.pointee[index].kind >= Word.Kind.array || state.pointee.keyStyle != .same,
      let collection = types.collection(type)
    {
      return try decode(collection, as: type, at: index)
    }
    return try type.init(from: self)
  }

  /// Decodes a list or dictionary.
  ///
  /// - Parameter type: The same type as `collection`.
  @inline(never)
  private func decode<Collection: DirectCollection, Value: Decodable>(
    _ collection: Collection.Type, as type: Value.Type, at index: Int
  ) throws -> Value {
    guard let value = try collection.decode(index, self) else { return try type.init(from: self) }
    return unsafeBitCast(value, to: type)
  }

  /// Closes the containers of a decoded value.
  private func closeFrames(
    upTo open: UnsafeMutablePointer<KeyedFrame.State>?, _ listCount: Int
  ) {
    while let frame = state.pointee.open, frame != open {
      state.pointee.open = frame.pointee.next
      if !frame.close() {
        frame.pointee.frame.detach(at: codingPath(to: frame.pointee.node))
      }
    }
    while state.pointee.lists.count > listCount {
      var frame = state.pointee.lists.removeLast()
      if !isKnownUniquelyReferenced(&frame) { frame.detach(at: codingPath(to: frame.node)) }
    }
  }

  // MARK: - Coding paths

  /// Returns the path of a node.
  func codingPath(to node: Int32) -> [any CodingKey] {
    state.pointee.path.keys(to: node, name: memberKey)
  }

  private func memberKey(_ index: Int) -> any CodingKey {
    let name = tape.pointee.string(KeyWord(bits: tape.pointee.words[index])) ?? ""
    return state.pointee.keyStyle == .same
      ? PathKey(dictionaryKey: name) : PathKey(stringValue: name)
  }
}
