/// Goes through the elements of a ``List`` or a ``MutableSet``; objects are read some at a time.
public struct CollectionIterator<Element>: IteratorProtocol {
  @usableFromInline var batch: [Element]
  @usableFromInline var index = 0
  @usableFromInline let more: (() -> [Element]?)?

  /// - Parameter more: gives the elements that follow, nil at the end.
  init(_ batch: [Element], more: (() -> [Element]?)? = nil) {
    self.batch = batch
    self.more = more
  }

  /// The next element; nil at the end.
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
