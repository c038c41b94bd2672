// The code of the page "Sign in and out": a test of this folder runs it, and `make apple` type-checks it.

import Curlew
import CurlewScreens
import CurlewStore
import Foundation

nonisolated struct Grant: Decodable, Sendable {  // RFC 6749 section 5.1
  let access_token: Sensitive
  let refresh_token: Sensitive
}

nonisolated struct Backend: Sendable {
  let api: Client
  let store: Store
  let isSignedIn: Shared<Bool>

  init(
    transport: any Transport = .urlSession, token: BearerToken?,
    save: @escaping @Sendable (BearerToken?) -> Void
  ) {
    let auth = Client(baseURL: "https://auth.example.com") { $0.transport = transport }
    let isSignedIn = Shared(token != nil)
    api = Client(baseURL: "https://api.example.com") {
      $0.transport = transport
      $0.cache = .memory()
      $0.networkMiddleware = [.cookies()]
      $0.middleware = [
        .retrying(),
        .bearer(token) { old in
          let form: Query = ["grant_type": "refresh_token", "refresh_token": old.refresh]
          let grant = try await auth.send(
            Request<Grant?>.post("/token", body: .form(form)).returning(nil, for: .badRequest))
          return grant.map { BearerToken(access: $0.access_token, refresh: $0.refresh_token) }
        } onChange: { token in
          save(token)
          isSignedIn.update { $0 = token != nil }
        },
      ]
    }
    store = Store(api)
    self.isSignedIn = isSignedIn
  }

  func signIn(_ name: String, _ password: String) async throws {
    let form: Query = ["grant_type": "password", "username": name, "password": Sensitive(password)]
    let grant = try await api.send(Request<Grant>.post("/token", body: .form(form)))
    await api.signIn(with: BearerToken(access: grant.access_token, refresh: grant.refresh_token))
  }
}

#if canImport(Security)
  import Security

  nonisolated enum Keychain {
    private static var item: [String: Any] {
      [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "com.example.notes",
      ]
    }

    static func token() -> BearerToken? {
      var found: CFTypeRef?
      let query = item.merging([kSecReturnData as String: true]) { $1 }
      guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess,
        let data = found as? Data
      else { return nil }
      return try? JSONDecoder().decode(BearerToken.self, from: data)
    }

    static func save(_ token: BearerToken?) {
      SecItemDelete(item as CFDictionary)
      guard let token, let data = try? JSONEncoder().encode(token) else { return }
      let attributes: [String: Any] = [
        kSecValueData as String: data,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      SecItemAdd(item.merging(attributes) { $1 } as CFDictionary, nil)
    }
  }
#endif

#if canImport(SwiftUI)
  import SwiftUI

  nonisolated let backend = Backend(token: Keychain.token(), save: { Keychain.save($0) })

  struct RootView: View {
    var body: some View {
      if backend.isSignedIn.value {
        Button("Sign out") { Task { await backend.api.signOut() } }
      } else {
        Button("Sign in") { Task { try await backend.signIn("ann", "secret") } }
      }
    }
  }
#endif
