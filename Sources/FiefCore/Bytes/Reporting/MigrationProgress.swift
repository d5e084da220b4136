/// The progress of a migration.
///
/// A migration that outgrows the store's map runs again from its start, so that progress may begin again at 0.
public struct MigrationProgress: Sendable, Hashable {
  /// The store's name.
  public var store: String
  /// The version that the store has.
  public var fromVersion: UInt64
  /// The version that the migration leads to.
  public var toVersion: UInt64
  /// The name of the step that is running; nil outside of steps.
  public var step: String?
  /// The current activity, for people: `Dog: converting`, `Dog: enumerating`.
  public var activity: String
  /// The number of objects of this part that are done.
  public var completed: Int
  /// The number of objects of this part; 0 where that is not known.
  public var total: Int

  /// Makes a progress.
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
