import FiefCore

/// The findings from checking a store.
public struct IntegrityReport: Sendable {
  /// A description of every inconsistency. Empty if the store is consistent.
  public package(set) var problems: [String] = []
  /// The number of checked records.
  public internal(set) var records = 0
  /// The number of checked index entries and backlinks.
  public package(set) var entries = 0
  /// The unfinished parts of writes to several stores. They are not inconsistencies.
  public internal(set) var unfinishedWrites: [InDoubtTransaction] = []
  /// Properties with stored values that their Swift type cannot represent, such as a raw value without a case
  /// in an enumeration, together with the number of objects. They are not inconsistencies. Only a check
  /// through a repository finds them, because it needs the classes.
  public internal(set) var unknownValues: [String] = []

  /// Creates a report without findings.
  package init() {}

  /// A Boolean value that indicates whether no problems were found.
  public var isConsistent: Bool { problems.isEmpty }
}
