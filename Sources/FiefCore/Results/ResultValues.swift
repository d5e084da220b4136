extension Results {
  /// Returns the values of a property, in the order of the results, without creating objects.
  ///
  /// ```swift
  /// let ages = dogs.sorted(byKeyPath: \.name).value(of: \.age)
  /// print(ages.first ?? 0, ages.max() ?? 0, ages.sum(), ages.distinct())
  /// ```
  /// If the values cannot be read, the result is empty and the store's event handler receives the error;
  /// ``fetchValue(of:)->ResultValues<Value>`` throws instead. ``select(_:)->SelectedResults<Element,Value>``
  /// reads several properties, and reads in batches.
  ///
  /// - Parameter keyPath: a property with a single value, which may be optional, also through links to one
  ///   object and embedded objects.
  public func value<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>)
    -> ResultValues<Value>
  {
    ResultValues(values: reported([]) { try select(keyPath).all() })
  }

  /// Returns the values of a property, in the order of the results, without creating objects.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func fetchValue<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Value>)
    throws
    -> ResultValues<Value>
  { ResultValues(values: try select(keyPath).all()) }
}

/// The values that a property of the objects of ``Results`` had at one commit, as a random-access collection.
///
/// It has the methods of Swift's collections and of ``ValueCollection``.
public struct ResultValues<Element>: RandomAccessCollection {
  private let values: [Element]

  init(values: [Element]) { self.values = values }

  /// The index of the first value.
  public var startIndex: Int { 0 }

  /// The index after the last value.
  public var endIndex: Int { values.count }

  /// Accesses the value at a valid index.
  public subscript(index: Int) -> Element { values[index] }
}

extension ResultValues: ValueCollection, ValueAggregates where Element: RealmCollectionValue {}
extension ResultValues: Sendable where Element: Sendable {}
extension ResultValues: Equatable where Element: Equatable {
  /// Returns a Boolean value that indicates whether both have equal values in the same order.
  public static func == (first: ResultValues, second: ResultValues) -> Bool {
    first.values.hasSameElements(as: second.values)
  }
}
extension ResultValues: Hashable where Element: Hashable {}
