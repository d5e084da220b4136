import Foundation
import Synchronization

/// The directory in which a manager has its stores, and the repositories of these stores.
final class ManagerBinding: Sendable {
  /// The identity of a repository in a manager: the repository type and the name of its store.
  struct Kind: Equatable, Sendable {
    let type: ObjectIdentifier
    let name: String

    init(type: ObjectIdentifier, name: String) {
      self.type = type
      self.name = name
    }

    static func == (first: Kind, second: Kind) -> Bool {
      first.type == second.type && first.name.hasSameBytes(as: second.name)
    }
  }

  /// The directory for stores whose repositories do not specify one; nil for the application's default
  /// directory.
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

  /// Whether another manager has its stores in the same directory.
  func isInDirectory(of other: ManagerBinding) -> Bool { place.hasSameBytes(as: other.place) }

  func has(_ kind: Kind) -> Bool { kinds.contains(kind) }

  // MARK: The current manager

  /// Whether bindings were ever used. Until then, looking up a store has no additional cost.
  private static let wasUsed = Atomic(false)
  /// The bindings of the task; the innermost is last.
  @TaskLocal private static var ofTask: [ManagerBinding] = []

  /// The bindings of the current task.
  static var current: [ManagerBinding] { wasUsed.load(ordering: .relaxed) ? ofTask : [] }

  /// Calls a closure with the bindings of a task, on a thread that does not belong to the task.
  static func withCurrent<Value>(_ bindings: [ManagerBinding], _ body: () throws -> Value) rethrows -> Value {
    if bindings.isEmpty { return try body() }
    return try $ofTask.withValue(bindings, operation: body)
  }

  /// Calls a closure with this binding in effect for the closure and the tasks that it starts.
  func use<Value>(_ body: () throws -> Value) rethrows -> Value {
    Self.wasUsed.store(true, ordering: .relaxed)
    return try Self.$ofTask.withValue(Self.ofTask + [self], operation: body)
  }

  /// Calls a closure with this binding in effect for the closure and the tasks that it starts.
  nonisolated(nonsending) func use<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    Self.wasUsed.store(true, ordering: .relaxed)
    return try await Self.$ofTask.withValue(Self.ofTask + [self], operation: body)
  }
}
