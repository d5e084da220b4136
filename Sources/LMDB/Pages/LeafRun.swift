/// Entries that follow one another in one page, in the order of their keys.
///
/// It is what the hottest loops go along: an entry of a run is read without a call and without a check, since
/// the page was checked when the run was made. Where pages cannot be read directly, as in a write, a run has
/// one entry. The bytes are valid as long as those of the cursor.
public struct LeafRun {
  @usableFromInline let singleKey: UnsafeRawBufferPointer
  @usableFromInline let singleValue: UnsafeRawBufferPointer
  /// The number of entries, at least one.
  public let count: Int

  init(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    singleKey = key
    singleValue = value
    count = 1
  }

  /// The key of an entry, counted from the first of the run.
  ///
  /// - Precondition: `index` is in `0..<count`.
  @inlinable
  public func key(_ index: Int) -> UnsafeRawBufferPointer { singleKey }

  /// The value of an entry, counted from the first of the run.
  ///
  /// - Precondition: `index` is in `0..<count`.
  @inlinable
  public func value(_ index: Int) -> UnsafeRawBufferPointer { singleValue }
}
