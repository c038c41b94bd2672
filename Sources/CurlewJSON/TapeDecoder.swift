import Foundation

/// Decodes values from a tape: the `Decoder` that types get in their `init(from:)`.
///
/// One object serves all values of a text. It knows which one is being decoded, and comes back to the value
/// around it afterwards, as Foundation's does.
final class TapeDecoder {
  /// What changes with each value, in memory of its own: access to members of a class is checked.
  struct State {
    /// The index of the value in the tape.
    var value = 0
    /// The node of the value in the coding path.
    var node = CodingPath.root
    var path = CodingPath()
    /// The containers that the values being decoded have asked for.
    var frames: [Frame] = []
    var settings = Settings.standard
    var keyStyle = Settings.KeyStyle.same
  }

  /// A container's frame.
  enum Frame {
    case keyed(KeyedFrame)
    case list(ListFrame)
  }

  let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
  let tape: UnsafeMutablePointer<Tape>
  var document: Document
  let types: TypeCache
  /// The keys before those of ``State/path``.
  let basePath: [any CodingKey]
  var settings: Settings {
    @inline(__always) get { state.pointee.settings }
  }

  /// Creates a decoder of a text.
  ///
  /// - Parameters:
  ///   - document: The text.
  ///   - types: What is known of types.
  ///   - value: The index of a value in its tape.
  ///   - path: The coding path of the value.
  init(
    _ document: Document = Document(), _ types: TypeCache = TypeCache(), value: Int = 0,
    at path: [any CodingKey] = []
  ) {
    (self.document, self.types, basePath) = (document, types, path)
    tape = document.tape
    state.initialize(to: State(value: value))
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

  /// A text and its tape, which more than one decoder may use.
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
  /// Decodes a value that is at an index of the tape.
  ///
  /// - Parameters:
  ///   - node: The value's node in the coding path.
  ///   - mark: The nodes before it was added.
  @inline(__always)
  func decode<Value: Decodable>(
    _ type: Value.Type, at index: Int, _ node: Int32, since mark: CodingPath.Mark
  ) throws -> Value {
    let (outerValue, outerNode) = (state.pointee.value, state.pointee.node)
    let frameCount = state.pointee.frames.count
    state.pointee.value = index
    state.pointee.node = node
    defer {
      if state.pointee.frames.count != frameCount { closeFrames(after: frameCount) }
      state.pointee.value = outerValue
      state.pointee.node = outerNode
      state.pointee.path.remove(since: mark)
    }
    if Value.self == Date.self || Value.self == Data.self || Value.self == URL.self
      || Value.self == Decimal.self
    {
      return try special(type, index, outerNode)
    }
    if tape.pointee[index].kind >= Word.Kind.array || state.pointee.keyStyle != .same,
      let collection = types.collection(type),
      let value = try decode(collection, as: type, at: index)
    {
      return value
    }
    return try type.init(from: self)
  }

  /// Decodes a list or dictionary.
  ///
  /// - Parameter type: The same type.
  private func decode<Collection: DirectCollection, Value>(
    _ collection: Collection.Type, as type: Value.Type, at index: Int
  ) throws -> Value? {
    try collection.decode(index, self).map { unsafeBitCast($0, to: type) }
  }

  /// Gives the containers of a decoded value back.
  private func closeFrames(after count: Int) {
    while state.pointee.frames.count > count {
      switch state.pointee.frames.removeLast() {
      case .keyed(let frame):
        if frame.isUnused {
          frame.table.containers.append(frame)
        } else {
          frame.detach(at: keys(to: frame.state.pointee.node))
        }
      case .list(var frame):
        if !isKnownUniquelyReferenced(&frame) { frame.detach(at: keys(to: frame.node)) }
      }
    }
  }

  // MARK: - Coding paths

  /// Returns the keys that lead to a node from the value that this decoder was made for.
  func keys(to node: Int32) -> [any CodingKey] {
    state.pointee.path.keys(to: node) { index in
      let word = KeyWord(bits: tape.pointee.words[index])
      let name = tape.pointee.string(word) ?? ""
      return state.pointee.keyStyle == .same
        ? PathKey(dictionaryKey: name) : PathKey(stringValue: name)
    }
  }

  func codingPath(to node: Int32) -> [any CodingKey] { basePath + keys(to: node) }
}
