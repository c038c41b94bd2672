// error: none
import Curlew
import CurlewScreens
import Foundation

struct Dog: Decodable, Equatable, Sendable { let name: String }

@MainActor func screen(of kennel: Client) -> ScreenModel<Search<Dog>> {
  ScreenModel(Search { text in try await kennel.send(Request<[Dog]>.get("/dogs/\(text)")) })
}

func path(of url: URL) -> String { url.path(percentEncoded: false) }

func detail(of kennel: Client) -> Detail<String, Never, Dog> {
  Detail(source: Source { name in try await kennel.send(Request<Dog>.get("/dogs/\(name)")) })
}
