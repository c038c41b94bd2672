import Foundation
import Testing

@testable import CurlewDigest

struct HashTests {
  /// From Python's `hashlib`, around the sizes of a block and of its padding.
  private static let hashes: [(count: Int, hash: String)] = [
    (0, "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
    (1, "455e518824bc0601f9fb858ff5c37d417d67c2f8e0df2babe4808858aea830f8"),
    (111, "0239e429f98d0ed61ee8e2a7c30afe98c1c3a80ce5dff62a107e9c538f7632ce"),
    (112, "9216b5303edb66504570bee90e48ea5beaa5e9fe9f760bbd3e0460559fc005f6"),
    (113, "d0ac79bea5bc97ac80c77c7cbbe92811ba9997eb0ce3c9888f9cef8362d187cd"),
    (127, "2fe3b2a6ee7e12f6fe4ba82166541ad9b4ed882c493581cbe300d68f3757b778"),
    (128, "b88f97e274f9c1d49f181c8cbd01a9c74930ad055a46ac4499a1d601f1c80bf2"),
    (129, "fb9035c9009ed4a60e37510339ebdb1c771339f30aa581d5dea3690a524c23f1"),
    (240, "d48a4d53397b38ab4e771d781c98ac6b86712dff2a664cfd1f27c7ca40f8ce37"),
    (1000, "40eb4a70d4d69815407a9e272f0101cd67e3d11262a4a0bfc087712749c7fb53"),
  ]

  @Test(arguments: hashes, [1, 7, 128, 1000])
  func sha512Of256BitsIsThatOfPython(one: (count: Int, hash: String), size: Int) {
    var hash = HashName.sha512_256.makeHash()
    for start in stride(from: 0, to: one.count, by: size) {
      hash.update(Data(repeating: UInt8(ascii: "a"), count: min(size, one.count - start)))
    }
    #expect(hash.finished().map { String(format: "%02x", $0) }.joined() == one.hash)
  }
}
