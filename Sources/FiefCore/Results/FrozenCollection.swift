/// A collection that always shows one state of the store: ``FrozenResults``, ``FrozenSections``,
/// ``FrozenSection`` and the frozen forms of projections.
public protocol FrozenCollection: RandomAccessCollection
where Index == Int, Indices == Range<Int> {}

extension FrozenCollection {
  /// The index of the first element.
  @inlinable
  public var startIndex: Int { 0 }

  /// A Boolean value that indicates whether the elements never change: always `true`.
  public var isFrozen: Bool { true }

  /// Returns this collection, which is already frozen.
  public func freeze() -> Self { self }
}
