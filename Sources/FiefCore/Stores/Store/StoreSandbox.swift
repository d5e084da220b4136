import Foundation
import LMDB
import Synchronization

/// The place of a test's stores, which replaces the places that its repositories describe.
///
/// While a sandbox is in effect, the repositories it covers find their stores in it, wherever they are made: the
/// application's own code is tested as it is, and never touches the application's own data. A store in the directory
/// of a sandbox is opened, closed and opened again like any other on disk; it is deleted when the sandbox ends.
package final class StoreSandbox: Sendable {
  /// The medium of a sandbox's directory.
  package enum Medium: Sendable {
    /// In memory, without waiting for a disk.
    case memory
    /// In the temporary directory, durable like the application's own.
    case disk
  }

  package let medium: Medium
  /// The key of stores whose repositories name none; nil leaves them in clear.
  let encryption: StoreEncryption?
  /// The directory of the sandbox.
  package let root: String
  /// The prefix of the identifiers of its stores in memory.
  private let memoryPrefix: String
  /// The repository types that it covers; nil is all of them.
  private let types: Set<ObjectIdentifier>?
  private let state = OwnedLock(State())
  /// The failures that nothing was thrown for.
  package let events: EventLog

  private struct State {
    /// The directories that repositories name, each of which has a place of its own in the sandbox.
    var parents: [String] = []
    /// The keys of stores that were opened, by their directories; nil for one in clear.
    var encryptions: [ExactText: StoreEncryption?] = [:]
    var isEnded = false
  }

  /// - Parameter types: the repository types that it covers; nil is all of them.
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

  // MARK: Places

  /// Whether stores in memory without an identifier are one store here, not one for each repository object.
  var sharesUnnamedStores: Bool { types != nil }

  /// The directory that replaces one that a repository names, nil for the default one.
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

  /// The identifier that replaces a repository's.
  package func memoryIdentifier(inPlaceOf declared: String?) throws(FiefError) -> String {
    if isEnded { throw Self.endedError }
    return "\(root):\(declared ?? "")"
  }

  /// Whether the store of a key is one of the sandbox.
  package func owns(key: String) -> Bool { key.hasPrefix(root + "/") || key.hasPrefix(memoryPrefix) }

  /// Notes the key of a store that was opened; nil for one in clear.
  func note(_ encryption: StoreEncryption?, of directory: String) {
    state.withLock { $0.encryptions[ExactText(directory)] = .some(encryption) }
  }

  private func knows(_ directory: String) -> Bool {
    state.withLock { $0.encryptions[ExactText(directory)] != nil }
  }

  /// The key of a store, as it was last opened or changed.
  package func encryption(of directory: String) -> StoreEncryption? {
    state.withLock { $0.encryptions[ExactText(directory)] ?? encryption }
  }

  /// The key of a store in a sandbox that encrypts; nil of every other one.
  package static func encryption(ofStoreIn directory: String) -> StoreEncryption? {
    guard isUsed else { return nil }
    // A store in memory has a directory outside of the sandbox's.
    return encrypting.withLock { $0.last { $0.owns(key: directory) || $0.knows(directory) } }?
      .encryption(of: directory)
  }

  var isEnded: Bool { state.withLock { $0.isEnded } }

  static var endedError: FiefError {
    FiefError(.storeClosed, "The test that the stores were made for has ended.")
  }

  /// Notes a failure that nothing was thrown for, so that the test fails with it.
  ///
  /// - Returns: false after the end of the sandbox: the test is over.
  func note(_ event: StoreEvent) -> Bool {
    if isEnded { return false }
    events.note(event)
    return true
  }

  func noteEnd() {
    state.withLock { $0.isEnded = true }
    if encryption != nil { Self.encrypting.withLock { $0.removeAll { $0 === self } } }
  }

  /// Removes the directory with all that is in it.
  func remove() { MemoryDirectories.removeTree(root) }

  // MARK: What is in effect

  /// False until the first sandbox is made, so that applications pay nothing for the possibility.
  private static let wasMade = Atomic(false)
  static var isUsed: Bool { wasMade.load(ordering: .relaxed) }
  /// The sandboxes of the task, the innermost last.
  @TaskLocal private static var ofTask: [StoreSandbox] = []
  private static let ofProcess = OwnedLock<[StoreSandbox]>([])
  /// The sandboxes that encrypt, until they end.
  private static let encrypting = OwnedLock<[StoreSandbox]>([])

  func covers(_ type: ObjectIdentifier) -> Bool { types?.contains(type) ?? true }

  /// The innermost sandbox of the task, and else of the process, that covers a repository type.
  static func innermost(covering type: ObjectIdentifier) -> StoreSandbox? {
    ofTask.last { $0.covers(type) } ?? ofProcess.withLock { $0.last { $0.covers(type) } }
  }

  /// The sandbox of the test that runs, whatever it covers; nil outside of tests.
  static var innermost: ObjectIdentifier? {
    guard isUsed else { return nil }
    return (ofTask.last ?? ofProcess.withLock { $0.last }).map { ObjectIdentifier($0) }
  }

  /// The sandboxes of the current task.
  package static var current: [StoreSandbox] { isUsed ? ofTask : [] }

  /// Calls a closure in the sandboxes of a task, on a thread that is not the task's.
  static func withCurrent<Value>(_ sandboxes: [StoreSandbox], _ body: () throws -> Value) rethrows -> Value {
    if sandboxes.isEmpty { return try body() }
    return try $ofTask.withValue(sandboxes, operation: body)
  }

  /// Calls a closure in some sandboxes, in a task that inherits none.
  package static func withCurrent<Value>(
    _ sandboxes: [StoreSandbox],
    _ body: () async throws -> Value
  ) async rethrows -> Value {
    if sandboxes.isEmpty { return try await body() }
    return try await $ofTask.withValue(sandboxes, operation: body)
  }

  /// Calls a closure with this sandbox in effect, in it and in the tasks that it starts.
  package func use<Value>(_ body: () throws -> Value) rethrows -> Value {
    try Self.$ofTask.withValue(Self.ofTask + [self], operation: body)
  }

  /// Calls a closure with this sandbox in effect, in it and in the tasks that it starts.
  nonisolated(nonsending) package func use<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    try await Self.$ofTask.withValue(Self.ofTask + [self], operation: body)
  }

  /// Puts this sandbox in effect in the whole process, detached tasks and other threads included.
  package func install() { Self.ofProcess.withLock { $0.append(self) } }

  func uninstall() { Self.ofProcess.withLock { $0.removeAll { $0 === self } } }
}
