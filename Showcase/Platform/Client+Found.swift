import Curlew
import HTTPTypes

extension Client {
  /// Returns the response to a request; `nil` for the status codes of a missing resource.
  func found<Value>(
    _ request: Request<Value>, unless statuses: Set<HTTPResponse.Status> = [.notFound]
  ) async throws -> Response<Value>? {
    do {
      return try await response(for: request)
    } catch {
      guard let status = error.status, statuses.contains(status) else { throw error }
      return nil
    }
  }
}
