/// What a check of a store has found.
public struct StoreCheck: Sendable {
  /// Every disagreement, in words; empty for a store that is whole.
  public internal(set) var problems: [String] = []
  /// The number of records that were looked at.
  public internal(set) var records = 0
  /// The number of entries of indexes and backlinks that were looked at.
  public internal(set) var entries = 0
  /// What writes to several stores have left to be finished; the store is whole with it.
  public internal(set) var unfinishedWrites: [UnfinishedWrite] = []

  /// Whether nothing was found.
  public var isWhole: Bool { problems.isEmpty }
}
