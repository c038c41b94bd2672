import CurlewSupport

extension RequestObserver where Self == CallingObserver {
  /// An observer that adds each request to the timeline of the screen that made it.
  ///
  /// An inspector, such as CurlewLive's, shows the timeline. Requests that were not made by a screen are
  /// ignored.
  public static var timeline: Self { CallingObserver { $0.addToTimeline() } }
}

extension RequestEvent {
  fileprivate func addToTimeline() {
    guard let run = initiator?.run, let name = stage.timelineName else { return }
    var step = RequestStep(call: call, run: run.number, stage: name)
    step.attempt = attempt
    switch stage {
    case .began: step.text = "\(method) \(url)"
    case .coalesced(let call): step.text = call.map { "#\($0)" }
    case .waitingForRateLimit(let time): step.wait = time
    case .cache(let status): step.text = "\(status)"
    case .retrying(let time, .status(let status)):
      (step.wait, step.text, step.status) = (time, "status \(status)", status)
    case .retrying(let time, .failure(let error)):
      (step.wait, step.text) = (time, error.reasonText)
    case .sending: step.curl = curl
    case .head(let status): step.status = status
    case .received(let bytes, _): step.bytes = bytes
    case .lost(let error), .failed(let error): step.text = error.reasonText
    default: break
    }
    run.listener.reached(step)
  }
}

extension RequestEvent.Stage {
  /// The stage's name in a timeline; `nil` for a stage that timelines don't show.
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
