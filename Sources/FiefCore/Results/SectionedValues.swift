extension ValueCollection where Element: Comparable {
  /// Returns the sorted values in sections by keys that a closure computes.
  ///
  /// ```swift
  /// for section in person.tags.sectioned(by: { $0.prefix(1) }) {
  ///   print(section.key, section.count, section[0])
  /// }
  /// ```
  /// The sections contain the collection's current values. ``SectionedValues/thaw()`` reads the values of the
  /// store again, and `observe(keyPaths:every:_:)` reports their changes.
  /// Sections are in the order of their first values.
  ///
  /// - Parameters:
  ///   - key: returns the key of the section of a value. It is called on the threads that use the sections.
  ///   - ascending: whether smaller values come first.
  public func sectioned<Key: Hashable & SendableMetatype>(
    by key: @escaping @Sendable (Element) -> Key,
    ascending: Bool = true
  ) -> SectionedValues<Key, Element> {
    SectionedValues(
      self,
      ValueSections(key: key) { $0.sorted(by: ascending ? { $0.isBefore($1) } : { $1.isBefore($0) }) }
    )
  }
}

extension ValueCollection where Element: PersistableScalar {
  /// Returns the values, sorted as queries sort them, in sections by keys that a closure computes; see
  /// ``SectionedValues``.
  @_disfavoredOverload
  public func sectioned<Key: Hashable & SendableMetatype>(
    by key: @escaping @Sendable (Element) -> Key,
    ascending: Bool = true
  ) -> SectionedValues<Key, Element> {
    SectionedValues(
      self,
      ValueSections(key: key) {
        ValueSections<Key, Element>.sorted($0, ascending) { ValueOrder.element(of: $0) }
      }
    )
  }
}

extension ValueCollection {
  /// Returns the sorted values, with nil first, in sections by keys that a closure computes; see
  /// ``SectionedValues``.
  public func sectioned<Key: Hashable & SendableMetatype, Wrapped: Comparable>(
    by key: @escaping @Sendable (Element) -> Key,
    ascending: Bool = true
  ) -> SectionedValues<Key, Element> where Element == Wrapped? {
    SectionedValues(
      self,
      ValueSections(key: key) { values in
        let sorted = values.sorted { first, second in
          guard let first, let second else { return first == nil && second != nil }
          return first.isBefore(second)
        }
        return ascending ? sorted : sorted.reversed()
      }
    )
  }

  /// Returns the values, sorted as queries sort them, with nil first, in sections by keys that a closure
  /// computes; see ``SectionedValues``.
  @_disfavoredOverload
  public func sectioned<Key: Hashable & SendableMetatype, Wrapped: PersistableScalar>(
    by key: @escaping @Sendable (Element) -> Key,
    ascending: Bool = true
  ) -> SectionedValues<Key, Element> where Element == Wrapped? {
    SectionedValues(
      self,
      ValueSections(key: key) {
        ValueSections<Key, Element>.sorted($0, ascending) { ValueOrder.element(of: $0) }
      }
    )
  }
}

