import Foundation

/// Operations of arrays, for lists that are constants as well: a list is changed, not replaced.
extension List {
  /// Adds the elements of a sequence at the end of a list.
  public static func += (list: List, elements: some Sequence<Element>) { list.append(contentsOf: elements) }

  /// Puts an element in the place of the one at an index.
  ///
  /// An index that is out of bounds changes nothing, and is reported to the event handler of the store.
  public func replace(index: Int, object: Element) {
    willChange()
    guard indices.contains(index) else { return reportOutOfBounds(index, count: count) }
    self[index] = object
  }

  /// The elements of a list, and those of another collection behind them.
  public static func + (list: List, elements: some Sequence<Element>) -> [Element] {
    Array(list) + Array(elements)
  }

  /// The elements of a list, and those of another collection behind them.
  public static func + (list: List, elements: some RangeReplaceableCollection<Element>) -> [Element] {
    Array(list) + Array(elements)
  }

  /// The elements of a list, and those of another one behind them.
  public static func + (list: List, other: List) -> [Element] { Array(list) + Array(other) }

  /// The elements of a range; assigning puts others in their place.
  public subscript(bounds: Range<Int>) -> Slice<List> {
    get {
      precondition(bounds.lowerBound >= 0 && bounds.upperBound <= count, "Index out of range")
      return Slice(base: self, bounds: bounds)
    }
    set { replaceSubrange(bounds, with: newValue) }
  }

  /// Inserts elements before the one at an index; at `count` they become the last.
  public func insert(contentsOf elements: some Collection<Element>, at index: Int) {
    // The elements may be those of this list.
    let elements = Array(elements)
    willChange()
    guard index >= 0, index <= count else { return reportOutOfBounds(index, count: count) }
    replaceSubrange(index..<index, with: elements)
  }

  /// Puts elements in the place of those of a range. Where it is out of bounds nothing is changed, which is reported.
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

  /// Removes the elements of a range. Where it is out of bounds none is, which is reported.
  public func removeSubrange(_ range: some RangeExpression<Int>) {
    willChange()
    if let range = relative(range) { removeSubrange(range) }
  }

  /// Removes the first element. Where there is none, that is reported to the event handler of the store.
  public func removeFirst() { remove(at: 0) }

  /// Removes so many of the first elements. Where there are fewer, none is, which is reported.
  public func removeFirst(_ count: Int) {
    if count == 0 { return }
    guard count > 0 else { return reportOutOfBounds(count, count: self.count) }
    removeSubrange(0..<count)
  }

  /// Removes so many of the last elements. Where there are fewer, none is, which is reported.
  public func removeLast(_ count: Int) {
    if count == 0 { return }
    willChange()
    let all = self.count
    guard count > 0, count <= all else { return reportOutOfBounds(all - count, count: all) }
    removeSubrange((all - count)..<all)
  }

  /// Removes the last element and returns it; nil where there is none, or where it is an object that is gone.
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

  /// Removes every element.
  ///
  /// - Parameter keepingCapacity: of no meaning here.
  public func removeAll(keepingCapacity: Bool) { removeAll() }

  /// Removes the elements at some indexes. Where one is out of bounds, none is, which is reported.
  public func remove(atOffsets offsets: IndexSet) {
    willChange()
    guard areInBounds(offsets) else { return }
    for range in offsets.rangeView.reversed() { removeSubrange(range) }
  }

  /// Moves the elements at some indexes, in their order, before the one that has an index now; at `count` they become the
  /// last. Where an index is out of bounds none is, which is reported.
  public func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    willChange()
    let count = count
    guard areInBounds(source) else { return }
    guard destination >= 0, destination <= count else { return reportOutOfBounds(destination, count: count) }
    // Elements from behind come first, so that the indexes of the others remain right.
    for (place, index) in source.filter({ $0 >= destination }).enumerated() where index != destination + place
    {
      move(from: index, to: destination + place)
    }
    for (place, index) in source.filter({ $0 < destination }).reversed().enumerated()
    where index != destination - 1 - place {
      move(from: index, to: destination - 1 - place)
    }
  }

  /// The elements at some indexes, without objects that are gone. Where one is out of bounds there are none, which is
  /// reported to the event handler of the store.
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

  /// A range in the list as it is now.
  ///
  /// - Returns: nil where it is out of bounds, which is reported then: an expression makes a range of such bounds only by
  ///   ending the process.
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

/// Functions that go through a list leave out objects that are gone, whereas indexes count them.
extension List {
  /// The results of a closure for the elements, without objects that are gone.
  public func map<Value, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var result: [Value] = []
    result.reserveCapacity(underestimatedCount)
    var elements = makeIterator()
    while let element = elements.next() { result.append(try transform(element)) }
    return result
  }

  /// The elements for which a condition holds, as an array.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> [Element] {
    var result: [Element] = []
    for element in self where try isIncluded(element) { result.append(element) }
    return result
  }

  /// The elements with their places among those that are not gone.
  public func enumerated() -> EnumeratedSequence<ListElements<Element>> { ListElements(self).enumerated() }

  /// The elements for operations that are done when their results are asked for.
  public var lazy: LazySequence<ListElements<Element>> { ListElements(self).lazy }
}

/// The elements of a ``List``, one after another, without objects that are gone.
public struct ListElements<Element: RealmCollectionValue>: Sequence {
  private let list: List<Element>

  init(_ list: List<Element>) { self.list = list }

  /// An iterator over the elements as they are now.
  public func makeIterator() -> CollectionIterator<Element> { list.makeIterator() }

  /// A number of elements that there are at least; 0 where some may be gone.
  public var underestimatedCount: Int { list.underestimatedCount }
}
