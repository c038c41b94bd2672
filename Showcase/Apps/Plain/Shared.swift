import OSLog
import SwiftUI

// MARK: Network

struct APIError: LocalizedError {
  let message: String
  var status: Int?
  /// When the server wants to be asked again.
  var retryAt: Date?
  var isTransient = false

  var errorDescription: String? { message }
}

extension APIError {
  /// Keeps no underlying error: a `URLError` carries the URL, and so perhaps a key.
  init(_ error: any Error) {
    switch error {
    case let error as APIError:
      self = error
    case let error as URLError:
      let lostConnections: Set<URLError.Code> = [
        .networkConnectionLost, .timedOut, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
      ]
      self.init(
        message: error.localizedDescription,
        isTransient: lostConnections.contains(error.code)
      )
    case is DecodingError:
      self.init(message: "The server’s answer could not be read.")
    default:
      self.init(message: error.localizedDescription)
    }
  }

  init(_ response: HTTPURLResponse, body: Data) {
    struct Reason: Decodable {
      let message: String?
      let statusMessage: String?
    }
    let status = response.statusCode
    let reason = try? JSONDecoder.snakeCase.decode(Reason.self, from: body)
    self.init(
      message: reason?.message ?? reason?.statusMessage
        ?? HTTPURLResponse.localizedString(forStatusCode: status).localizedCapitalized,
      status: status,
      retryAt: response.retryAt,
      isTransient: [408, 429].contains(status) || status >= 500
    )
  }
}

extension HTTPURLResponse {
  /// `Retry-After`, in seconds or as a date, or the end of GitHub's rate limit.
  fileprivate var retryAt: Date? {
    if let header = value(forHTTPHeaderField: "Retry-After") {
      if let seconds = Int(header) {
        return Date(timeIntervalSinceNow: TimeInterval(seconds))
      }
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
      return formatter.date(from: header)
    }
    guard
      [403, 429].contains(statusCode),
      value(forHTTPHeaderField: "X-RateLimit-Remaining") == "0",
      let reset = value(forHTTPHeaderField: "X-RateLimit-Reset").flatMap({ Int($0) })
    else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(reset))
  }
}

extension JSONDecoder {
  static var snakeCase: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }
}

/// Repeats what failed transiently up to two times, unless the server says when to come back.
func retrying<Value>(_ operation: () async throws -> Value) async throws -> Value {
  for pause in [Duration.milliseconds(500), .milliseconds(1500)] {
    do {
      return try await operation()
    } catch {
      let failure = APIError(error)
      guard failure.isTransient, failure.retryAt == nil else { throw error }
      try await Task.sleep(for: pause)
    }
  }
  return try await operation()
}

struct APIClient: Sendable {
  let baseURL: URL
  var headers: [String: String] = [:]
  /// Query items of every request, such as a key; no query is ever logged.
  var query: [String: String] = [:]
  var session = URLSession.shared

  private static let log = Logger(subsystem: "Showcase", category: "network")

  func get<Payload: Decodable & Sendable>(
    _ path: String,
    query: [String: String] = [:]
  ) async throws -> Payload {
    let request = try makeRequest(path, query: self.query.merging(query) { $1 })
    let data = try await retrying { try await send(request) }
    return try JSONDecoder.snakeCase.decode(Payload.self, from: data)
  }

  private func makeRequest(_ path: String, query: [String: String]) throws -> URLRequest {
    let endpoint = baseURL.appending(path: path)
    var components = URLComponents(url: endpoint, resolvingAgainstBaseURL: true)
    if !query.isEmpty {
      components?.queryItems = query.sorted { $0.key < $1.key }
        .map { URLQueryItem(name: $0.key, value: $0.value) }
      // URLComponents leaves a plus as it is, which servers take for a space.
      let encoded = components?.percentEncodedQuery?.replacing("+", with: "%2B")
      components?.percentEncodedQuery = encoded
    }
    guard let url = components?.url else { throw URLError(.badURL) }
    var request = URLRequest(
      url: url,
      cachePolicy: .reloadRevalidatingCacheData,
      timeoutInterval: 20
    )
    request.allHTTPHeaderFields = headers
    return request
  }

  private func send(_ request: URLRequest) async throws -> Data {
    let (data, response) = try await session.data(for: request)
    guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    let path = request.url?.path() ?? ""
    Self.log.debug("GET \(path, privacy: .public): \(answer.statusCode)")
    guard 200..<300 ~= answer.statusCode else { throw APIError(answer, body: data) }
    return data
  }
}

struct Page<Item: Sendable>: Sendable {
  let items: [Item]
  let hasMore: Bool
}

