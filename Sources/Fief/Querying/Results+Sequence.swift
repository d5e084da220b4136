import LMDB

extension Results: Sequence {
  /// An iterator that reads the objects in batches.
  public func makeIterator() -> ResultsIterator<Element> { ResultsIterator(self) }

  /// Zero: the count is not looked up for it.
  public var underestimatedCount: Int { 0 }
}

/// Iterates over ``Results``: the first batch is one object, later ones are larger, and no transaction
/// stays open between them.
public struct ResultsIterator<Element: Object>: IteratorProtocol {
  private static var largestBatch: Int { 256 }

  private let results: Results<Element>
  private var batch: [Element] = []
  private var position = 0
  private var batchSize = 1
  private var lastKey: ObjectKey?
  private var keys: ArraySlice<ObjectKey>?
  private var isAtEnd = false

  init(_ results: Results<Element>) { self.results = results }

  /// The next object, nil at the end.
  public mutating func next() -> Element? {
    while position == batch.count {
      if isAtEnd { return nil }
      refill()
    }
    defer { position += 1 }
    return batch[position]
  }

  private mutating func refill() {
    batch = []
    position = 0
    do {
      if results.order.isEmpty { try scan() } else { try loadSorted() }
    } catch {
      results.context.report(error, type: Element.className(), property: nil)
      isAtEnd = true
    }
    batchSize = min(batchSize * 8, Self.largestBatch)
  }

  private mutating func loadSorted() throws {
    var rest = try keys ?? ArraySlice(results.objectKeys())
    batch = try results.load(Array(rest.prefix(batchSize)))
    rest = rest.dropFirst(batchSize)
    keys = rest
    isAtEnd = rest.isEmpty
  }

  private mutating func scan() throws {
    var found: [Element] = []
    var last = lastKey
    var ended = false
    try results.withTransaction { store, transaction, scope in
      let binding = try store.binding(of: Element.self)
      guard let records = binding.table.records else {
        ended = true
        return
      }
      let cursor = try transaction.cursor(records)
      var more = try last.map { try cursor.seek(after: $0) } ?? cursor.first()
      while more, found.count < batchSize {
        last = ObjectKey(cursor.key)
        do {
          let object = try results.make(binding, key: cursor.key, record: cursor.value, scope)
          if let object, try results.matches(object) { found.append(object) }
        } catch {
          results.context.report(error, type: binding.table.name, property: nil)
        }
        more = try cursor.next()
      }
      ended = !more
    }
    batch = found
    lastKey = last
    isAtEnd = ended
  }
}

extension Cursor {
  /// Goes to the first entry behind a key, whether that exists or not.
  func seek(after key: ObjectKey) throws -> Bool {
    guard try key.bytes.withUnsafeBytes({ try seek(atOrAfter: $0) }) else { return false }
    return self.key.elementsEqual(key.bytes) ? try next() : true
  }
}
