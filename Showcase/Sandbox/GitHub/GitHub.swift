import Foundation
import HTTPTypes
import Synchronization

/// A look-alike of api.github.com: repositories, their issues and a search, read only.
final class GitHub: Site {
  /// What a rate limit is for; the header says which one counted.
  enum Resource: String, Sendable {
    case core, search

    init(_ inquiry: Inquiry) {
      self = inquiry.path == "/search/repositories" ? .search : .core
    }

    func limit(_ options: Sandbox.Options) -> Int? {
      switch self {
      case .core: options.rateLimit
      case .search: options.searchRateLimit
      }
    }

    /// The length of a window in seconds.
    func window(_ options: Sandbox.Options) -> TimeInterval {
      if let window = options.rateWindow { return window / .seconds(1) }
      return self == .search ? 60 : 3_600
    }
  }

  private struct State {
    var limiters: [Resource: RateLimiter] = [.core: RateLimiter(), .search: RateLimiter()]
    var shelves: [Int: Shelf] = [:]
  }

  /// The instant from which the ages of all data count back.
  let anchor: Date
  private let state = Mutex(State())

  init(anchor: Date) { self.anchor = anchor }

  func answer(_ inquiry: Inquiry) -> Answer {
    guard inquiry.headers[.userAgent]?.isEmpty == false else { return .withoutUserAgent }
    guard inquiry.size <= 8_192 else { return .tooLong }
    let resource = Resource(inquiry)
    var reading = resource.limit(inquiry.options).flatMap { limit in
      state.withLock {
        $0.limiters[resource]?
          .take(limit: limit, window: resource.window(inquiry.options), at: inquiry.now)
      }
    }
    var answer: Answer
    if let reading, reading.isOver {
      answer = .overLimit(wait: reading.wait)
    } else if inquiry.fails {
      answer = .serverError
    } else {
      answer = route(inquiry).revalidated(against: inquiry.headers[.ifNoneMatch])
    }
    if answer.status == .notModified {
      state.withLock { $0.limiters[resource]?.giveBack() }
      reading?.used -= 1
    }
    if let reading { answer.headers.append(reading, of: resource) }
    answer.headers[.mediaType] = "github.v3; format=json"
    return answer
  }

  /// A repository's issues, made when they are first asked for.
  func shelf(of repository: Repository, home: String) -> Shelf {
    state.withLock { state in
      if let shelf = state.shelves[repository.id] { return shelf }
      let shelf = Shelf(of: repository, anchor: anchor, home: home)
      state.shelves[repository.id] = shelf
      return shelf
    }
  }
}

extension HTTPFields {
  fileprivate mutating func append(_ reading: RateLimiter.Reading, of resource: GitHub.Resource) {
    self[.rateLimit] = String(reading.limit)
    self[.rateRemaining] = String(reading.remaining)
    self[.rateUsed] = String(reading.used)
    self[.rateReset] = String(reading.reset)
    self[.rateResource] = resource.rawValue
  }
}

extension HTTPField.Name {
  fileprivate static let mediaType = Self("X-GitHub-Media-Type")!
  fileprivate static let rateLimit = Self("X-RateLimit-Limit")!
  fileprivate static let rateRemaining = Self("X-RateLimit-Remaining")!
  fileprivate static let rateUsed = Self("X-RateLimit-Used")!
  fileprivate static let rateReset = Self("X-RateLimit-Reset")!
  fileprivate static let rateResource = Self("X-RateLimit-Resource")!
}
