import Foundation
package import Testing

/// Fails the running test: a test of Swift Testing, or of XCTest; without any, debug builds stop.
package func failTest(_ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
  if let run = ExplorationRun.current { return run.fail(message) }
  let fail = Test.current == nil ? XCTestFailure() : nil
  fail?.report("\(sourceLocation.fileID):\(sourceLocation.line): \(message)")
  // A detached task of a test has no current test; then its run fails.
  Issue.record("\(message)", sourceLocation: sourceLocation)
  // `swift test` passes this argument to a process with tests of Swift Testing alone.
  let isTest =
    Test.current != nil || fail != nil || CommandLine.arguments.contains("--testing-library")
  assert(isTest, message)
}

/// The function that fails a test of XCTest, which this product does not import: XCTest is in a process with tests alone.
private struct XCTestFailure {
  /// `XCTFail(_:file:line:)`, as a struct's stored closure: in a function's own calling convention.
  private struct Function {
    let call: (String, StaticString, UInt) -> Void
  }

  private static let name = "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF"
  private let address: UInt

  /// Finds the function; `nil` if XCTest is not loaded, or, on Apple's platforms, none of its tests is running.
  init?() {
    let process = dlopen(nil, RTLD_NOW)
    guard let function = dlsym(process, Self.name) else { return nil }
    if let current = dlsym(process, "_XCTCurrentTestCase") {
      let test = unsafeBitCast(
        current, to: (@convention(c) () -> UnsafeRawPointer?).self)
      if test() == nil { return nil }
    }
    address = UInt(bitPattern: function)
  }

  /// Fails the running test; does nothing if none is running.
  func report(_ message: String) {
    // A closure is the address of its function and that of its context, which a global function does not have.
    withUnsafeTemporaryAllocation(of: UInt.self, capacity: 2) { words in
      words.initialize(repeating: 0)
      words[0] = address
      words.baseAddress?.withMemoryRebound(to: Function.self, capacity: 1) {
        $0.pointee.call(message, #filePath, #line)
      }
    }
  }
}
