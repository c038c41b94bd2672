public import Hummingbird

/// A drawer on a page, for development, which shows what the page's screen does.
///
/// It shows events, waits, work, requests and states while they happen.
/// It is off unless pages are added with one, and responds only to browsers on the same machine.
///
/// ```swift
/// let inspector = LiveInspector()
/// router.add(inspector)
/// router.add(BirdsPage(), inspector: inspector) { … }
/// ```
/// The frame has a button with `data-live-inspect` and `hidden`, which the page's script shows. A
/// client whose observers include `.timeline` adds the requests of each screen's work.
public struct LiveInspector: Sendable {
  /// A number that the user can change while the pages run, such as how slow a server is.
  public struct Control: Sendable {
    /// Why a value can't be set: a sentence for the user.
    public struct Failure: Error {
      let text: String

      /// Creates one with a sentence.
      public init(_ text: String) {
        self.text = text
      }
    }

    let name: String
    let label: String
    let note: String
    let unit: String
    let range: ClosedRange<Double>
    let step: Double
    let initial: Double?
    let get: @Sendable () -> Double?
    let set: @Sendable (Double) throws(Failure) -> Void

    /// Creates a control.
    ///
    /// - Parameters:
    ///   - name: Its name, which no other control has.
    ///   - label: Its name for the user.
    ///   - note: What it does, in a sentence.
    ///   - unit: `ms`, `%` for a share from 0 to 1, or any other; empty for none.
    ///   - range: The values that it can have.
    ///   - step: The difference of two values beside each other.
    ///   - get: Returns the present value; `nil` for no limit, which is at the end of the range.
    ///   - set: Changes it.
    public init(
      _ name: String, label: String, note: String, unit: String = "", range: ClosedRange<Double>,
      step: Double, get: @escaping @Sendable () -> Double?,
      set: @escaping @Sendable (Double) throws(Failure) -> Void
    ) {
      (self.name, self.label, self.note, self.unit) = (name, label, note, unit)
      (self.range, self.step, self.get, self.set) = (range, step, get, set)
      initial = get()
    }
  }

  /// A button that sets controls, each of the others to its initial value.
  public struct Scenario: Sendable {
    let label: String
    let values: [String: Double]
    let note: String
    /// Whether the page's first button that submits something is pressed, twice at once.
    var pressesTwice = false

    /// Creates a scenario.
    ///
    /// - Parameters:
    ///   - label: Its name for the user: `Slow train`.
    ///   - values: The values of controls, by their names.
    ///   - note: What to watch for, in a sentence.
    public init(_ label: String, _ values: [String: Double], note: String = "") {
      (self.label, self.values, self.note) = (label, values, note)
    }

    /// Presses the page's first button that submits something, twice at once.
    public static func twoClicks(_ label: String, note: String) -> Scenario {
      var scenario = Scenario(label, [:], note: note)
      scenario.pressesTwice = true
      return scenario
    }
  }

  /// The visitor, a tab of a browser, for whom a control is read or set; the requests of that visitor's pages have it as
  /// their `Initiator/visitor`.
  @TaskLocal public static var visitor: String?

  let controls: [Control]
  let scenarios: [Scenario]
  let code: [String: String]

  /// Creates an inspector, with controls that all pages share.
  ///
  /// - Parameters:
  ///   - controls: Numbers that the user can change.
  ///   - scenarios: Buttons that set several of them.
  ///   - code: The lines of the app's source that cause what the timeline shows, by the terms that it shows: `debounce`,
  ///     `latest wins`, `retry`, `cache`, `coalesced`, `rate limit`.
  public init(
    controls: [Control] = [], scenarios: [Scenario] = [], code: [String: String] = [:]
  ) {
    (self.controls, self.scenarios, self.code) = (controls, scenarios, code)
  }

  /// The paths of its files, for the script that opens it.
  var files: String { "\(Self.script.path) \(Self.stylesheet.path)" }

  static let script = LiveAsset(
    named: "inspector.js",
    bytes: LiveAsset.script(of: [
      PackageResources.inspector_open_js, PackageResources.inspector_markup_js,
      PackageResources.inspector_words_js, PackageResources.inspector_drawer_js,
      PackageResources.inspector_controls_js, PackageResources.inspector_timeline_js,
      PackageResources.inspector_sentences_js, PackageResources.inspector_rows_js,
      PackageResources.inspector_state_js, PackageResources.inspector_wire_js,
      PackageResources.inspector_changes_js,
    ]), contentType: "text/javascript; charset=utf-8")
  static let stylesheet = LiveAsset(
    named: "inspector.css", bytes: PackageResources.inspector_css,
    contentType: "text/css; charset=utf-8")
}

extension Router {
  /// Serves the files of an inspector.
  public func add(_ inspector: LiveInspector) {
    add(LiveInspector.script)
    add(LiveInspector.stylesheet)
  }
}
