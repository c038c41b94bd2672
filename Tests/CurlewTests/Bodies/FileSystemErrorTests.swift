import Foundation
import Testing

@testable import Curlew

struct FileSystemErrorTests {
  #if os(Linux)
    /// `/dev/full` is a device that never has free space.
    @Test func `a full disk is told`() throws {
      let handle = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
      let error = #expect(throws: (any Error).self) { try handle.write(contentsOf: Data([1])) }
      let problem = FileSystemError(try #require(error), "/dev/full")
      #expect(problem.kind == .noSpace)
      #expect(problem.description == "/dev/full: No space left on device")
    }
  #endif

  @Test(arguments: [
    (ENOENT, Client.FileFailure.Kind.notFound), (EACCES, .notPermitted), (EROFS, .notPermitted),
    (EEXIST, .exists), (EDQUOT, .noSpace), (EFBIG, .noSpace), (EIO, .other),
  ])
  func `codes of the system are kinds`(code: Int32, kind: Client.FileFailure.Kind) {
    #expect(FileSystemError.system(code, "/x").kind == kind)
  }
}