/// Values in sections. They do not change after they were created.
public struct SectionedValues<Key: Hashable & SendableMetatype, Value: RealmCollectionValue>:
  RandomAccessCollection
{
  private let sections: [ValuesSection<Key, Value>]
  private let maker: ValueSections<Key, Value>
  /// The source of the values; `nil` for a collection that is not in a store.
  private let source: (any ValueSource<Value>)?
  private let sourceError: FiefError?

  /// A Boolean value that indicates whether the sections were created by ``freeze()``. The sections never
  /// change in either case.
  public let isFrozen: Bool

  init<Values: ValueCollection>(_ values: Values, _ maker: ValueSections<Key, Value>)
  where Values.Element == Value {
    self.maker = maker
    sections = maker.sections(of: Array(values))
    isFrozen = false
    var source: (any ValueSource<Value>)?
    var failure: FiefError?
    do { source = try StoredValues(values) } catch {
      failure = error as? FiefError ?? FiefError.ofQuery(error)
    }
    self.source = source
    sourceError = failure
  }

  private init(_ other: SectionedValues, _ values: [Value]? = nil, isFrozen: Bool) {
    maker = other.maker
    source = other.source
    sourceError = other.sourceError
    sections = values.map { other.maker.sections(of: $0) } ?? other.sections
    self.isFrozen = isFrozen
  }

  /// The keys of the sections.
  public var allKeys: [Key] { sections.map(\.key) }

  /// The index of the first section.
  public var startIndex: Int { 0 }

  /// The index after the last section.
  public var endIndex: Int { sections.count }

  /// Accesses the section at a valid index.
  public subscript(index: Int) -> ValuesSection<Key, Value> { sections[index] }

  /// Returns the sections, marked as frozen.
  public func freeze() -> SectionedValues { SectionedValues(self, isFrozen: true) }

  /// Returns the sections of the current values in the store, or `nil` if the collection is not in a store or
  /// its object was deleted.
  public func thaw() -> SectionedValues? {
    guard let source else { return nil }
    do { return try source.values().map { SectionedValues(self, $0, isFrozen: false) } } catch {
      source.report(error)
      return nil
    }
  }
}

extension SectionedValues: Sendable where Key: Sendable, Value: Sendable {}

extension SectionedValues: Equatable where Value: Equatable {
  /// Returns a Boolean value that indicates whether both have equal sections.
  public static func == (first: SectionedValues, second: SectionedValues) -> Bool {
    first.sections == second.sections
  }
}

extension SectionedValues {
  /// Returns the source from which an observation reads the values again.
  ///
  /// - Throws: the reason why the values cannot be read again.
  package func observedSource() throws -> (any ValueSource<Value>, ValueSections<Key, Value>) {
    guard let source else {
      throw sourceError ?? FiefError(.objectNotFound, "The values belong to no stored collection.")
    }
    return (source, maker)
  }

  /// Returns the sections of other values of the same collection.
  package func of(_ values: [Value]) -> SectionedValues { SectionedValues(self, values, isFrozen: false) }
}

/// The values of a section.
public struct ValuesSection<Key: Hashable, Value>: RandomAccessCollection, Identifiable {
  /// The key that the closure computed from the values.
  public let key: Key
  fileprivate var values: [Value]

  /// The key that the closure computed from the values.
  public var id: Key { key }

  /// The index of the first value.
  public var startIndex: Int { 0 }

  /// The index after the last value.
  public var endIndex: Int { values.count }

  /// Accesses the value at a valid index.
  public subscript(index: Int) -> Value { values[index] }
}

extension ValuesSection: Sendable where Key: Sendable, Value: Sendable {}
extension ValuesSection: Equatable where Value: Equatable {
  /// Returns a Boolean value that indicates whether both have equal keys and equal values.
  public static func == (first: ValuesSection, second: ValuesSection) -> Bool {
    first.key.isSame(as: second.key) && first.values.hasSameElements(as: second.values)
  }
}

/// The order of values and their division into sections.
// SAFETY: the sort closure only compares values; its only state is a direction.
package struct ValueSections<Key: Hashable, Value>: @unchecked Sendable {
  let key: @Sendable (Value) -> Key
  let order: ([Value]) -> [Value]

  func sections(of values: [Value]) -> [ValuesSection<Key, Value>] {
    var sections: [ValuesSection<Key, Value>] = []
    var places: [ExactKey<Key>: Int] = [:]
    for value in order(values) {
      let key = key(value)
      if let place = places[ExactKey(key)] {
        sections[place].values.append(value)
      } else {
        places[ExactKey(key)] = sections.count
        sections.append(ValuesSection(key: key, values: [value]))
      }
    }
    return sections
  }

  static func sorted(_ values: [Value], _ ascending: Bool, _ element: (Value) -> [UInt8]) -> [Value] {
    let elements = values.map(element)
    let order = values.indices.sorted { elements[$0].lexicographicallyPrecedes(elements[$1]) }
    return (ascending ? order : order.reversed()).map { values[$0] }
  }
}
