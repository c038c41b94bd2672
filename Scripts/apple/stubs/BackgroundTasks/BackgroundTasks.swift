@_exported public import Foundation

// https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler, /bgapprefreshtaskrequest
open class BGTaskRequest: NSObject { open var earliestBeginDate: Date? }
public class BGAppRefreshTaskRequest: BGTaskRequest { public init(identifier: String) { super.init() } }
public class BGTaskScheduler: NSObject, @unchecked Sendable {
  public class var shared: BGTaskScheduler { fatalError() }
  public func submit(_ taskRequest: BGTaskRequest) throws {}
}
