#if canImport(UIKit) && !os(watchOS)
  public import CurlewScreens
  import Observation
  public import UIKit

  /// A view controller that runs a screen while its view is visible and its scene is not in the background, shows its
  /// activity and its alerts, and is updated when the state changes.
  open class ScreenViewController<S: Screen>: UIViewController {
    /// The running screen; a segue may set it later.
    public var model: ScreenModel<S>! {
      didSet {
        if run != nil { setRunning(true) }
        if isViewLoaded { show(model) }
      }
    }
    private var run, wait: Task<Void, Never>?
    private var observers: [any NSObjectProtocol] = []
    private var alerts = AlertPresenter()
    private weak var alertController: UIAlertController?
    private lazy var indicator: UIView = makeIndicator().makeContentView()

    /// Creates a view controller.
    public init(_ model: ScreenModel<S>) {
      self.model = model
      super.init(nibName: nil, bundle: nil)
    }

    /// Creates a view controller in the closure of `instantiateViewController(identifier:creator:)`.
    public init?(coder: NSCoder, model: ScreenModel<S>) {
      self.model = model
      super.init(coder: coder)
    }

    /// Creates a view controller of a storyboard, whose ``model`` is set later.
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// Shows the state; called again whenever a member of the ``model`` that it has read changes.
    open func update() {}

    /// Makes the indicator of first loads and writes.
    open func makeIndicator() -> any UIContentConfiguration {
      UIContentUnavailableConfiguration.loading()
    }

    /// Starts updating the view.
    open override func viewDidLoad() {
      super.viewDidLoad()
      (indicator.isHidden, indicator.isUserInteractionEnabled) = (true, false)
      indicator.frame = view.bounds
      indicator.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.addSubview(indicator)
      show(model)
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

    func setRunning(_ isRunning: Bool) {
      run?.cancel()
      run = isRunning ? Task { [model] in await model?.run() } : nil
      if isRunning, model != nil { showActivity() }
    }

    private func show(_ observed: ScreenModel<S>?) {
      guard let observed, observed === model else { return }
      withObservationTracking {
        update()
        showActivity()
      } onChange: { [weak self] in
        Task { @MainActor in self?.show(observed) }
      }
    }

    private func showActivity() {
      indicator.isHidden = !model.activity.coversContent
      // Over a sheet or an active search controller, which are presented view controllers, too.
      var host: UIViewController = self
      while let next = host.presentedViewController, !(next is UIAlertController) { host = next }
      let step = alerts.next(
        model.alert, isPresented: alertController?.presentingViewController != nil,
        canPresent: view.window != nil && host.transitionCoordinator == nil
          && host.presentedViewController == nil)
      switch step {
      case .present(let alert): host.present(controller(of: alert), animated: true)
      case .update(let alert): alertController?.message = alert.message
      case .dismiss: alertController?.dismiss(animated: true)
      case .wait, nil: break
      }
      // UIKit does not report the end of another presentation.
      guard step == .wait || step == .dismiss, wait == nil, run != nil else { return }
      wait = Task { [weak self] in
        try? await Task.sleep(for: .milliseconds(500))
        self?.wait = nil
        self?.showActivity()
      }
    }

    private func controller(of alert: ScreenActivity.Alert) -> UIAlertController {
      let texts = UserTexts.current
      let controller = UIAlertController(
        title: texts.failureTitle, message: alert.message, preferredStyle: .alert)
      let retry = UIAlertAction(title: texts.tryAgainButton, style: .default) { [model] _ in
        model?.retry(alert.id)
      }
      let dismiss = UIAlertAction(title: texts.dismissButton, style: .cancel) { [model] _ in
        model?.dismiss(alert.id)
      }
      for action in alert.canRetry ? [retry, dismiss] : [dismiss] { controller.addAction(action) }
      alertController = controller
      return controller
    }

    deinit { run?.cancel() }
  }
#endif
