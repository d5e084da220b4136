/// Copies of records and their keys, for decoding objects after the transaction has ended.
///
/// Copying a record takes a tenth of the time of decoding an object. Each object is decoded when it is
/// requested, and usually released before the next one, which is the fastest pattern for the allocator.
// SAFETY: `memory` has `capacity` bytes. The bytes below `end` are entries, each consisting of two counts,
// the key and the record. If `position` is less than `end`, an entry begins there.
package final class RecordBatch {
  private struct Counts {
    var key: Int
    var record: Int
  }

  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  // Only one thread at a time iterates, and these properties are only read and assigned, so accesses cannot
  // overlap.
  @exclusivity(unchecked) private var position = 0
  @exclusivity(unchecked) private var end = 0

  package init() {
    capacity = 1024
    memory = .allocate(byteCount: capacity, alignment: MemoryLayout<Counts>.alignment)
  }

  deinit { memory.deallocate() }

  /// The total size of the entries in bytes.
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

  /// The key of the first remaining entry, or `nil` if no entry remains.
  package var firstKey: [UInt8]? {
    let start = position
    defer { position = start }
    return next().map { [UInt8]($0.key) }
  }

  /// Calls `body` with the key of each remaining entry, without advancing the position.
  func forEachKey(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    let start = position
    defer { position = start }
    while let (key, _) = next() { try body(key) }
  }

  /// Returns the next entry, or `nil` at the end. Its bytes are valid until the batch is changed.
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
