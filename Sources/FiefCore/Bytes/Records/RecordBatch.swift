/// Copies of records with their keys, to make objects from after the transaction has ended.
///
/// Copying a record takes a tenth of making its object; and an object that is made when it is asked for is
/// freed before the next one is made, which the allocator is fastest at.
// SAFETY: `memory` has room for `capacity` bytes; those below `end` are entries, one of which begins at
// `position` where that is less: two counts, then the key, then the record.
package final class RecordBatch {
  private struct Counts {
    var key: Int
    var record: Int
  }

  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  // One thread at a time iterates, and these properties are only read and assigned: no access can overlap.
  @exclusivity(unchecked) private var position = 0
  @exclusivity(unchecked) private var end = 0

  package init() {
    capacity = 1024
    memory = .allocate(byteCount: capacity, alignment: MemoryLayout<Counts>.alignment)
  }

  deinit { memory.deallocate() }

  /// The bytes of the entries.
  var size: Int { end }

  func removeAll() {
    position = 0
    end = 0
  }

  package func append(key: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer) {
    let needed = MemoryLayout<Counts>.size + key.count + record.count
    if needed > capacity - end { grow(needed) }
    (memory + end).storeBytes(of: Counts(key: key.count, record: record.count), as: Counts.self)
    end += MemoryLayout<Counts>.size
    append(key)
    append(record)
  }

  @inline(__always)
  private func append(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    (memory + end).copyMemory(from: base, byteCount: bytes.count)
    end += bytes.count
  }

  @inline(never)
  private func grow(_ needed: Int) {
    let larger = max(capacity * 2, end + needed)
    let copy = UnsafeMutableRawPointer.allocate(
      byteCount: larger,
      alignment: MemoryLayout<Counts>.alignment
    )
    copy.copyMemory(from: memory, byteCount: end)
    memory.deallocate()
    memory = copy
    capacity = larger
  }

  /// Calls `body` with the key of each entry that is left, without going on.
  func forEachKey(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    let start = position
    defer { position = start }
    while let (key, _) = next() { try body(key) }
  }

  /// The next entry, nil at the end; its bytes are valid until the batch is changed.
  @inline(__always)
  func next() -> (key: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer)? {
    guard position < end else { return nil }
    let counts = (memory + position).loadUnaligned(as: Counts.self)
    let key = memory + position + MemoryLayout<Counts>.size
    position += MemoryLayout<Counts>.size + counts.key + counts.record
    return (
      UnsafeRawBufferPointer(start: key, count: counts.key),
      UnsafeRawBufferPointer(start: key + counts.key, count: counts.record)
    )
  }
}
