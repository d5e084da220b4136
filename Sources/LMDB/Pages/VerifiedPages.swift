public import Synchronization

/// The pages of a snapshot whose values the layer above has found to be correct; see
/// `Transaction.notedPages()`.
///
/// The layer above records its findings by page, and need not check a page again before the page is written
/// again.
@usableFromInline package struct VerifiedPages {
  // SAFETY: the map and the entries do not change their addresses while the transaction is active. Page
  // numbers are compared with the number of entries before they are used.
  @usableFromInline let base: UInt
  /// The start of the pages with opened values, or of the map if there are none.
  @usableFromInline let openedBase: UInt
  @usableFromInline let shift: UInt
  @usableFromInline let count: UInt
  @usableFromInline let entries: UnsafeMutablePointer<Atomic<UInt32>>
  /// The environment keeps the notes alive while the transaction is active.
  private let notes: Unmanaged<PageNotes>
  @usableFromInline let floor: UInt32
  @usableFromInline let stamp: UInt32

  init?(_ notes: PageNotes, map: UnsafeRawPointer, opened: UnsafeRawPointer?, commit: UInt64) {
    let pageSize = notes.pageSize
    let stamp = notes.stamp(of: commit)
    guard stamp > 0, pageSize > 0, pageSize & (pageSize - 1) == 0 else { return nil }
    base = UInt(bitPattern: map)
    openedBase = UInt(bitPattern: opened ?? map)
    shift = UInt(pageSize.trailingZeroBitCount)
    count = UInt(notes.count)
    entries = notes.entries
    self.notes = .passUnretained(notes)
    floor = notes.floor.load(ordering: .relaxed)
    self.stamp = stamp
  }

  @inlinable
  @inline(__always)
  func number(_ place: UnsafeRawPointer) -> UInt {
    let number = (UInt(bitPattern: place) &- base) &>> shift
    return number < count ? number : (UInt(bitPattern: place) &- openedBase) &>> shift
  }

  /// Whether the page in which a value begins was noted and not written since.
  @inlinable
  @inline(__always)
  package func contains(_ place: UnsafeRawPointer) -> Bool {
    let number = number(place)
    guard number < count else { return false }
    let noted = entries[Int(2 &* number)].load(ordering: .relaxed)
    return noted >= floor && noted >= entries[Int(2 &* number &+ 1)].load(ordering: .relaxed)
  }

  /// Records that the values of a page are correct.
  @usableFromInline package func note(_ place: UnsafeRawPointer) {
    let number = number(place)
    guard number < count, notes._withUnsafeGuaranteedRef({ $0.makeWritable(Int(number)) }) else { return }
    entries[Int(2 * number)].store(stamp, ordering: .relaxed)
  }
}