struct GitHub: Sendable {
  var client = APIClient(
    baseURL: URL(string: "https://api.github.com")!,
    headers: ["Accept": "application/vnd.github+json"]
  )

  func repository(_ fullName: String) async throws -> Repository {
    try await client.get("repos/\(fullName)")
  }
}

struct Repository: Decodable, Identifiable, Hashable, Sendable {
  struct License: Decodable, Hashable, Sendable {
    let name: String
  }

  let id: Int
  let fullName: String
  let description: String?
  let stargazersCount: Int
  let forksCount: Int
  let openIssuesCount: Int
  let license: License?
  /// Only in the answer for a single repository.
  let subscribersCount: Int?
}

/// A text of the form `owner/name`.
struct RepositoryName: LosslessStringConvertible, Equatable, Sendable {
  let description: String

  init?(_ text: String) {
    guard text.wholeMatch(of: /[A-Za-z0-9_-]+\/(?!\.\.?$)[A-Za-z0-9._-]+/) != nil else {
      return nil
    }
    description = text
  }
}

// MARK: Views

/// Loads one thing at a time, of which the latest wins; what is there stays until it is replaced.
@MainActor
@Observable
final class Loader<Input: Equatable & Sendable, Value: Sendable> {
  private enum Status {
    /// `waiting` is what is to be loaded as soon as the view appears.
    case idle, waiting, loading, loaded, failed
  }

  private(set) var value: Value?
  /// What `value` is the answer to; `input` may be ahead of it.
  private(set) var loadedInput: Input?
  private(set) var input: Input?
  private(set) var failure: APIError?
  private(set) var isRefreshing = false
  var showsAlert = false
  private var status: Status
  @ObservationIgnored private var previous: Value?
  @ObservationIgnored private var task: Task<Void, Never>?
  private let step: @Sendable (Input, Value?) async throws -> Value

  var isLoading: Bool { status == .loading }

  /// `step` gets what it continues: nothing, or the pages so far.
  init(
    initially input: Input?,
    step: @escaping @Sendable (Input, Value?) async throws -> Value
  ) {
    self.input = input
    self.step = step
    status = input == nil ? .idle : .waiting
  }

  convenience init(
    initially input: Input? = nil,
    fetch: @escaping @Sendable (Input) async throws -> Value
  ) {
    self.init(initially: input, step: { input, _ in try await fetch(input) })
  }

  func load(_ input: Input, continuing previous: Value? = nil) {
    self.input = input
    self.previous = previous
    retry()
  }

  /// Does nothing if the input is the last one, unless that has failed or was cancelled.
  func loadIfNew(_ input: Input) {
    if input != self.input || status == .idle || status == .failed {
      load(input)
    }
  }

  /// The same again; in a list the page that failed.
  func retry() {
    guard let input else { return }
    task?.cancel()
    status = .loading
    showsAlert = false
    task = Task { [step, previous] in
      do {
        let value = try await step(input, previous)
        guard !Task.isCancelled else { return }
        self.value = value
        loadedInput = input
        failure = nil
        status = .loaded
      } catch {
        guard !Task.isCancelled else { return }
        failure = APIError(error)
        showsAlert = true
        status = .failed
      }
    }
  }

  /// Returns when it is done, for `refreshable`, whose spinner stands in for the delayed one.
  func refresh() async {
    guard let input else { return }
    isRefreshing = true
    defer { isRefreshing = false }
    let shownAt = ContinuousClock.now
    load(input)
    await task?.value
    try? await Task.sleep(until: shownAt + .milliseconds(500), clock: .continuous)
  }

  func cancel() {
    guard status == .loading || status == .waiting else { return }
    task?.cancel()
    status = .idle
  }

  func reset() {
    cancel()
    status = .idle
    input = nil
    value = nil
    failure = nil
  }

  /// The view has disappeared.
  func suspend() {
    guard isLoading else { return }
    task?.cancel()
    status = .waiting
  }

  /// The view has appeared, for the first time or again.
  func resume() {
    if status == .waiting {
      retry()
    }
  }
}

struct Pages<Item: Identifiable & Sendable>: Sendable {
  private(set) var items: [Item] = []
  private(set) var count = 0
  private(set) var hasMore = true

  func appending(_ page: Page<Item>) -> Pages {
    var known = Set(items.map(\.id))
    var pages = self
    pages.items += page.items.filter { known.insert($0.id).inserted }
    pages.count += 1
    pages.hasMore = page.hasMore && !page.items.isEmpty
    return pages
  }
}

