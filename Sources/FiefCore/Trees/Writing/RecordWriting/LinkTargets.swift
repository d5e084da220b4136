/// The distinct elements of a run in the order of their bytes, each with its number of occurrences.
package struct LinkTargets {
  private struct Item {
    let prefix: UInt64
    let start: Int
    let count: Int
  }

  private let bytes: [UInt8]
  private var items: [Item] = []

  /// Creates a value from the elements as they are encoded, including nil.
  init(elementsOf run: ElementRun, type: ColumnType) throws {
    try self.init(run, type: type) { $0 }
  }

  /// Creates a value from the targets of links. Nil links are ignored.
  package init(_ run: ElementRun, type: ColumnType) throws {
    try self.init(run, type: type) { try CollectionPayload.value($0, type: type) }
  }

  private init(
    _ run: ElementRun,
    type: ColumnType,
    _ value: (UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer?
  ) throws {
    bytes = run.bytes
    var isSorted = true
    let items = try bytes.withUnsafeBytes { buffer in
      var items: [Item] = []
      items.reserveCapacity(run.count)
      try ElementRun.forEach(buffer, count: run.count, type: type) { _, element in
        guard let value = try value(element), let start = value.baseAddress, let base = buffer.baseAddress
        else { return true }
        let item = Item(
          prefix: buffer.prefix(at: start - base, count: value.count),
          start: start - base,
          count: value.count
        )
        if let last = items.last, Self.order(item, last, buffer) < 0 { isSorted = false }
        items.append(item)
        return true
      }
      if !isSorted { items.sort { Self.order($0, $1, buffer) < 0 } }
      return items
    }
    self.items = items
  }

  @inline(__always)
  private static func order(_ first: Item, _ second: Item, _ bytes: UnsafeRawBufferPointer) -> Int {
    if first.prefix != second.prefix { return first.prefix < second.prefix ? -1 : 1 }
    return bytes.compare(
      first.start..<(first.start + first.count),
      second.start..<(second.start + second.count)
    )
  }

  /// Calls `body` with each distinct target of two runs, and with its number of occurrences in each run.
  package static func compare(
    _ first: LinkTargets,
    _ second: LinkTargets,
    _ body: (_ target: UnsafeRawBufferPointer, _ first: Int, _ second: Int) throws -> Void
  ) throws {
    try first.bytes.withUnsafeBytes { firstBytes in
      try second.bytes.withUnsafeBytes { secondBytes in
        var left = 0
        var right = 0
        while left < first.items.count || right < second.items.count {
          let one = left < first.items.count ? first.target(left, firstBytes) : nil
          let other = right < second.items.count ? second.target(right, secondBytes) : nil
          guard let target = Self.lesser(one, other) else { return }
          let inFirst = first.skip(target, from: &left, firstBytes)
          let inSecond = second.skip(target, from: &right, secondBytes)
          try body(target, inFirst, inSecond)
        }
      }
    }
  }

  private static func lesser(_ first: UnsafeRawBufferPointer?, _ second: UnsafeRawBufferPointer?)
    -> UnsafeRawBufferPointer?
  {
    guard let first, let second else { return first ?? second }
    return second.lexicographicallyPrecedes(first) ? second : first
  }

  private func target(_ index: Int, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[items[index].start..<(items[index].start + items[index].count)])
  }

  private func skip(_ target: UnsafeRawBufferPointer, from index: inout Int, _ bytes: UnsafeRawBufferPointer)
    -> Int
  {
    let start = index
    while index < items.count, self.target(index, bytes).elementsEqual(target) { index += 1 }
    return index - start
  }
}
