import CCurlewLiveAssets
public import CurlewScreens
public import Hummingbird

/// A drawer on a page, for development, which shows the activity of the page's screen.
///
/// It shows events, waits, work, requests and states as they happen. It is available only on pages that are added with
/// an inspector, and only to browsers on the same machine.
///
/// ```swift
/// let inspector = LiveInspector()
/// router.add(inspector)
/// router.add(BirdsPage(), inspector: inspector) { … }
/// ```
/// The frame must contain a button with `data-live-inspect` and `hidden`, which the page's script shows. A client whose
/// observers include `.timeline` adds the requests of each screen's work.
public struct LiveInspector: Sendable {
  /// A number that the user can change while the pages run, such as a server's delay.
  public struct Control: Sendable {
    /// The reason why a value can't be set, as a sentence for the user.
    public struct Failure: Error {
      let text: String

      /// Creates a failure with a sentence for the user.
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
    ///   - name: The control's unique name.
    ///   - label: The name that the user sees.
    ///   - note: A sentence about the control's effect.
    ///   - unit: `ms`, `%` for a share from 0 to 1, or any other unit; empty for none.
    ///   - range: The allowed values.
    ///   - step: The difference between adjacent values.
    ///   - get: A closure that returns the current value; `nil` for no limit, which is the end of the range.
    ///   - set: A closure that sets the value.
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

  /// A button that sets some controls, and resets the others to their initial values.
  public struct Scenario: Sendable {
    let label: String
    let values: [String: Double]
    let note: String
    /// Whether the page's first submit button is pressed twice in immediate succession.
    var submitsTwice = false

    /// Creates a scenario.
    ///
    /// - Parameters:
    ///   - label: The name that the user sees: `Slow train`.
    ///   - values: The values of controls, keyed by name.
    ///   - note: A sentence about the effect to watch for.
    public init(_ label: String, _ values: [String: Double], note: String = "") {
      (self.label, self.values, self.note) = (label, values, note)
    }

    /// Returns a scenario that presses the page's first submit button twice in immediate succession.
    public static func twoClicks(_ label: String, note: String) -> Scenario {
      var scenario = Scenario(label, [:], note: note)
      scenario.submitsTwice = true
      return scenario
    }
  }

  /// The visitor (a browser tab) for whom a control is read or set.
  ///
  /// The requests of the visitor's pages have it as their `Initiator/visitor`.
  @TaskLocal public static var visitor: String?

  let controls: [Control]
  let scenarios: [Scenario]
  let code: [String: String]
  private let recorder: TraceRecorder?

  /// Creates an inspector, with controls that all pages share.
  ///
  /// - Parameters:
  ///   - controls: Numbers that the user can change.
  ///   - scenarios: Buttons that set several controls.
  ///   - code: The lines of the app's source that cause the behavior in the timeline, keyed by the timeline's terms:
  ///     `debounce`, `latest wins`, `retry`, `cache`, `coalesced`, `rate limit`.
  ///   - recorder: A recorder of the screens of all sessions; each session can be saved as a trace of its own in any case.
  public init(
    controls: [Control] = [], scenarios: [Scenario] = [], code: [String: String] = [:],
    recorder: TraceRecorder? = nil
  ) {
    (self.controls, self.scenarios, self.code) = (controls, scenarios, code)
    self.recorder = recorder
  }

  /// Returns the timeline of a session.
  func timeline(_ clock: any Clock<Duration>) -> Timeline { Timeline(clock, recorder: recorder) }

  /// The paths of the inspector's files, for the script that opens it.
  var files: String { "\(Self.script.path) \(Self.stylesheet.path)" }

  static let script = LiveAsset(
    named: "inspector.js",
    bytes: LiveAsset.script(of: [LiveAsset.bytes(of: curlew_live_inspector_script())]),
    contentType: "text/javascript; charset=utf-8")
  static let stylesheet = LiveAsset(
    named: "inspector.css", bytes: LiveAsset.bytes(of: curlew_live_inspector_styles()),
    contentType: "text/css; charset=utf-8")
}

extension Router {
  /// Serves the files of an inspector.
  public func add(_ inspector: LiveInspector) {
    add(LiveInspector.script)
    add(LiveInspector.stylesheet)
  }
}