extension Loader {
  convenience init<Item: Identifiable & Sendable>(
    initially input: Input? = nil,
    page: @escaping @Sendable (Input, Int) async throws -> Page<Item>
  ) where Value == Pages<Item> {
    self.init(
      initially: input,
      step: { input, previous in
        let pages = previous ?? Pages()
        return pages.appending(try await page(input, pages.count + 1))
      }
    )
  }

  /// To be called by a row whenever it appears, and when loading has come to an end meanwhile.
  func loadNext<Item: Identifiable & Sendable>(ifNear item: Item) where Value == Pages<Item> {
    guard
      status != .loading, status != .waiting, !showsAlert,
      let loadedInput, let value, value.hasMore,
      value.items.suffix(3).contains(where: { $0.id == item.id })
    else { return }
    load(loadedInput, continuing: value)
  }
}

extension View {
  /// A row that loads the next page as the end of the list nears.
  func loadsNext<Input, Item>(
    with loader: Loader<Input, Pages<Item>>,
    after item: Item
  ) -> some View {
    task(id: loader.isLoading) { loader.loadNext(ifNear: item) }
  }

  /// Loads while the view is there, with the delayed spinner and the alert.
  func loads<Input, Value>(
    with loader: Loader<Input, Value>,
    spinner: AnyView = AnyView(ProgressView())
  ) -> some View {
    self
      .modifier(
        DelayedSpinner(isLoading: loader.isLoading && !loader.isRefreshing, spinner: spinner)
      )
      .modifier(FailureAlert(loader: loader))
      .onAppear { loader.resume() }
      .onDisappear { loader.suspend() }
  }

  /// Makes VoiceOver read a row as one sentence.
  func spoken(_ sentence: String) -> some View {
    accessibilityElement(children: .ignore).accessibilityLabel(sentence)
  }
}

/// Shows the spinner after 200 ms, and then for half a second at least.
private struct DelayedSpinner: ViewModifier {
  let isLoading: Bool
  let spinner: AnyView
  @State private var shownAt: ContinuousClock.Instant?

  func body(content: Content) -> some View {
    content
      .overlay {
        if shownAt != nil {
          spinner
            .padding()
            .background(.regularMaterial, in: .rect(cornerRadius: 12))
            .allowsHitTesting(false)
        }
      }
      .task(id: isLoading) { try? await update() }
  }

  private func update() async throws {
    if isLoading, shownAt == nil {
      try await Task.sleep(for: .milliseconds(200))
      shownAt = ContinuousClock.now
    } else if !isLoading, let shownAt {
      try await Task.sleep(until: shownAt + .milliseconds(500), clock: .continuous)
      self.shownAt = nil
    }
  }
}

private struct FailureAlert<Input: Equatable & Sendable, Value: Sendable>: ViewModifier {
  @Bindable var loader: Loader<Input, Value>
  @State private var now = Date.now

  func body(content: Content) -> some View {
    content
      .alert("Something Went Wrong", isPresented: $loader.showsAlert) {
        Button("Try Again") { loader.retry() }
        Button("Cancel", role: .cancel) {}
      } message: {
        Text(message)
      }
      .task(id: loader.showsAlert) { try? await countDown() }
  }

  private var message: String {
    guard let failure = loader.failure else { return "" }
    guard let retryAt = failure.retryAt else { return failure.message }
    let seconds = max(0, retryAt.timeIntervalSince(now).rounded())
    let wait = Duration.seconds(seconds)
      .formatted(.units(allowed: [.hours, .minutes, .seconds], width: .wide))
    return "\(failure.message)\nTrying again in \(wait)."
  }

  /// Takes a second at least, so that a server that says zero is not asked without a pause.
  private func countDown() async throws {
    guard loader.showsAlert, let retryAt = loader.failure?.retryAt else { return }
    now = .now
    repeat {
      try await Task.sleep(for: .seconds(1))
      now = .now
    } while now < retryAt
    loader.retry()
  }
}

protocol SearchResult {
  var isEmpty: Bool { get }
}

extension Array: SearchResult {}

extension Pages: SearchResult {
  var isEmpty: Bool { items.isEmpty }
}

typealias SearchQuery = LosslessStringConvertible & Equatable & Sendable

/// Asks for what the field says after half a second of quiet, or at once upon Return.
@MainActor
@Observable
final class Search<Query: SearchQuery, Value: SearchResult & Sendable> {
  enum Hint {
    case start, invalid
  }

  var text: String {
    didSet {
      if text != oldValue {
        textChanged()
      }
    }
  }
  let loader: Loader<Query, Value>
  /// Stays when the view disappears, as a sign that there is something left to ask for.
  @ObservationIgnored private var debounce: Task<Void, Never>?

  init(_ loader: Loader<Query, Value>) {
    self.loader = loader
    text = loader.input?.description ?? ""
  }

