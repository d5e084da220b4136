import Foundation

/// Array operations that also work for constant lists, because they change the list instead of replacing it.
extension List {
  /// Appends the elements of a sequence to a list.
  public static func += (list: List, elements: some Sequence<Element>) { list.append(contentsOf: elements) }

  /// Replaces the element at an index.
  ///
  /// An index out of bounds changes nothing, and is reported to the store's event handler.
  public func replace(index: Int, object: Element) {
    willChange()
    guard indices.contains(index) else { return reportOutOfBounds(index, count: count) }
    self[index] = object
  }

  /// Returns the elements of a list followed by the elements of a sequence.
  public static func + (list: List, elements: some Sequence<Element>) -> [Element] {
    Array(list) + Array(elements)
  }

  /// Returns the elements of a list followed by the elements of another collection.
  public static func + (list: List, elements: some RangeReplaceableCollection<Element>) -> [Element] {
    Array(list) + Array(elements)
  }

  /// Returns the elements of two lists, one after the other.
  public static func + (list: List, other: List) -> [Element] { Array(list) + Array(other) }

  /// The elements of a range. Assigning a slice replaces them.
  public subscript(bounds: Range<Int>) -> Slice<List> {
    get {
      precondition(bounds.lowerBound >= 0 && bounds.upperBound <= count, "Index out of range")
      return Slice(base: self, bounds: bounds)
    }
    set { replaceSubrange(bounds, with: newValue) }
  }

  /// Inserts elements before the element at an index, or at the end if the index is `count`.
  public func insert(contentsOf elements: some Collection<Element>, at index: Int) {
    // The elements may belong to this list.
    let elements = Array(elements)
    willChange()
    guard index >= 0, index <= count else { return reportOutOfBounds(index, count: count) }
    replaceSubrange(index..<index, with: elements)
  }

  /// Replaces the elements of a range. A range out of bounds changes nothing, and is reported to the store's
  /// event handler.
  public func replaceSubrange(
    _ range: some RangeExpression<Int>,
    with elements: some Collection<Element>
  ) {
    let elements = Array(elements)
    willChange()
    if let range = relative(range) { replaceSubrange(range, with: elements) }
  }

  /// Removes the elements of a range.
  public func removeSubrange(_ range: Range<Int>) { replaceSubrange(range, with: EmptyCollection()) }

  /// Removes the elements of a range. A range out of bounds changes nothing, and is reported to the store's
  /// event handler.
  public func removeSubrange(_ range: some RangeExpression<Int>) {
    willChange()
    if let range = relative(range) { removeSubrange(range) }
  }

  /// Removes the first element. If the list is empty, this is reported to the store's event handler.
  public func removeFirst() { remove(at: 0) }

  /// Removes a number of elements from the beginning. If there are fewer, no element is removed, and this is
  /// reported to the store's event handler.
  public func removeFirst(_ count: Int) {
    if count == 0 { return }
    guard count > 0 else { return reportOutOfBounds(count, count: self.count) }
    removeSubrange(0..<count)
  }

  /// Removes a number of elements from the end. If there are fewer, no element is removed, and this is
  /// reported to the store's event handler.
  public func removeLast(_ count: Int) {
    if count == 0 { return }
    willChange()
    let all = self.count
    guard count > 0, count <= all else { return reportOutOfBounds(all - count, count: all) }
    removeSubrange((all - count)..<all)
  }

  /// Removes and returns the last element. Returns `nil` if the list is empty, or if the element was a
  /// deleted object.
  public func popLast() -> Element? {
    willChange()
    if isEmpty {
      willChangeUnread()
      return nil
    }
    let element = last
    removeLast()
    return element
  }

  /// Removes all elements.
  ///
  /// - Parameter keepingCapacity: ignored.
  public func removeAll(keepingCapacity: Bool) { removeAll() }

