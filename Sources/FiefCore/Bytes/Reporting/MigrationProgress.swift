/// The progress of a migration.
///
/// If a migration outgrows the store's map, it runs again from the start, so the progress may begin at 0
/// again.
public struct MigrationProgress: Sendable, Hashable {
  /// The store's name.
  public var store: String
  /// The current version of the store.
  public var fromVersion: UInt64
  /// The version to which the store is migrated.
  public var toVersion: UInt64
  /// The name of the step that is running; nil outside of steps.
  public var step: String?
  /// A description of the current activity: `Dog: converting`, `Dog: enumerating`.
  public var activity: String
  /// The number of completed objects in this part.
  public var completed: Int
  /// The total number of objects in this part; 0 if it is unknown.
  public var total: Int

  /// Creates a progress value.
  public init(
    store: String,
    fromVersion: UInt64,
    toVersion: UInt64,
    step: String? = nil,
    activity: String,
    completed: Int,
    total: Int
  ) {
    self.store = store
    self.fromVersion = fromVersion
    self.toVersion = toVersion
    self.step = step
    self.activity = activity
    self.completed = completed
    self.total = total
  }
}
