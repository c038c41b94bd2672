import Foundation

/// A list or dictionary that is decoded without a container, because a container costs more than most elements.
protocol DirectCollection {
  /// Decodes a value; returns `nil` if it has another kind, or must be decoded with a container.
  ///
  /// - Parameter index: The index of the decoder's current value in the tape.
  static func decode(_ index: Int, _ decoder: TapeDecoder) throws -> Self?
}

extension Array: DirectCollection where Element: Decodable {
  static func decode(_ index: Int, _ decoder: TapeDecoder) throws -> [Element]? {
    let list = decoder.tape.pointee[index]
    guard list.kind == Word.Kind.array else { return nil }
    if Element.self == String.self { return try scalars(String.self, index, decoder) }
    if Element.self == Int.self { return try scalars(Int.self, index, decoder) }
    if Element.self == Double.self { return try scalars(Double.self, index, decoder) }
    if Element.self == Float.self { return try scalars(Float.self, index, decoder) }
    if Element.self == Bool.self { return try scalars(Bool.self, index, decoder) }
    if Element.self == UInt8.self { return try scalars(UInt8.self, index, decoder) }
    return try decoder.elements(index)
  }

  /// Decodes elements as scalars of a type, which must be `Element`.
  @inline(__always)
  private static func scalars<Value: Scalar>(
    _ type: Value.Type, _ index: Int, _ decoder: TapeDecoder
  ) throws -> [Element] {
    unsafeBitCast(try decoder.scalars(type, index), to: [Element].self)
  }
}

extension Dictionary: DirectCollection where Key == String, Value: Decodable {
  static func decode(_ index: Int, _ decoder: TapeDecoder) throws -> [String: Value]? {
    let object = decoder.tape.pointee[index]
    if decoder.state.pointee.keyStyle == .same {
      // The standard library decodes all keys before the first value.
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
  fileprivate func scalars<Value: Scalar>(_ type: Value.Type, _ list: Int) throws -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(tape.pointee[list].length)
    let end = tape.pointee[list].offset
    var index = list + 1
    while index < end {
      values.append(try scalar(type, at: index, codingPath + [PathKey(index: values.count)]))
      index = tape.pointee.index(after: index)
    }
    return values
  }

  fileprivate func elements<Element: Decodable>(_ list: Int) throws -> [Element] {
    var elements: [Element] = []
    // Limited, because a short text can declare more elements than fit in memory.
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
      let key = KeyWord(bits: tape.pointee.words[index])
      guard let name = tape.pointee.string(key) else {
        throw malformed(tape.pointee.stringFault(at: key.offset), at: codingPath)
      }
      let isNew = members.index(forKey: name) == nil
      // Without key conversion, Foundation decodes only the first value of repeated keys.
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
