import CurlewJSON

/// A list that keeps its valid entries if other entries can't be decoded.
///
/// Use it as the type of an endpoint's response, or of a member of a response. A plain array fails as a
/// whole.
///
/// ```swift
/// struct Feed: Decodable {
///   let entry: LossyList<Entry>
/// }
/// ```
///
/// Decoding fails for a value that is not a list, and for a list that has only invalid entries.
public struct LossyList<Element: Decodable> {
  /// The valid entries, in their order.
  public var elements: [Element]
  /// The failures of the entries that could not be decoded, in their order.
  public var failures: [Failure]

  /// Creates a list.
  public init(_ elements: [Element] = [], failures: [Failure] = []) {
    self.elements = elements
    self.failures = failures
  }

  /// The reason why an entry could not be decoded, without secrets of the request.
  public struct Failure: Sendable, Hashable, CustomStringConvertible {
    /// The entry's index in the list, from 0.
    public let index: Int
    /// The coding path in the whole response, such as `feed.entry[3].im:price`.
    public let codingPath: String
    /// The expected and the actual value, in one line.
    public let reason: String

    /// Creates a failure.
    init(index: Int, codingPath: String, reason: String) {
      self.index = index
      self.codingPath = codingPath
      self.reason = reason
    }

    /// The coding path and the reason.
    public var description: String { "\(codingPath): \(reason)" }
  }
}

extension LossyList: Decodable {
  /// Decodes each entry separately, and collects a failure for each invalid entry.
  public init(from decoder: any Decoder) throws {
    self.init()
    var list = try decoder.unkeyedContainer()
    var first: DecodingProblem?
    var index = 0
    while !list.isAtEnd {
      let start = list.currentIndex
      do {
        elements.append(try list.decode(Element.self))
      } catch {
        let problem = DecodingProblem(error, at: list.codingPath + [PathKey(index: index)])
        first = first ?? problem
        failures.append(Failure(index: index, problem))
        if list.currentIndex == start { try list.skip() }
        // Without progress, this would loop forever.
        guard list.currentIndex > start else { throw error }
      }
      index += 1
    }
    if let first, elements.isEmpty {
      let count = failures.count
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: first.path,
          debugDescription: count == 1
            ? "the only entry can't be read: \(first.reason)"
            : "none of the \(count) entries can be read: \(first.reason)",
          underlyingError: first.fault))
    }
  }
}

extension LossyList: Sendable where Element: Sendable {}
extension LossyList: Equatable where Element: Equatable {}
extension LossyList: Hashable where Element: Hashable {}

extension LossyList.Failure {
  fileprivate init(index: Int, _ problem: DecodingProblem) {
    // A reason may quote the response, and the response may quote the request.
    let redact = DecodingRedaction.current?.callAsFunction ?? { $0 }
    self.init(
      index: index, codingPath: redact(problem.codingPath).shortened,
      reason: redact(problem.reason).shortened)
  }
}

/// Decodes any value and ignores it.
private struct Skipped: Decodable {
  init(from decoder: any Decoder) throws {}
}

extension UnkeyedDecodingContainer {
  /// Skips an entry: a decoder stays at an entry that it could not decode.
  fileprivate mutating func skip() throws {
    if try decodeNil() { return }
    _ = try decode(Skipped.self)
  }
}