  var hint: Hint? {
    if term.isEmpty {
      return .start
    }
    return query == nil ? .invalid : nil
  }

  private var term: String { text.trimmingCharacters(in: .whitespaces) }
  private var query: Query? { term.isEmpty ? nil : Query(term) }

  func submit() {
    debounce?.cancel()
    debounce = nil
    if let query {
      loader.loadIfNew(query)
    }
  }

  func suspend() {
    debounce?.cancel()
  }

  func resume() {
    if debounce != nil {
      submit()
    }
  }

  private func textChanged() {
    debounce?.cancel()
    debounce = nil
    switch hint {
    case .start?:
      loader.reset()
    case .invalid?:
      loader.cancel()
    case nil:
      debounce = Task {
        try? await Task.sleep(for: .milliseconds(500))
        guard !Task.isCancelled else { return }
        submit()
      }
    }
  }
}

/// A search field and what it finds; each of the texts can be replaced by a view.
struct SearchScreen<Query: SearchQuery, Value: SearchResult & Sendable, Content: View>: View {
  private let search: Search<Query, Value>
  private let prompt: LocalizedStringKey
  private let content: (Value) -> Content
  private var startView = AnyView(
    ContentUnavailableView("Search", systemImage: "magnifyingglass")
  )
  private var hintView = AnyView(
    ContentUnavailableView("Not a Search Term", systemImage: "questionmark")
  )
  private var loadingView = AnyView(ProgressView("Searching…"))
  private var noResultsView: (String) -> AnyView = {
    AnyView(ContentUnavailableView.search(text: $0))
  }
  private var failureView: (String) -> AnyView = {
    AnyView(
      ContentUnavailableView(
        "Nothing Loaded",
        systemImage: "exclamationmark.triangle",
        description: Text($0)
      )
    )
  }

  init(
    _ search: Search<Query, Value>,
    prompt: LocalizedStringKey,
    @ViewBuilder content: @escaping (Value) -> Content
  ) {
    self.search = search
    self.prompt = prompt
    self.content = content
  }

  var body: some View {
    ZStack {
      switch search.hint {
      case .start?: startView
      case .invalid?: hintView
      case nil: results
      }
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity)
    .searchable(
      text: Bindable(search).text,
      placement: .navigationBarDrawer(displayMode: .always),
      prompt: prompt
    )
    .textInputAutocapitalization(.never)
    .autocorrectionDisabled()
    .onSubmit(of: .search) { search.submit() }
    .onAppear { search.resume() }
    .onDisappear { search.suspend() }
    .loads(with: search.loader, spinner: loadingView)
  }

  @ViewBuilder private var results: some View {
    if let value = search.loader.value, let query = search.loader.loadedInput {
      if value.isEmpty {
        noResultsView(query.description)
      } else {
        content(value)
      }
    } else if let failure = search.loader.failure {
      failureView(failure.message)
    }
  }

  func start(@ViewBuilder _ view: () -> some View) -> Self {
    with { $0.startView = AnyView(view()) }
  }

  func hint(@ViewBuilder _ view: () -> some View) -> Self {
    with { $0.hintView = AnyView(view()) }
  }

  func loading(@ViewBuilder _ view: () -> some View) -> Self {
    with { $0.loadingView = AnyView(view()) }
  }

  func noResults(@ViewBuilder _ view: @escaping (_ term: String) -> some View) -> Self {
    with { $0.noResultsView = { AnyView(view($0)) } }
  }

  func failure(@ViewBuilder _ view: @escaping (_ reason: String) -> some View) -> Self {
    with { $0.failureView = { AnyView(view($0)) } }
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

struct Poster: View {
  let url: URL?
  let width: CGFloat
  @ScaledMetric private var scale = 1.0

  var body: some View {
    AsyncImage(url: url) { image in
      image.resizable().scaledToFit()
    } placeholder: {
      Rectangle().fill(.quaternary)
    }
    .frame(width: width * scale, height: width * 1.5 * scale)
    .clipShape(.rect(cornerRadius: 6))
    .accessibilityHidden(true)
  }
}

struct PosterRow: View {
  let poster: URL?
  let title: String
  let details: String
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    let layout =
      typeSize.isAccessibilitySize
      ? AnyLayout(VStackLayout(alignment: .leading))
      : AnyLayout(HStackLayout(alignment: .top, spacing: 12))
    layout {
      Poster(url: poster, width: 60)
      VStack(alignment: .leading, spacing: 4) {
        Text(title)
          .font(.headline)
        Text(details)
          .font(.subheadline)
          .foregroundStyle(.secondary)
      }
    }
  }
}
