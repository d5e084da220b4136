import FiefCore

/// The findings of a check of a store.
public struct IntegrityReport: Sendable {
  /// Every disagreement, in words; empty for a consistent store.
  public package(set) var problems: [String] = []
  /// The number of records that were checked.
  public internal(set) var records = 0
  /// The number of entries of indexes and backlinks that were checked.
  public package(set) var entries = 0
  /// The unfinished parts of writes to several stores; the store is consistent with them.
  public internal(set) var unfinishedWrites: [InDoubtTransaction] = []
  /// The properties that have stored values which their Swift type has no value for, as a raw value of an
  /// enumeration that no case has, with the number of objects; the store is consistent with them. Only a
  /// check through a repository knows the classes.
  public internal(set) var unknownValues: [String] = []

  /// A report without findings.
  package init() {}

  /// Whether nothing was found.
  public var isConsistent: Bool { problems.isEmpty }
}
