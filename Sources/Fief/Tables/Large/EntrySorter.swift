/// Brings the entries of a map into the order of their keys, where the tree has them in another one.
///
/// It holds all of them.
struct EntrySorter {
  private struct Entry {
    var key: Range<Int>
    /// The key with its length, and the element.
    var whole: Range<Int>
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  mutating func add(_ run: ElementRun, type: ColumnType) throws {
    let base = bytes.count
    bytes += run.bytes
    try bytes.withUnsafeBytes { bytes in
      let all = UnsafeRawBufferPointer(rebasing: bytes[base...])
      var reader = ValueReader(all, context: nil)
      for _ in 0..<run.count {
        let start = bytes.count - reader.rest.count
        let key = try reader.sized()
        let keyEnd = bytes.count - reader.rest.count
        _ = try CollectionPayload.readElement(of: type, from: &reader)
        entries.append(
          Entry(
            key: (keyEnd - key.count)..<keyEnd,
            whole: start..<(bytes.count - reader.rest.count)
          )
        )
      }
    }
  }

  /// Calls `body` with runs of the entries in order, until it returns false.
  ///
  /// - Returns: whether all were handed out.
  func forEachRun(_ body: (ElementRun) throws -> Bool) throws -> Bool {
    let order = bytes.withUnsafeBytes { bytes in
      entries.indices.sorted { bytes.compare(entries[$0].key, entries[$1].key) < 0 }
    }
    var run = ElementRun.none
    for index in order {
      run.bytes += bytes[entries[index].whole]
      run.count += 1
      guard run.bytes.count >= ElementRun.usualBytes else { continue }
      if try !body(run) { return false }
      run = .none
    }
    return try run.count == 0 || body(run)
  }
}
