#if canImport(Security)
  import Curlew
  import Foundation
  import Security

  /// The Keychain's item with the user's tokens, as on the page "Sign in and out".
  enum Keychain {
    private static var item: [String: Any] {
      [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: "com.example.curlew-apps",
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