  /// Removes the elements at some indexes. If an index is out of bounds, no element is removed, and this is
  /// reported to the store's event handler.
  public func remove(atOffsets offsets: IndexSet) {
    willChange()
    guard areInBounds(offsets) else { return }
    for range in offsets.rangeView.reversed() { removeSubrange(range) }
  }

  /// Moves the elements at some indexes, in their order, before the element that is now at the destination,
  /// or to the end if the destination is `count`. If an index is out of bounds, no element is moved, and this
  /// is reported to the store's event handler.
  public func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    willChange()
    let count = count
    guard areInBounds(source) else { return }
    guard destination >= 0, destination <= count else { return reportOutOfBounds(destination, count: count) }
    // Elements after the destination are moved first, so that the other indexes stay valid.
    for (place, index) in source.filter({ $0 >= destination }).enumerated() where index != destination + place
    {
      move(from: index, to: destination + place)
    }
    for (place, index) in source.filter({ $0 < destination }).reversed().enumerated()
    where index != destination - 1 - place {
      move(from: index, to: destination - 1 - place)
    }
  }

  /// Returns the elements at some indexes, without deleted objects. If an index is out of bounds, the result
  /// is empty, and this is reported to the store's event handler.
  public func objects(at indexes: IndexSet) -> [Element] {
    if let last = indexes.last, last >= count {
      reportReadOutOfBounds(last, count: count)
      return []
    }
    return indexes.compactMap { known(at: $0) }
  }

  private func areInBounds(_ indexes: IndexSet) -> Bool {
    guard let last = indexes.last, last >= count else { return true }
    reportOutOfBounds(last, count: count)
    return false
  }

  /// Returns a range expression as a range in the current list.
  ///
  /// - Returns: `nil` if the range is out of bounds, which is also reported. Evaluating the expression itself
  ///   would terminate the process.
  private func relative(_ range: some RangeExpression<Int>) -> Range<Int>? {
    let count = count
    let bound: Int? =
      switch range {
      case let range as ClosedRange<Int>: range.upperBound < count ? nil : range.upperBound
      case let range as PartialRangeFrom<Int>:
        (0...count).contains(range.lowerBound) ? nil : range.lowerBound
      case let range as PartialRangeThrough<Int>:
        (-1..<count).contains(range.upperBound) ? nil : range.upperBound
      case let range as PartialRangeUpTo<Int>: (0...count).contains(range.upperBound) ? nil : range.upperBound
      default: nil
      }
    guard let bound else { return range.relative(to: 0..<count) }
    reportOutOfBounds(bound, count: count)
    return nil
  }
}

/// Methods that iterate over a list skip deleted objects, whereas indexes count them.
extension List {
  /// Returns the results of calling a closure with each element. Deleted objects are skipped.
  public func map<Value, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var result: [Value] = []
    result.reserveCapacity(underestimatedCount)
    var elements = makeIterator()
    while let element = elements.next() { result.append(try transform(element)) }
    return result
  }

  /// Returns the elements that meet a condition, as an array.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> [Element] {
    var result: [Element] = []
    for element in self where try isIncluded(element) { result.append(element) }
    return result
  }

  /// Returns the elements with their positions, not counting deleted objects.
  public func enumerated() -> EnumeratedSequence<ListElements<Element>> { ListElements(self).enumerated() }

  /// The elements, for operations that are evaluated lazily.
  public var lazy: LazySequence<ListElements<Element>> { ListElements(self).lazy }
}

/// The elements of a ``List`` as a sequence, without deleted objects.
public struct ListElements<Element: RealmCollectionValue>: Sequence {
  private let list: List<Element>

  init(_ list: List<Element>) { self.list = list }

  /// Returns an iterator over the current elements.
  public func makeIterator() -> CollectionIterator<Element> { list.makeIterator() }

  /// A lower bound of the number of elements; 0 if elements may have been deleted.
  public var underestimatedCount: Int { list.underestimatedCount }
}
