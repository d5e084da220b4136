import Foundation
import LMDB
import Synchronization

/// The location of a test's stores. It replaces the locations that repositories specify.
///
/// While a sandbox is in effect, the stores of the repositories that it covers are in the sandbox, even if
/// the repositories are created elsewhere. The application's own code is tested unchanged, and never accesses
/// the application's own data. A store in the directory of a sandbox is opened, closed and opened again like
/// any other store on disk. It is deleted when the sandbox ends.
package final class StoreSandbox: Sendable {
  /// The medium of a sandbox's directory.
  package enum Medium: Sendable {
    /// In memory; nothing waits for a disk.
    case memory
    /// In the temporary directory, with the durability of the application's own stores.
    case disk
  }

  package let medium: Medium
  /// The key of stores whose repositories have no key; `nil` leaves them unencrypted.
  let encryption: StoreEncryption?
  /// The directory of the sandbox.
  package let root: String
  /// The prefix of the identifiers of the sandbox's stores in memory.
  private let memoryPrefix: String
  /// The repository types that the sandbox covers; `nil` means all types.
  private let types: Set<ObjectIdentifier>?
  private let state = OwnedLock(State())
  /// The failures that no call could throw.
  package let events: EventLog

  private struct State {
    /// The directories that repositories specify. Each of them is replaced by a directory in the sandbox.
    var parents: [String] = []
    /// The keys of the stores that were opened, by directory; `nil` for an unencrypted store.
    var encryptions: [ExactText: StoreEncryption?] = [:]
    var isEnded = false
  }

  /// - Parameter types: the repository types that the sandbox covers; `nil` means all types.
  init(medium: Medium, encryption: StoreEncryption?, types: Set<ObjectIdentifier>?) throws(FiefError) {
    self.medium = medium
    self.encryption = encryption
    self.events = EventLog()
    self.types = types
    self.root =
      switch medium {
      case .memory: try StoreLocation.makeInMemoryDirectory()
      case .disk: try MemoryDirectories.make(in: FileManager.default.temporaryDirectory.path)
      }
    self.memoryPrefix = "memory:\(root):"
    Self.wasMade.store(true, ordering: .relaxed)
    if encryption != nil { Self.encrypting.withLock { $0.append(self) } }
    Misuse.testHandler.withLock { $0 = StoredFunction { event in Self.current.last?.note(event) ?? false } }
  }

  // MARK: Locations

  /// Whether stores in memory without an identifier are the same store in this sandbox, instead of one store
  /// per repository object.
  var sharesUnnamedStores: Bool { types != nil }

  /// Returns the directory that replaces a repository's directory, or the default directory if `declared` is
  /// `nil`.
  ///
  /// - Throws: ``FiefError`` of code `storeClosed` after the end of the sandbox.
  package func directory(inPlaceOf declared: String?) throws(FiefError) -> String {
    let place = state.withLock { state -> Int? in
      if state.isEnded { return nil }
      guard let declared else { return 0 }
      if let known = state.parents.firstIndex(where: declared.hasSameBytes) { return known + 1 }
      state.parents.append(declared)
      return state.parents.count
    }
    guard let place else { throw Self.endedError }
    return StoreLocation.joined(root, "\(place)")
  }

  /// Returns the identifier that replaces a repository's identifier.
  package func memoryIdentifier(inPlaceOf declared: String?) throws(FiefError) -> String {
    if isEnded { throw Self.endedError }
    return "\(root):\(declared ?? "")"
  }

  /// Whether a key identifies a store of the sandbox.
  package func owns(key: String) -> Bool { key.hasPrefix(root + "/") || key.hasPrefix(memoryPrefix) }

  /// Records the key of a store that was opened; `nil` for an unencrypted store.
  func note(_ encryption: StoreEncryption?, of directory: String) {
    state.withLock { $0.encryptions[ExactText(directory)] = .some(encryption) }
  }

  private func knows(_ directory: String) -> Bool {
    state.withLock { $0.encryptions[ExactText(directory)] != nil }
  }

  /// Returns the key with which a store was last opened, or to which its key was last changed.
  package func encryption(of directory: String) -> StoreEncryption? {
    state.withLock { $0.encryptions[ExactText(directory)] ?? encryption }
  }

  /// Returns the key of a store in an encrypting sandbox, or `nil` for any other store.
  package static func encryption(ofStoreIn directory: String) -> StoreEncryption? {
    guard isUsed else { return nil }
    // The directory of a store in memory is outside the sandbox's directory.
    return encrypting.withLock { $0.last { $0.owns(key: directory) || $0.knows(directory) } }?
      .encryption(of: directory)
  }

  var isEnded: Bool { state.withLock { $0.isEnded } }

  static var endedError: FiefError {
    FiefError(.storeClosed, "The test that owns the stores has ended.")
  }

  /// Records a failure that no call could throw, so that the test fails.
  ///
  /// - Returns: false after the end of the sandbox, because the test has ended.
  func note(_ event: StoreEvent) -> Bool {
    if isEnded { return false }
    events.note(event)
    return true
  }

  func noteEnd() {
    state.withLock { $0.isEnded = true }
    if encryption != nil { Self.encrypting.withLock { $0.removeAll { $0 === self } } }
  }

  /// Removes the sandbox's directory with its contents.
  func remove() { MemoryDirectories.removeTree(root) }

  // MARK: The current sandbox

  /// False until the first sandbox is created. Until then, sandboxes have no cost.
  private static let wasMade = Atomic(false)
  static var isUsed: Bool { wasMade.load(ordering: .relaxed) }
  /// The sandboxes of the task; the innermost is last.
  @TaskLocal private static var ofTask: [StoreSandbox] = []
  private static let ofProcess = OwnedLock<[StoreSandbox]>([])
  /// The encrypting sandboxes that have not ended.
  private static let encrypting = OwnedLock<[StoreSandbox]>([])

  func covers(_ type: ObjectIdentifier) -> Bool { types?.contains(type) ?? true }

  /// Returns the innermost sandbox of the task that covers a repository type, or otherwise of the process.
  static func innermost(covering type: ObjectIdentifier) -> StoreSandbox? {
    ofTask.last { $0.covers(type) } ?? ofProcess.withLock { $0.last { $0.covers(type) } }
  }

  /// The identity of the running test's sandbox, whatever types it covers; `nil` outside tests.
  static var innermost: ObjectIdentifier? {
    guard isUsed else { return nil }
    return (ofTask.last ?? ofProcess.withLock { $0.last }).map { ObjectIdentifier($0) }
  }

  /// The sandboxes of the current task.
  package static var current: [StoreSandbox] { isUsed ? ofTask : [] }

  /// Calls a closure with the sandboxes of a task, on a thread that does not belong to the task.
  static func withCurrent<Value>(_ sandboxes: [StoreSandbox], _ body: () throws -> Value) rethrows -> Value {
    if sandboxes.isEmpty { return try body() }
    return try $ofTask.withValue(sandboxes, operation: body)
  }

  /// Calls a closure with the given sandboxes in effect, in a task that does not inherit them.
  package static func withCurrent<Value>(
    _ sandboxes: [StoreSandbox],
    _ body: () async throws -> Value
  ) async rethrows -> Value {
    if sandboxes.isEmpty { return try await body() }
    return try await $ofTask.withValue(sandboxes, operation: body)
  }

  /// Calls a closure with this sandbox in effect for the closure and the tasks that it starts.
  package func use<Value>(_ body: () throws -> Value) rethrows -> Value {
    try Self.$ofTask.withValue(Self.ofTask + [self], operation: body)
  }

  /// Calls a closure with this sandbox in effect for the closure and the tasks that it starts.
  nonisolated(nonsending) package func use<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    try await Self.$ofTask.withValue(Self.ofTask + [self], operation: body)
  }

  /// Puts this sandbox into effect in the whole process, including detached tasks and other threads.
  package func install() { Self.ofProcess.withLock { $0.append(self) } }

  func uninstall() { Self.ofProcess.withLock { $0.removeAll { $0 === self } } }
}
