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
  @usableFromInline let batches: ObjectSource

  init(_ results: Results<Element>) { batches = ResultsBatches(results) }

  /// The next object, nil at the end.
  @inlinable
  public mutating func next() -> Element? {
    guard let object = batches.next() else { return nil }
    // SAFETY: `ResultsBatches` gives objects of the class only.
    return unsafeDowncast(object, to: Element.self)
  }
}

/// What an iterator takes its objects from, whatever their class: not generic, so that the compiler of the
/// application sees through the iterator.
@usableFromInline
class ObjectSource {
  /// The next object, nil at the end.
  @usableFromInline
  func next() -> ObjectBase? { nil }
}

/// The batches of ``Results``: of records, which become objects one by one, or in a write and in an order of
/// objects.
private final class ResultsBatches<Element: Object>: ObjectSource {
  private static var largestBatch: Int { 64 }
  /// A batch ends where it has so many bytes, however few records they are.
  private static var largestSize: Int { 1 << 16 }

  private let results: Results<Element>
  private let records = RecordBatch()
  // SAFETY: the store keeps it, and the context of the results has the store.
  private var binding: Unmanaged<ObjectBinding>?
  /// Those of a batch that are left, the next one at the end.
  private var objects: [Element] = []
  private var batchSize = 1
  private var lastKey: ObjectKey?
  private var keys: ArraySlice<ObjectKey>?
  private var isAtEnd = false

  init(_ results: Results<Element>) { self.results = results }

  override func next() -> ObjectBase? {
    while true {
      if let binding, let (key, record) = records.next() {
        do {
          let object = try binding._withUnsafeGuaranteedRef {
            try results.make($0, key: key, record: record, results.context)
          }
          if try results.holds(object) { return object }
        } catch {
          let type = binding.takeUnretainedValue().table.name
          results.context.report(error, type: type, property: nil)
        }
      } else if let object = objects.popLast() {
        return object
      } else {
        if isAtEnd { return nil }
        refill()
      }
    }
  }

  @inline(never)
  private func refill() {
    do {
      if results.order.isEmpty { try scan() } else { try loadSorted() }
    } catch {
      results.context.report(error, type: Element.className(), property: nil)
      isAtEnd = true
    }
    objects.reverse()
    batchSize = min(batchSize * 8, Self.largestBatch)
  }

  private func loadSorted() throws {
    var rest = try keys ?? ArraySlice(results.objectKeys())
    objects = try results.load(Array(rest.prefix(batchSize)))
    rest = rest.dropFirst(batchSize)
    keys = rest
    isAtEnd = rest.isEmpty
  }

  private func scan() throws {
    records.removeAll()
    try results.withTransaction { store, transaction, scope in
      let binding = try store.binding(of: Element.self)
      self.binding = .passUnretained(binding)
      guard let database = binding.table.records else {
        isAtEnd = true
        return
      }
      let cursor = try transaction.cursor(database)
      var count = 0
      var found = try lastKey.map { try cursor.seek(after: $0) } ?? cursor.first()
      while found {
        if let scope {
          do {
            if let object = try results.match(binding, cursor, scope, results.context) {
              objects.append(object)
            }
          } catch {
            results.context.report(error, type: binding.table.name, property: nil)
          }
        } else {
          records.append(key: cursor.key, record: cursor.value)
        }
        count += 1
        if count == batchSize || records.size >= Self.largestSize {
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
