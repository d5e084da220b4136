import Fief

/// Results are a collection as Realm's are: `dogs[0]` is not optional.
///
/// The store may change between two uses. An index beyond the ends therefore does not end the process: the object there is one in no
/// store, which cannot be saved, and the event handler gets `StoreEvent.indexOutOfBounds`. In a write the write fails. A function
/// that is generic over collections needs `Array(results)` if others may write meanwhile, as the standard library ends the process if
/// a collection changes while an array of it is made.
extension Results: RandomAccessCollection {
  /// The place of the first object: 0.
  public var startIndex: Int { 0 }

  /// The place behind the last object: `count`.
  public var endIndex: Int { count }

  /// The places of the objects.
  public var indices: Range<Int> { 0..<count }

  /// The object at a place in the order.
  public subscript(position: Int) -> Element { objectOrPlaceholder(at: position) }

  /// The objects at the places of a range. Places beyond the ends are left out, and reported to the event handler.
  public subscript(bounds: Range<Int>) -> Slice<Results> { slice(bounds) }

  /// The objects at the places of a range. Places beyond the ends are left out, and reported to the event handler.
  public subscript(bounds: some RangeExpression<Int>) -> Slice<Results> { slice(bounds) }

  private func slice(_ range: some RangeExpression<Int>) -> Slice<Results> {
    let count = count
    let bounds: (lower: Int, upper: Int) =
      switch range {
      case let range as Range<Int>: (range.lowerBound, range.upperBound)
      case let range as ClosedRange<Int>: (range.lowerBound, Swift.min(range.upperBound, .max - 1) + 1)
      case let range as PartialRangeFrom<Int>: (range.lowerBound, Swift.max(count, range.lowerBound))
      case let range as PartialRangeThrough<Int>: (0, Swift.min(range.upperBound, .max - 1) + 1)
      case let range as PartialRangeUpTo<Int>: (0, range.upperBound)
      default: (range.relative(to: 0..<count).lowerBound, range.relative(to: 0..<count).upperBound)
      }
    let lower = Swift.min(Swift.max(bounds.lower, 0), count)
    let upper = Swift.min(Swift.max(bounds.upper, lower), count)
    if lower != bounds.lower { reportOutOfBounds(bounds.lower) }
    if lower == bounds.lower, upper != bounds.upper { reportOutOfBounds(bounds.upper) }
    return Slice(base: self, bounds: lower..<upper)
  }

  /// The objects behind so many of the first ones.
  public func dropFirst(_ number: Int = 1) -> Slice<Results> {
    let count = count
    return Slice(base: self, bounds: Swift.min(Swift.max(number, 0), count)..<count)
  }

  /// So many of the last objects, at most.
  public func suffix(_ number: Int) -> Slice<Results> {
    let count = count
    return Slice(base: self, bounds: (count - Swift.min(Swift.max(number, 0), count))..<count)
  }

  /// A random object, or nil if the results are empty.
  public func randomElement() -> Element? { indices.randomElement().flatMap { knownObject(atPlace: $0) } }

  /// A random object that a generator chooses, or nil if the results are empty.
  public func randomElement(using generator: inout some RandomNumberGenerator) -> Element? {
    indices.randomElement(using: &generator).flatMap { knownObject(atPlace: $0) }
  }
}

/// Functions that go through results read the objects in batches, and each function reads one state as a loop does.
extension Results {
  /// The results of a closure for the objects.
  public func map<Value, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    var objects = makeIterator()
    while let object = objects.next() { values.append(try transform(object)) }
    return values
  }

  /// The index of the first object for which a closure returns true, or nil if it returns false for all.
  public func firstIndex(where isIncluded: (Element) throws -> Bool) rethrows -> Int? {
    var place = 0
    for object in self {
      if try isIncluded(object) { return place }
      place += 1
    }
    return nil
  }

  /// The objects in reversed order.
  public func reversed() -> [Element] { Array(self).reversed() }

  /// The objects with their places.
  public func enumerated() -> EnumeratedSequence<AnySequence<Element>> {
    AnySequence(makeIterator).enumerated()
  }

  /// The objects for operations that are done when their results are needed.
  public var lazy: LazySequence<AnySequence<Element>> { AnySequence(makeIterator).lazy }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  // `firstIndex(of:)` finds the object by its key.
  public func _customIndexOfEquatableElement(_ element: Element) -> Int?? { .some(index(of: element)) }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  // A collection's own ends the process if there are more or fewer objects than `count` says.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    var objects: ContiguousArray<Element> = []
    for object in self { objects.append(object) }
    return objects
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  // The results may have become shorter than the slice. The standard library would end the process then.
  public func _failEarlyRangeCheck(_ index: Int, bounds: Range<Int>) {}

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func _failEarlyRangeCheck(_ index: Int, bounds: ClosedRange<Int>) {}

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func _failEarlyRangeCheck(_ range: Range<Int>, bounds: Range<Int>) {}

  /// The number of places from one to another.
  public func distance(from start: Int, to end: Int) -> Int { end.subtracting(start) }

  /// The place at a distance from another.
  public func index(_ place: Int, offsetBy distance: Int) -> Int { place.adding(distance) }
}

/// Sums that end at the least or the greatest number, as no place ends the process.
extension Int {
  fileprivate func adding(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  fileprivate func subtracting(_ other: Int) -> Int {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other > 0 ? .min : .max) : difference
  }
}
