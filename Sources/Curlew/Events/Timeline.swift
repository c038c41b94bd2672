import CurlewSupport

extension RequestObserver where Self == CallingObserver {
  /// Adds each request to the timeline of the screen whose work made it, which an inspector shows, such
  /// as CurlewLive's; other requests are ignored.
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
