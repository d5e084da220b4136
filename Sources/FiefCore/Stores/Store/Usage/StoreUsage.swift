import Synchronization

/// The label under which stores count reads and writes, such as the screen or the endpoint that makes them.
///
/// ```swift
/// let dog = try await StoreUsage.withLabel("profile") {
///   try await pets.object(ofType: Dog.self, forPrimaryKey: "Rex")
/// }
/// print(try pets.store().usage().labels["profile"]?.reads ?? 0)
/// ```
/// A label is a task-local value: tasks that the closure starts inherit it, but a `Task.detached` does not. A
/// write that is submitted to the write queue is counted under the label of its caller. A `read { }` and a
/// `write { }` are counted under the label in which they end.
///
/// A store counts 256 labels separately; further labels are counted together under ``otherLabels``. Labels
/// are usually constants in code: two labels are the same if Swift compares them as equal.
public enum StoreUsage {
  /// The label that counts everything beyond the 256 labels that a store counts separately.
  public static let otherLabels = "(other)"

  @TaskLocal private static var ofTask: String?
  /// Whether any label was ever used. Reading a task-local value takes a twentieth of the time of a point
  /// read.
  private static let wasUsed = Atomic(false)

  /// The label of the current task, or `nil` if it has no label.
  public static var label: String? { isUsed ? ofTask : nil }

  @inline(__always)
  static var isUsed: Bool { wasUsed.load(ordering: .relaxed) }

  /// Calls a closure, and counts its reads and writes under a label.
  ///
  /// - Parameters:
  ///   - label: the label, or `nil` for no label.
  ///   - body: the closure.
  public static func withLabel<Value>(_ label: String?, _ body: () throws -> Value) rethrows -> Value {
    if label != nil { wasUsed.store(true, ordering: .relaxed) }
    return try $ofTask.withValue(label, operation: body)
  }

  /// Calls a closure, and counts its reads and writes under a label.
  ///
  /// - Parameters:
  ///   - label: the label, or `nil` for no label.
  ///   - body: the closure.
  nonisolated(nonsending)
    public static func withLabel<Value>(_ label: String?, _ body: () async throws -> Value) async rethrows
    -> Value
  {
    if label != nil { wasUsed.store(true, ordering: .relaxed) }
    return try await $ofTask.withValue(label, operation: body)
  }
}
