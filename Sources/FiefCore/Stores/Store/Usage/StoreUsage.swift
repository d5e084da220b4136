import Synchronization

/// The label under which stores count reads and writes: the screen or the endpoint that makes them.
///
/// ```swift
/// let dog = try await StoreUsage.withLabel("profile") {
///   try await pets.object(ofType: Dog.self, forPrimaryKey: "Rex")
/// }
/// print(try pets.store().usage().labels["profile"]?.reads ?? 0)
/// ```
/// A label is a value of the task: tasks that the closure starts inherit it, as `Task.detached` does not, and a write that is
/// left to the write queue is counted under the label of its caller. A `read { }` and a `write { }` have the label in which
/// they end. A store tells 256 labels apart; further ones are counted together under ``otherLabels``.
/// Labels are names in code: two that Swift holds equal are one label.
public enum StoreUsage {
  /// The label under which everything is counted beyond the 256 labels that a store tells apart.
  public static let otherLabels = "(other)"

  @TaskLocal private static var ofTask: String?
  /// Whether any label was ever used: to ask for the value of a task takes as long as a twentieth of a point read.
  private static let wasUsed = Atomic(false)

  /// The label of the current task; nil for none.
  public static var label: String? { isUsed ? ofTask : nil }

  @inline(__always)
  static var isUsed: Bool { wasUsed.load(ordering: .relaxed) }

  /// Calls a closure, in which reads and writes are counted under a label.
  ///
  /// - Parameters:
  ///   - label: the label; nil for none.
  ///   - body: the closure.
  public static func withLabel<Value>(_ label: String?, _ body: () throws -> Value) rethrows -> Value {
    if label != nil { wasUsed.store(true, ordering: .relaxed) }
    return try $ofTask.withValue(label, operation: body)
  }

  /// Calls a closure, in which reads and writes are counted under a label.
  ///
  /// - Parameters:
  ///   - label: the label; nil for none.
  ///   - body: the closure.
  nonisolated(nonsending)
    public static func withLabel<Value>(_ label: String?, _ body: () async throws -> Value) async rethrows
    -> Value
  {
    if label != nil { wasUsed.store(true, ordering: .relaxed) }
    return try await $ofTask.withValue(label, operation: body)
  }
}
