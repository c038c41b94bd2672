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
    private var run: Task<Void, Never>?
    private var observers: [any NSObjectProtocol] = []
    private var presented: (id: ScreenActivity.Alert.ID, controller: UIAlertController)?
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

    /// Makes the indicator of loads and writes.
    open func makeIndicator() -> any UIContentConfiguration {
      UIContentUnavailableConfiguration.loading()
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      (indicator.isHidden, indicator.isUserInteractionEnabled) = (true, false)
      indicator.frame = view.bounds
      indicator.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.addSubview(indicator)
      show(model)
    }

    open override func viewIsAppearing(_ animated: Bool) {
      super.viewIsAppearing(animated)
      setRunning(true)
      guard observers.isEmpty else { return }
      observers = [
        (UIScene.didEnterBackgroundNotification, false),
        (UIScene.willEnterForegroundNotification, true),
      ].map { name, isForeground in
        NotificationCenter.default.addObserver(
          forName: name, object: view.window?.windowScene, queue: .main
        ) { [weak self] _ in MainActor.assumeIsolated { self?.setRunning(isForeground) } }
      }
    }

    open override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      showActivity()
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      setRunning(false)
      observers.forEach(NotificationCenter.default.removeObserver)
      observers = []
    }

    func setRunning(_ isRunning: Bool) {
      run?.cancel()
      run = isRunning ? Task { [model] in await model?.run() } : nil
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
      guard let model else { return }
      indicator.isHidden = !model.activity.coversContent
      // Over a sheet, an active search controller or another alert, which are presented view controllers, too.
      var host: UIViewController = self
      while let next = host.presentedViewController { host = next }
      let transition = host.transitionCoordinator
      let presenter = presented?.controller.presentingViewController
      switch AlertStep(
        model.alert, presented: presenter == nil ? nil : presented?.id,
        canPresent: view.window != nil && transition == nil)
      {
      case .present(let alert): host.present(makeAlert(alert, model), animated: true)
      case .update(let message): presented?.controller.message = message
      case .dismiss: presenter?.dismiss(animated: true) { [weak self] in self?.showActivity() }
      case .wait:
        transition?.animate(alongsideTransition: nil) { [weak self] _ in self?.showActivity() }
      case nil: break
      }
    }

    private func makeAlert(
      _ alert: ScreenActivity.Alert, _ model: ScreenModel<S>
    ) -> UIAlertController {
      let texts = UserTexts.current
      let controller = UIAlertController(
        title: texts.failureTitle, message: alert.message, preferredStyle: .alert)
      if alert.canRetry {
        controller.addAction(
          UIAlertAction(title: texts.tryAgainButton, style: .default) { _ in model.retry(alert.id) }
        )
      }
      controller.addAction(
        UIAlertAction(title: texts.dismissButton, style: .cancel) { _ in model.dismiss(alert.id) })
      presented = (alert.id, controller)
      return controller
    }

    deinit { run?.cancel() }
  }
#endif
