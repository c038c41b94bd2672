#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import Application
  import Domain
  import UIKit

  extension UINavigationItem {
    /// Shows the user's changes that the host has not confirmed, with the decisions about them, in a menu; nothing if there
    /// are none.
    func showPending(
      _ state: PendingChanges.State, send: @escaping @MainActor (PendingChanges.Event) -> Void
    ) {
      guard let summary = state.summary else {
        leftBarButtonItem = nil
        return
      }
      let decisions = (state.all ?? []).flatMap { change in
        change.decisions.map { decision in
          let texts = [change.title] + change.lines + [change.title(of: decision)]
          return UIAction(title: texts.joined(separator: ": ")) { _ in
            send(.decide(decision, on: change.id))
          }
        }
      }
      let sendNow = UIAction(title: "Send now") { _ in send(.sendNow) }
      leftItemsSupplementBackButton = true
      leftBarButtonItem = UIBarButtonItem(
        title: summary, menu: UIMenu(children: [sendNow] + decisions))
    }
  }
#endif
