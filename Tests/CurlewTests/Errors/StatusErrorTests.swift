import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct StatusErrorTests {
  private var (stub, client) = stubAndClient()

  private func failure(_ response: StubResponse) async throws -> Client.StatusFailure {
    stub.stub(.get, "/x", with: response)
    return try #require(await client.result(of: Request<Issue>.get("/x")).failure?.statusFailure)
  }

  @Test func `what came of a body that breaks off is kept`() async throws {
    let json = #"{"message": "Not Found"} and more"#
    let failure = try await failure(.json(json, status: .notFound).cut(after: 24))
    #expect(failure.body == Data(json.utf8.prefix(24)) && failure.message == "Not Found")
    let empty = try await self.failure(.json(json, status: .notFound).cut(after: 0))
    #expect(empty.body.isEmpty && empty.response.status == .notFound)
  }

  @Test(arguments: Way.allCases)
  func `a status is not lost when the time for its body is over`(way: Way) async throws {
    let clock = TestClock()
    let stub = StubTransport(clock: clock)
    let pieces = StubGate()
    stub.stub(
      .get, "/x",
      with: .body(first: Data("{}".utf8), heldBy: pieces, status: .forbidden))
    let client = Client.stubbed(
      by: stub, way, [.retrying()], limits: Limits(firstByte: nil, total: .seconds(5)))
    async let result = client.result(of: Request<Int>.get("/x"))
    await pieces.waitForRequests(1)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    #expect(await result.failure?.status == .forbidden)
  }

  @Test(arguments: [
    (#"{"message": "Not Found", "documentation_url": "https://x"}"#, "Not Found"),
    (#"{"status_code": 7, "status_message": "Invalid API key"}"#, "Invalid API key"),
    (#"{"error": "invalid_grant"}"#, "invalid_grant"),
    (#"{"error": "invalid_grant", "error_description": "The code is used."}"#, "The code is used."),
    (#"{"error": {"code": 403, "message": "Daily limit"}}"#, "Daily limit"),
    (#"{"title": "Out of credit", "detail": "30 is not 50."}"#, "30 is not 50."),
    (#"{"type": "about:blank", "title": "Out of credit"}"#, "Out of credit"),
    (#"{"errors": ["First", "Second"]}"#, "First"),
    (#"{"errors": [{"message": "Bad field"}]}"#, "Bad field"),
    (#"{"message": "", "errors": [{"detail": "Deep"}]}"#, "Deep"),
    ("{\"message\": \"two\\r\\nlines\\u001b[31m\"}", "two lines [31m"),
    (#"{"message": {"no": "text"}}"#, nil), (#"{"ok": false}"#, nil), (#"{"message": ""}"#, nil),
    ("<html><body>502 Bad Gateway</body></html>", nil), ("", nil), ("[", nil), ("null", nil),
    (#"{"error": {"error": {"error": {"error": {"error": "too deep"}}}}}"#, nil),
    // FastAPI's HTTPValidationError: https://fastapi.tiangolo.com/tutorial/handling-errors/
    (
      #"{"detail": [{"loc": ["body", "title"], "msg": "field required", "type": "value_error"}]}"#,
      "field required"
    ),
    (#"{"detail": "Not authenticated"}"#, "Not authenticated"), (#"{"detail": []}"#, nil),
    // NestJS: https://docs.nestjs.com/techniques/validation
    (
      #"{"statusCode": 400, "message": ["email must be an email"], "error": "Bad Request"}"#,
      "email must be an email"
    ),
    // Django REST framework: https://www.django-rest-framework.org/api-guide/exceptions/
    (#"{"name": ["This field is required."]}"#, "This field is required."),
    (#"{"non_field_errors": ["Dates are in the wrong order."]}"#, "Dates are in the wrong order."),
    // Rails (`render json: { errors: record.errors }`) and Shopify: https://shopify.dev/docs/api/usage/response-codes
    (#"{"errors": {"title": ["can't be blank"]}}"#, "can't be blank"),
    (#"{"errors": "Not Found"}"#, "Not Found"),
    // Laravel: https://laravel.com/docs/validation
    (
      #"{"message": "The email is invalid.", "errors": {"email": ["Other"]}}"#,
      "The email is invalid."
    ),
    // ASP.NET Core: https://learn.microsoft.com/aspnet/core/web-api/handle-errors
    (
      #"{"title": "Errors occurred.", "status": 400, "errors": {"Name": ["Required."]}}"#,
      "Errors occurred."
    ),
    (#"{"Message": "An error has occurred."}"#, "An error has occurred."),
    // OData (https://docs.oasis-open.org/odata/odata-json-format): version 2 has the language.
    (
      #"{"error": {"code": "1", "message": {"lang": "en", "value": "No such set."}}}"#,
      "No such set."
    ),
    // express-validator: https://express-validator.github.io/docs/api/validation-result/
    (#"{"errors": [{"type": "field", "msg": "Invalid value", "path": "email"}]}"#, "Invalid value"),
    // Spring Boot's default error attributes; the message is empty by default.
    (#"{"status": 404, "error": "Not Found", "message": "", "path": "/x"}"#, "Not Found"),
    // Jira: https://developer.atlassian.com/cloud/jira/platform/rest/v3/intro/#status-codes
    (#"{"errorMessages": ["No issue."], "errors": {}}"#, "No issue."),
    (
      #"{"errorMessages": [], "errors": {"project": "project is required"}}"#, "project is required"
    ),
    // Vapor's ErrorMiddleware, CouchDB, Elasticsearch.
    (#"{"error": true, "reason": "No such todo."}"#, "No such todo."),
    (#"{"error": "not_found", "reason": "missing"}"#, "missing"),
    (
      #"{"error": {"root_cause": [], "type": "x", "reason": "no such index"}, "status": 404}"#,
      "no such index"
    ),
    // Telegram (https://core.telegram.org/bots/api#making-requests), Zendesk, AWS Lambda, GoTrue, Apigee.
    (#"{"ok": false, "error_code": 400, "description": "chat not found"}"#, "chat not found"),
    (#"{"errorType": "Error", "errorMessage": "boom"}"#, "boom"),
    (#"{"code": 422, "msg": "Weak"}"#, "Weak"),
    (#"{"fault": {"faultstring": "No quota", "detail": {"errorcode": "policies"}}}"#, "No quota"),
    // Symfony's violations, GitLab's messages by field, Salesforce's list.
    (#"{"violations": [{"propertyPath": "name", "message": "Blank"}]}"#, "Blank"),
    (#"{"message": {"name": ["has already been taken"]}}"#, "has already been taken"),
    (#"[{"message": "Session expired", "errorCode": "INVALID_SESSION_ID"}]"#, "Session expired"),
    (#"{"ok": true, "tags": ["a"]}"#, nil), (#"{"errors": {"name": []}}"#, nil), ("{}", nil),
    ("[]", nil),
  ])
  func `the API's own message is found`(body: String, message: String?) async throws {
    let failure = try await failure(.json(body, status: .unprocessableContent))
    #expect(failure.message == message)
    #expect(failure.body == Data(body.utf8))
    #expect(failure.response.status.code == 422)
    #expect(failure.request == "GET https://api.example.com/x")
  }

  @Test func `a long message is cut`() async throws {
    let long = String(repeating: "x", count: 10_000)
    let failure = try await failure(.json("{\"message\": \"\(long)\"}", status: .badRequest))
    #expect(failure.message?.count == 500)
  }

  @Test func `the body is kept up to64 ki b`() async throws {
    let exact = Data(repeating: 0x61, count: 64 * 1024)
    #expect(try await failure(.data(exact, status: .badGateway)).body == exact)
    #expect(try await failure(.data(exact + [0x62], status: .badGateway)).body == exact)
  }

  @Test func `an endless body of an error is cut off`() async throws {
    let failure = try await failure(
      .responding { _ in
        IncomingResponse(
          head: HTTPResponse(status: .internalServerError),
          body: ResponseBody { { Data(repeating: 0x61, count: 10_000) } })
      })
    #expect(failure.body.count == 64 * 1024)
  }

  @Test(arguments: [100, 199, 300, 304, 400, 404, 500, 599, 999])
  func `everything outside2 xx is an error with its head`(code: Int) async throws {
    let failure = try await failure(.status(.init(code: code), [.retryAfter: "7"]))
    #expect(failure.response.status.code == code)
    #expect(failure.response.headerFields[.retryAfter] == "7")
  }
}
