import Dispatch
import Foundation

/// Returns whether the code runs on the main actor.
///
/// On Linux, its jobs run on the main queue, but not on the main thread.
public func isOnMainActor() -> Bool {
  Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueue) != nil
}

private let mainQueue = {
  let key = DispatchSpecificKey<Void>()
  DispatchQueue.main.setSpecific(key: key, value: ())
  return key
}()
