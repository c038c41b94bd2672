import Foundation

/// A list or dictionary that is decoded without a container, which takes longer than most elements.
protocol DirectCollection {
  /// Decodes a value; returns `nil` if it is of another kind, or must be decoded with a container.
  ///
  /// - Parameter index: The index in the tape of the value that the decoder is at.
  static func decode(_ index: Int, _ decoder: TapeDecoder) throws -> Self?
}

extension Array: DirectCollection where Element: Decodable {
  static func decode(_ index: Int, _ decoder: TapeDecoder) throws -> [Element]? {
    let list = decoder.tape.pointee[index]
    guard list.kind == Word.Kind.array else { return nil }
    // The types are the same, as the comparisons say.
    if Element.self == String.self {
      let strings = try decoder.scalars(index, String.self, { $0.tape.pointee.string(at: $1) }) {
        $0.failure(String.self, at: $1, $2)
      }
      return unsafeBitCast(strings, to: [Element].self)
    }
    if Element.self == Int.self {
      let numbers = try decoder.scalars(
        index, Int.self, { $0.tape.pointee.integer(Int.self, at: $1) }
      ) { $0.failure(Int.self, at: $1, $2) }
      return unsafeBitCast(numbers, to: [Element].self)
    }
    if Element.self == Double.self {
      let numbers = try decoder.scalars(index, Double.self, { $0.double(at: $1) }) {
        $0.failure(Double.self, at: $1, $2)
      }
      return unsafeBitCast(numbers, to: [Element].self)
    }
    return try decoder.elements(index)
  }
}

extension Dictionary: DirectCollection where Key == String, Value: Decodable {
  static func decode(_ index: Int, _ decoder: TapeDecoder) throws -> [String: Value]? {
    let object = decoder.tape.pointee[index]
    if decoder.state.pointee.keyStyle == .same {
      // The standard library reads all keys before the first value.
      return object.kind == Word.Kind.object ? try decoder.members(index) : nil
    }
    // Foundation doesn't convert the keys of dictionaries.
    if let error = decoder.nullFailure([String: Any].self, at: index, decoder.codingPath) {
      throw error
    }
    guard object.isObject else {
      throw decoder.mismatch([String: Any].self, at: index, decoder.codingPath)
    }
    return try decoder.members(index)
  }
}

extension TapeDecoder {
  /// Decodes a list of values that have no coding paths below them.
  @inline(__always)
  fileprivate func scalars<Element>(
    _ list: Int, _ type: Element.Type, _ read: (TapeDecoder, Int) -> Element?,
    _ failure: (TapeDecoder, Int, [any CodingKey]) -> DecodingError
  ) throws -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(tape.pointee[list].length)
    let end = tape.pointee[list].offset
    var index = list + 1
    while index < end {
      guard let element = read(self, index) else {
        throw failure(self, index, codingPath + [PathKey(index: elements.count)])
      }
      elements.append(element)
      index = tape.pointee.index(after: index)
    }
    return elements
  }

  fileprivate func elements<Element: Decodable>(_ list: Int) throws -> [Element] {
    var elements: [Element] = []
    // A short text can announce more elements than there is memory for.
    elements.reserveCapacity(min(tape.pointee[list].length, 1_024))
    let end = tape.pointee[list].offset
    var index = list + 1
    let mark = state.pointee.path.mark
    while index < end {
      let node = state.pointee.path.add(.index(elements.count), after: state.pointee.node)
      elements.append(try decode(Element.self, at: index, node, since: mark))
      index = tape.pointee.index(after: index)
    }
    return elements
  }

  fileprivate func members<Value: Decodable>(_ object: Int) throws -> [String: Value] {
    var members: [String: Value] = [:]
    members.reserveCapacity(min(tape.pointee[object].length, 1_024))
    let end = tape.pointee[object].offset
    var index = object + 1
    let mark = state.pointee.path.mark
    while index < end {
      guard let name = tape.pointee.string(KeyWord(bits: tape.pointee.words[index])) else {
        throw malformed(at: codingPath)
      }
      let isNew = members.index(forKey: name) == nil
      // Foundation decodes the values of all equal keys, where it does not convert them.
      if isNew || state.pointee.keyStyle != .same {
        let node = state.pointee.path.add(.member(index), after: state.pointee.node)
        let value = try decode(Value.self, at: index + 1, node, since: mark)
        if isNew { members[name] = value }
      }
      index = tape.pointee.index(after: index + 1)
    }
    return members
  }
}
