import LMDB

extension Results: Sequence {
  /// An iterator that reads the objects in batches.
  public func makeIterator() -> ResultsIterator<Element> { ResultsIterator(self) }

  /// Zero: the count is not looked up for it.
  public var underestimatedCount: Int { 0 }
}

/// Iterates over ``Results``: the first batch is one object, later ones are larger, and no transaction
/// stays open between them.
///
/// Copies of an iterator share its place.
public struct ResultsIterator<Element: Object>: IteratorProtocol {
  @usableFromInline let batches: ObjectBatches

  init(_ results: Results<Element>) { batches = ResultsBatches(results) }

  /// The next object, nil at the end.
  @inlinable
  public mutating func next() -> Element? {
    guard let object = batches.next() else { return nil }
    // SAFETY: `ResultsBatches` appends objects of the class only.
    return unsafeDowncast(object, to: Element.self)
  }
}

/// The batches of ``Results``.
private final class ResultsBatches<Element: Object>: ObjectBatches {
  private static var largestBatch: Int { 64 }

  private let results: Results<Element>
  private var batchSize = 1
  private var lastKey: ObjectKey?
  private var keys: ArraySlice<ObjectKey>?
  private var isAtEnd = false

  init(_ results: Results<Element>) { self.results = results }

  override func refill() {
    while count == position, !isAtEnd {
      begin(batchSize)
      do {
        if results.order.isEmpty { try scan() } else { try loadSorted() }
      } catch {
        results.context.report(error, type: Element.className(), property: nil)
        isAtEnd = true
      }
      batchSize = min(batchSize * 8, Self.largestBatch)
    }
  }

  private func loadSorted() throws {
    var rest = try keys ?? ArraySlice(results.objectKeys())
    for object in try results.load(Array(rest.prefix(batchSize))) { append(object) }
    rest = rest.dropFirst(batchSize)
    keys = rest
    isAtEnd = rest.isEmpty
  }

  private func scan() throws {
    try results.withTransaction { store, transaction, scope in
      let binding = try store.binding(of: Element.self)
      guard let records = binding.table.records else {
        isAtEnd = true
        return
      }
      let cursor = try transaction.cursor(records)
      let size = batchSize
      let context = results.context
      var found = try lastKey.map { try cursor.seek(after: $0) } ?? cursor.first()
      while found {
        do {
          if let object = try results.match(binding, cursor, scope, context) { append(object) }
        } catch {
          results.context.report(error, type: binding.table.name, property: nil)
        }
        if count == size {
          lastKey = ObjectKey(cursor.key)
          return
        }
        found = try cursor.next()
      }
      isAtEnd = true
    }
  }
}

extension Cursor {
  /// Goes to the first entry behind a key, whether that exists or not.
  func seek(after key: ObjectKey) throws -> Bool {
    guard try key.bytes.withUnsafeBytes({ try seek(atOrAfter: $0) }) else { return false }
    return self.key.elementsEqual(key.bytes) ? try next() : true
  }
}
