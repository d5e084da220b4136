/// Iterates over the elements of a ``List`` or a ``MutableSet``. Objects are read in batches.
public struct CollectionIterator<Element>: IteratorProtocol {
  @usableFromInline var batch: [Element]
  @usableFromInline var index = 0
  @usableFromInline let more: (() -> [Element]?)?

  /// - Parameter more: returns the next batch of elements, or `nil` at the end.
  init(_ batch: [Element], more: (() -> [Element]?)? = nil) {
    self.batch = batch
    self.more = more
  }

  /// Returns the next element, or `nil` at the end.
  @inlinable
  public mutating func next() -> Element? {
    if index < batch.count {
      let element = batch[index]
      index += 1
      return element
    }
    return nextOfMore()
  }

  @usableFromInline
  mutating func nextOfMore() -> Element? {
    while let next = more?() {
      guard let first = next.first else { continue }
      batch = next
      index = 1
      return first
    }
    return nil
  }
}
