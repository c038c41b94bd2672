/// A list one of whose entries may be damaged without the others being lost.
///
/// An endpoint asks for it by the type of its response, or of a member of it; a plain array stays
/// strict.
///
/// ```swift
/// struct Feed: Decodable {
///   let entry: LossyList<Entry>
/// }
/// ```
///
/// What is not a list at all, and a list of nothing but damaged entries, is a decoding error.
public struct LossyList<Element: Decodable> {
  /// The entries that could be read, in their order.
  public var elements: [Element]
  /// The entries that could not be read, in their order.
  public var failures: [Failure]

  /// Creates a list.
  public init(_ elements: [Element] = [], failures: [Failure] = []) {
    self.elements = elements
    self.failures = failures
  }

  /// Says why an entry could not be read, without secrets of the request.
  public struct Failure: Sendable, Hashable, CustomStringConvertible {
    /// The entry's place in the list, from 0.
    public let index: Int
    /// Where in the whole response: `feed.entry[3].im:price`.
    public let codingPath: String
    /// What was expected and what was found, in one line.
    public let reason: String

    /// Creates a report.
    public init(index: Int, codingPath: String, reason: String) {
      self.index = index
      self.codingPath = codingPath
      self.reason = reason
    }

    /// The place and the reason.
    public var description: String { "\(codingPath): \(reason)" }
  }
}

extension LossyList: Decodable {
  /// Reads each entry by itself, and sets those aside that can't be read.
  public init(from decoder: any Decoder) throws {
    self.init()
    var list = try decoder.unkeyedContainer()
    var first: DecodingProblem?
    var index = 0
    while !list.isAtEnd {
      let place = list.currentIndex
      do {
        elements.append(try list.decode(Element.self))
      } catch {
        let problem = DecodingProblem(error, at: list.codingPath + [JSONKey(intValue: index)])
        first = first ?? problem
        failures.append(Failure(index: index, problem))
        if list.currentIndex == place { try list.skip() }
        // A decoder that can't go on would be asked for this entry for ever.
        guard list.currentIndex > place else { throw error }
      }
      index += 1
    }
    if let first, elements.isEmpty {
      let count = failures.count
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: first.path,
          debugDescription: (count == 1 ? "the only entry" : "not one of the \(count) entries")
            + " can\(count == 1 ? "'t" : "") be read: \(first.reason)"))
    }
  }
}

extension LossyList: Sendable where Element: Sendable {}
extension LossyList: Equatable where Element: Equatable {}
extension LossyList: Hashable where Element: Hashable {}

extension LossyList.Failure {
  fileprivate init(index: Int, _ problem: DecodingProblem) {
    // A reason may quote the server, and the server what it was sent.
    let redact = DecodingRedaction.redact ?? { $0 }
    self.init(
      index: index, codingPath: redact(problem.place).shortened,
      reason: redact(problem.reason).shortened)
  }
}

/// Takes any value for read.
private struct Skipped: Decodable {
  init(from decoder: any Decoder) throws {}
}

extension UnkeyedDecodingContainer {
  /// Goes on to the next entry: a decoder stays at one that it could not read.
  fileprivate mutating func skip() throws {
    if try decodeNil() { return }
    _ = try decode(Skipped.self)
  }
}
