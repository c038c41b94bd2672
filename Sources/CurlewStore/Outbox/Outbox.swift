import CurlewSupport
public import Foundation

/// The storage of a store's actions, and their types.
///
/// ```swift
/// let store = Store(github, outbox: .file(at: folder.appending(path: "outbox"), actions: [StarRepository.self]))
/// ```
public struct Outbox: Sendable {
  let storage: any OutboxStorage
  let types: [String: any StoreAction.Type]

  /// Creates an outbox with a storage of your own.
  ///
  /// - Parameters:
  ///   - storage: The storage.
  ///   - actions: The types of the actions, with different names.
  public init(_ storage: any OutboxStorage, actions: [any StoreAction.Type]) {
    self.storage = storage
    types = Dictionary(actions.map { ($0.name, $0) }) { one, other in
      preconditionFailure("\(one) and \(other) have the same name.")
    }
  }

  /// Keeps actions until the process ends.
  public static func memory(actions: [any StoreAction.Type]) -> Self {
    Self(MemoryOutbox(), actions: actions)
  }

  /// Keeps actions in a file to which changes are appended, with a checksum for each; several processes may share it.
  ///
  /// A change that was cut off by a crash, or damaged, is lost alone; a copy of a damaged file is kept, which ends in
  /// `.damaged`. Only the file's user can read it (mode 0600).
  ///
  /// - Parameters:
  ///   - file: The file; its folder is created if necessary.
  ///   - actions: The types of the actions, with different names.
  ///   - report: A closure called with the error when the file can't be read or written, or was damaged; it must not call
  ///     the store.
  public static func file(
    at file: URL, actions: [any StoreAction.Type],
    report: @escaping @Sendable (any Error) -> Void = { _ in }
  ) -> Self { Self(OutboxFile(file, report: report), actions: actions) }
}

/// The reason why an action, or a decision about it, was not stored: nothing has changed.
public enum OutboxError: Error, LocalizedError, Sendable {
  /// The storage failed, for example because the disk is full.
  case storage(any Error)
  /// The action could not be encoded.
  case encoding(any Error)
  /// The limit of waiting actions is reached (``Store/Limits/actions``).
  case full
  /// The action to replace is being sent, or was performed.
  case started

  /// A sentence for the user.
  public var errorDescription: String? {
    let texts = UserTexts.current
    switch self {
    case .storage(let error):
      return switch (error as? POSIXError)?.code {
      case .ENOSPC, .EDQUOT, .EFBIG: texts.fileNoSpace
      case .EACCES, .EPERM, .EROFS: texts.fileNotPermitted
      default: texts.fileFailed
      }
    case .encoding: return texts.notSendable
    case .full: return texts.tooManyUnsent
    case .started: return texts.alreadySent
    }
  }
}
