import Fief

/// Results are a collection, as in Realm: `dogs[0]` is not optional.
///
/// Other threads and processes may change the store between two uses of the results. Therefore an index out
/// of range does not terminate the process: the subscript returns a placeholder that is in no store and
/// cannot be saved, and the event handler receives `StoreEvent.indexOutOfBounds`. In a write, the write
/// fails. If the store may change meanwhile, pass `Array(results)` to functions that are generic over
/// collections, because the standard library terminates the process if a collection changes while an array is
/// created from it.
extension Results: RandomAccessCollection {
  /// The index of the first object: 0.
  public var startIndex: Int { 0 }

  /// The index after the last object: `count`.
  public var endIndex: Int { count }

  /// The indexes of the objects.
  public var indices: Range<Int> { 0..<count }

  /// The object at an index. If the index is out of range, returns a placeholder that cannot be saved, and
  /// reports the reason to the event handler.
  public subscript(position: Int) -> Element { objectOrPlaceholder(at: position) }

  /// The objects in a range of indexes. Indexes out of range are omitted and reported to the event handler.
  public subscript(bounds: Range<Int>) -> Slice<Results> { slice(bounds) }

  /// The objects in a range of indexes. Indexes out of range are omitted and reported to the event handler.
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

  /// Returns the objects without the first ones.
  public func dropFirst(_ number: Int = 1) -> Slice<Results> {
    let count = count
    return Slice(base: self, bounds: Swift.min(Swift.max(number, 0), count)..<count)
  }

  /// Returns the last objects, at most the given number.
  public func suffix(_ number: Int) -> Slice<Results> {
    let count = count
    return Slice(base: self, bounds: (count - Swift.min(Swift.max(number, 0), count))..<count)
  }

  /// Returns a random object, or `nil` if the results are empty.
  public func randomElement() -> Element? { indices.randomElement().flatMap { knownObject(atPlace: $0) } }

  /// Returns a random object that a generator chooses, or `nil` if the results are empty.
  public func randomElement(using generator: inout some RandomNumberGenerator) -> Element? {
    indices.randomElement(using: &generator).flatMap { knownObject(atPlace: $0) }
  }
}

/// Functions that iterate over the results and read the objects in batches. Each call reads one state, like a
/// loop.
extension Results {
  /// Returns the results of calling a closure with each object.
  public func map<Value, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    var objects = makeIterator()
    while let object = objects.next() { values.append(try transform(object)) }
    return values
  }

  /// Returns the index of the first object for which a closure returns `true`, or `nil` if it returns `false`
  /// for all.
  public func firstIndex(where isIncluded: (Element) throws -> Bool) rethrows -> Int? {
    var place = 0
    for object in self {
      if try isIncluded(object) { return place }
      place += 1
    }
    return nil
  }

  /// Returns the objects in reverse order.
  public func reversed() -> [Element] { Array(self).reversed() }

  /// Returns the objects with their indexes.
  public func enumerated() -> EnumeratedSequence<AnySequence<Element>> {
    AnySequence(makeIterator).enumerated()
  }

  /// The objects for operations that are evaluated lazily.
  public var lazy: LazySequence<AnySequence<Element>> { AnySequence(makeIterator).lazy }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  // `firstIndex(of:)` finds the object by its key.
  public func _customIndexOfEquatableElement(_ element: Element) -> Int?? { .some(index(of: element)) }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  // The default implementation terminates the process if `count` differs from the number of objects.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    var objects: ContiguousArray<Element> = []
    for object in self { objects.append(object) }
    return objects
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  // The results may have become shorter than the slice, and the default implementation would then terminate
  // the process.
  public func _failEarlyRangeCheck(_ index: Int, bounds: Range<Int>) {}

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func _failEarlyRangeCheck(_ index: Int, bounds: ClosedRange<Int>) {}

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func _failEarlyRangeCheck(_ range: Range<Int>, bounds: Range<Int>) {}

  /// Returns the distance between two indexes.
  public func distance(from start: Int, to end: Int) -> Int { end.subtracting(start) }

  /// Returns an index at a distance from another index.
  public func index(_ place: Int, offsetBy distance: Int) -> Int { place.adding(distance) }
}

/// Sums that stop at the smallest and the greatest number, because no index may terminate the process.
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

extension Results: Encodable where Element: Encodable {
  /// Encodes the objects as an array.
  ///
  /// - Throws: ``FiefError`` if the objects cannot be read.
  public func encode(to encoder: any Encoder) throws {
    let objects = try all()
    var container = encoder.singleValueContainer()
    try container.encode(objects)
  }
}
