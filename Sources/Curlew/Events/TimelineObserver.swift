import CurlewSupport

/// An observer that adds each request to the timeline of the screen whose work made it, which an
/// inspector shows, such as CurlewLive's; other requests are ignored.
public struct TimelineObserver: RequestObserver {
  /// Adds an event.
  public func observe(_ event: RequestEvent) {
    guard let run = event.initiator?.run, let stage = event.stage.timelineName else { return }
    var step = RequestStep(call: event.call.number, run: run.number, stage: stage)
    step.attempt = event.attempt
    switch event.stage {
    case .began: step.text = "\(event.method) \(event.url)"
    case .coalesced(let call): step.text = call.map { "\($0)" }
    case .waitingForRateLimit(let time): step.wait = time
    case .cache(let status): step.text = "\(status)"
    case .retrying(let time, .status(let status)):
      (step.wait, step.text, step.status) = (time, "status \(status)", status)
    case .retrying(let time, .failure(let error)):
      (step.wait, step.text) = (time, error.reasonText)
    case .head(let status): step.status = status
    case .received(let bytes, _): step.bytes = bytes
    case .lost(let error), .failed(let error): step.text = error.reasonText
    default: break
    }
    run.listener.reached(step)
  }
}

extension RequestObserver where Self == TimelineObserver {
  /// Adds each request to the timeline of the screen whose work made it.
  public static var timeline: Self { TimelineObserver() }
}

extension RequestEvent.Stage {
  /// The name in a timeline; `nil` for stages that it does not have.
  fileprivate var timelineName: String? {
    switch self {
    case .began: "began"
    case .coalesced: "coalesced"
    case .waitingForToken, .waitingForRateLimit: "waiting"
    case .queued: "queued"
    case .resumed: "resumed"
    case .cache: "cache"
    case .retrying: "retrying"
    case .sending: "sending"
    case .head: "head"
    case .received: "received"
    case .lost: "lost"
    case .finished: "finished"
    case .failed: "failed"
    default: nil
    }
  }
}
