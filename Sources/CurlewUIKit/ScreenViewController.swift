#if canImport(UIKit) && !os(watchOS)
  public import CurlewScreens
  import Observation
  public import UIKit

  /// A view controller that runs a screen while its view is visible and its scene is not in the background, and is updated
  /// when the state changes.
  ///
  /// ```swift
  /// final class IssuesViewController: ScreenViewController<Search<Issue>> {
  ///   override func update() { tableView.show(model.items) }
  /// }
  /// ```
  open class ScreenViewController<S: Screen>: UIViewController {
    /// The running screen.
    public let model: ScreenModel<S>
    private var run: Task<Void, Never>?
    private var observers: [any NSObjectProtocol] = []
    private var isObserving = false

    /// Creates a view controller.
    public init(_ model: ScreenModel<S>) {
      self.model = model
      super.init(nibName: nil, bundle: nil)
    }

    /// Unavailable: a model can't be archived.
    @available(*, unavailable, message: "use init(_:)")
    public required init?(coder: NSCoder) { fatalError("unavailable") }

    /// Shows the state of the ``model``; called after the view has been loaded, and whenever a member of the state that
    /// the method has read changes.
    open func update() {}

    /// Starts updating the view.
    open override func viewDidLoad() {
      super.viewDidLoad()
      if #available(iOS 26, tvOS 26, visionOS 26, *) { return }
      observe()
    }

    /// Updates the view, on systems that call this method when the observed state has changed.
    @available(iOS 26, tvOS 26, visionOS 26, *)
    open override func updateProperties() {
      super.updateProperties()
      update()
    }

    /// Runs the screen.
    open override func viewIsAppearing(_ animated: Bool) {
      super.viewIsAppearing(animated)
      setRunning(true)
      guard observers.isEmpty else { return }
      let scene = view.window?.windowScene
      observers = [
        (UIScene.didEnterBackgroundNotification, false),
        (UIScene.willEnterForegroundNotification, true),
      ].map { name, isForeground in
        NotificationCenter.default.addObserver(forName: name, object: scene, queue: .main) {
          [weak self] _ in
          MainActor.assumeIsolated { self?.setRunning(isForeground) }
        }
      }
    }

    /// Suspends the screen's work.
    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      setRunning(false)
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
      observers = []
    }

    private func setRunning(_ isRunning: Bool) {
      run?.cancel()
      run = isRunning ? Task { [model] in await model.run() } : nil
    }

    private func observe() {
      withObservationTracking {
        update()
      } onChange: { [weak self] in
        // Called before the change, once for each call of `update`.
        Task { @MainActor in self?.observe() }
      }
    }

    deinit { run?.cancel() }
  }
#endif
