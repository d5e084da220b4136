import Foundation
import Synchronization

/// Where a manager has its stores, and of which repositories.
final class ManagerBinding: Sendable {
  /// A repository type with the name of its store: what tells the repositories of a manager apart.
  struct Kind: Equatable, Sendable {
    let type: ObjectIdentifier
    let name: String

    init<Repository: DatabaseConfigurable>(of repository: Repository) {
      type = ObjectIdentifier(Swift.type(of: repository))
      name = repository.storeName
    }
  }

  /// The directory of the stores whose repositories name none; nil is the default one of the application.
  let directory: String?
  /// The kinds of all repositories of the manager.
  let kinds: [Kind]
  /// The sandbox of the test that made the manager; nil outside of tests.
  let sandbox: ObjectIdentifier?
  private let place: String

  init(directory: String?, kinds: [Kind], sandbox: ObjectIdentifier?) {
    self.directory = directory
    self.kinds = kinds
    self.sandbox = sandbox
    place = directory.map { ($0 as NSString).standardizingPath } ?? ""
  }

  /// Whether the stores of another manager are in the same directory.
  func isInDirectory(of other: ManagerBinding) -> Bool { place == other.place }

  func has(_ kind: Kind) -> Bool { kinds.contains(kind) }

  // MARK: In effect for a task

  /// False until the first use, so that a look-up of a store pays nothing for the possibility.
  private static let wasUsed = Atomic(false)
  /// The bindings of the task, the innermost last.
  @TaskLocal private static var ofTask: [ManagerBinding] = []

  /// The binding that a task has for a repository; nil where there is none.
  static func inEffect(for repository: some DatabaseConfigurable) -> ManagerBinding? {
    if !wasUsed.load(ordering: .relaxed) { return nil }
    let bindings = ofTask
    if bindings.isEmpty { return nil }
    let kind = Kind(of: repository)
    return bindings.last { $0.has(kind) }
  }

  /// The bindings of the current task.
  static var current: [ManagerBinding] { wasUsed.load(ordering: .relaxed) ? ofTask : [] }

  /// Calls a closure with the bindings of a task, on a thread that is not the task's.
  static func withCurrent<Value>(_ bindings: [ManagerBinding], _ body: () throws -> Value) rethrows -> Value {
    if bindings.isEmpty { return try body() }
    return try $ofTask.withValue(bindings, operation: body)
  }

  /// Calls a closure with this binding in effect, in it and in the tasks that it starts.
  func use<Value>(_ body: () throws -> Value) rethrows -> Value {
    Self.wasUsed.store(true, ordering: .relaxed)
    return try Self.$ofTask.withValue(Self.ofTask + [self], operation: body)
  }

  /// Calls a closure with this binding in effect, in it and in the tasks that it starts.
  nonisolated(nonsending) func use<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    Self.wasUsed.store(true, ordering: .relaxed)
    return try await Self.$ofTask.withValue(Self.ofTask + [self], operation: body)
  }
}

extension FiefError {
  /// A value that would be in the directories of several managers.
  static func ambiguous(_ repository: some DatabaseConfigurable, _ directories: [String?]) -> FiefError {
    FiefError(
      .ambiguousRepository,
      "Managers with different directories have this repository, and the value belongs to none of them.",
      store: repository.storeName,
      details: [
        "the repository: \(_typeName(Swift.type(of: repository), qualified: false))",
        "the directories: "
          + directories.map { $0 ?? "the default one" }.sorted().joined(separator: ", "),
        "take it from its manager (manager.repository(…), manager.store(for:)), use it inside of manager.use { }, "
          + "or give the repository a directory of its own",
      ]
    )
  }

  /// A repository that belongs to another manager than the one it is used with.
  static func foreign(
    _ repository: some DatabaseConfigurable,
    in other: ManagerBinding?,
    of own: ManagerBinding
  )
    -> FiefError
  {
    FiefError(
      .foreignRepository,
      other == nil
        ? "The manager does not have this repository." : "The repository belongs to another manager.",
      store: repository.storeName,
      details: [
        "the repository: \(_typeName(Swift.type(of: repository), qualified: false))",
        "the manager's directory: \(own.directory ?? "the default one")",
      ] + (other.map { ["the directory of the other manager: \($0.directory ?? "the default one")"] } ?? [])
    )
  }
}
