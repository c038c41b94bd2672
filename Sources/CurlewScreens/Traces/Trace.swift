import CurlewJSON
public import Foundation

/// The events that screens have received, the values that their work has delivered, and the times of both, as a
/// ``TraceRecorder`` records them.
///
/// `CurlewTesting` prints a test that repeats them.
public struct Trace: Codable, Equatable, Sendable {
  /// An occurrence in a screen.
  package struct Step: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, Sendable {
      case event, wait, start, value, failure, finish, cancel, suspend, resume, state
    }

    package let kind: Kind
    /// The milliseconds since the screen was created.
    package let time: Double
    /// The Swift code of an event, a value or an error; the milliseconds of a wait.
    package var code: String?
    /// The name of the type of a value or an error.
    package var type: String?
    package var work: String?
    /// The number of a run of the work.
    package var run: UInt64?
  }

  /// A screen, from its beginning.
  package struct Screen: Codable, Equatable, Sendable {
    /// The name of the screen's type.
    package let name: String
    /// The modules of the types.
    package let modules: [String]
    package let steps: [Step]
    /// The texts of the parts of the last state.
    package let state: [String]
    /// Whether steps after the recorder's limit are missing.
    package let isCut: Bool
  }

  package let screens: [Screen]

  /// Reads a trace from a file.
  ///
  /// - Throws: The error of reading the file, or a `DecodingError` if it is not a trace.
  public init(_ file: URL) throws {
    self = try FastJSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }

  init(_ screens: [Screen]) { self.screens = screens }

  /// The content of a file with the trace.
  package var data: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self)
    }
  }

  /// Writes the trace to a file, in place of its content; not to a temporary file first, so that links and devices stay.
  public func write(to file: URL) throws { try data.write(to: file) }
}
