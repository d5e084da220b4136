import Foundation
import LMDB
import Synchronization

/// Protection of the stores outside all sandboxes while tests use fresh stores.
///
/// The sandbox of a test applies to the test's task. It does not apply to detached tasks, threads or dispatch
/// queues of the code under test. Without protection, such code would use the directories that repositories
/// specify, which belong to the application. Therefore, once a process has run a test with fresh stores, a
/// repository outside all sandboxes may have its store on disk only in a directory for temporary files.
extension StoreSandbox {
  /// The sandboxes that cover every repository, until they end.
  private static let guarding = OwnedLock<[StoreSandbox]>([])
  private static let isGuarding = Atomic(false)
  /// Whether the task may use the directories that repositories specify.
  @TaskLocal private static var allowsOwnDirectories = false

  func beginGuarding() {
    Self.guarding.withLock { $0.append(self) }
    Self.isGuarding.store(true, ordering: .relaxed)
  }

  func endGuarding() { Self.guarding.withLock { $0.removeAll { $0 === self } } }

  /// Checks the directory of a repository that is in no sandbox.
  ///
  /// - Throws: ``FiefError`` of code `outsideOfTest`. If only one test with fresh stores is running, this
  ///   test fails too, because the error may be thrown on a thread that does not pass it on.
  static func checkOutside(_ directory: String, _ repository: some DatabaseConfigurable) throws(FiefError) {
    guard isGuarding.load(ordering: .relaxed), !allowsOwnDirectories, !isTemporary(directory) else { return }
    let error = FiefError(
      .outsideOfTest,
      "A repository was used outside the tests' fresh stores; its own directory was not touched.",
      store: repository.storeName,
      path: directory,
      details: [
        "detached tasks, threads and dispatch queues do not belong to the task of the test",
        "use .freshStores(scope: .process) with .serialized, pass a StoreFixture to the code, or start a Task { }",
      ]
    )
    let running = guarding.withLock { $0 }
    if running.count == 1, let test = running.first, test.note(.misuse(error)) { throw error }
    UnhandledEvents.shared.tell(.misuse(error))
    throw error
  }

  private static func isTemporary(_ directory: String) -> Bool {
    let path = URL(fileURLWithPath: directory).standardizedFileURL.path
    let places = [
      FileManager.default.temporaryDirectory.standardizedFileURL.path, "/tmp", "/private/tmp", "/dev/shm",
    ]
    return places.contains { path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
  }

  /// Calls a closure in which repositories outside sandboxes may use the directories that they specify.
  package static func allowingOwnDirectories<Value>(_ body: () throws -> Value) rethrows -> Value {
    try $allowsOwnDirectories.withValue(true, operation: body)
  }

  /// Calls a closure in which repositories outside sandboxes may use the directories that they specify.
  nonisolated(nonsending) package static func allowingOwnDirectories<Value>(
    _ body: () async throws -> Value
  ) async rethrows -> Value {
    try await $allowsOwnDirectories.withValue(true, operation: body)
  }
}
