import Fief

/// Computes the values at a key path of each element, with the operators of key-value coding.
enum KeyPathValues {
  /// - Throws: ``FiefError`` of code `unknownProperty` if an element does not have the property, and of code
  ///   `invalidQuery` for an unknown operator or values that the operator does not support.
  static func value(_ keyPath: String, of elements: some Sequence) throws -> Any? {
    var names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let first = names.first, first.hasPrefix("@") else { return try values(names, of: elements) }
    names.removeFirst()
    if first == "@count", names.isEmpty { return elements.reduce(0) { count, _ in count + 1 } }
    let found = try values(names.isEmpty ? ["self"] : names, of: elements)
    switch first {
    case "@unionOfObjects": return found
    case "@distinctUnionOfObjects": return try distinct(found, keyPath)
    case "@min": return try compared(found, keyPath) { $0.min() }
    case "@max": return try compared(found, keyPath) { $0.max() }
    case "@sum": return try added(found, keyPath)?.sum ?? 0
    case "@avg": return try added(found, keyPath)?.average
    default:
      throw FiefError(
        .invalidQuery,
        "Collections have no such operator.",
        details: ["the key path: \(keyPath)"]
      )
    }
  }

  private static func values(_ names: [String], of elements: some Sequence) throws -> [Any] {
    guard let name = names.first else { return elements.map { $0 as Any } }
    let values = try KeyedValues.values(name, of: elements)
    if names.count == 1 { return values }
    // The operators ignore `nil`, too.
    return try Self.values(Array(names.dropFirst()), of: values.compactMap { unwrapped($0) })
  }

  /// Returns the value without optionals around it, or `nil` if the value is `nil`.
  private static func unwrapped(_ value: Any) -> Any? {
    guard let optional = value as? any AnyOptional else { return value }
    return optional.anyWrapped.flatMap { unwrapped($0) }
  }

  private static func distinct(_ values: [Any], _ keyPath: String) throws -> [Any] {
    var seen: Set<AnyHashable> = []
    return try values.filter { value in
      guard let unwrapped = unwrapped(value) else { return false }
      guard let value = unwrapped as? AnyHashable else { throw unfit(keyPath) }
      return seen.insert((unwrapped as? String).map { AnyHashable(ExactText($0)) } ?? value).inserted
    }
  }

  private static func compared(
    _ values: [Any],
    _ keyPath: String,
    _ choose: ([ComparedValue]) -> ComparedValue?
  ) throws -> Any? {
    let found = values.compactMap { unwrapped($0) }
    return choose(
      try found.map { value in
        guard let value = value as? any Comparable else { throw unfit(keyPath) }
        return ComparedValue(value: value)
      }
    )?.value
  }

  private static func added(_ values: [Any], _ keyPath: String) throws -> (sum: Any, average: Double?)? {
    func added<Number: AggregatableNumber>(_ first: Number, _ all: [Any]) throws -> (Any, Double?) {
      let numbers = List(all.compactMap { $0 as? Number })
      if numbers.count < all.count { throw unfit(keyPath) }
      return (try numbers.fetchSum(), try numbers.fetchAverage())
    }
    let found = values.compactMap { unwrapped($0) }
    guard let first = found.first else { return nil }
    guard let number = first as? any AggregatableNumber else { throw unfit(keyPath) }
    return try added(number, found)
  }

  private static func unfit(_ keyPath: String) -> FiefError {
    FiefError(
      .invalidQuery,
      "The operator does not support values of this type.",
      details: ["the key path: \(keyPath)"]
    )
  }
}

/// A value of one property, for comparing. All values of the property have the same type.
private struct ComparedValue: Comparable {
  let value: any Comparable

  static func < (first: ComparedValue, second: ComparedValue) -> Bool {
    func isLess<Value: Comparable>(_ first: Value) -> Bool {
      (second.value as? Value).map { first < $0 } ?? false
    }
    return isLess(first.value)
  }

  static func == (first: ComparedValue, second: ComparedValue) -> Bool {
    !(first < second) && !(second < first)
  }
}

/// An optional of any type.
protocol AnyOptional {
  var anyWrapped: Any? { get }
}

extension Optional: AnyOptional {
  var anyWrapped: Any? { self }
}

extension RealmCollection {
  /// Returns the values at a key path of each element, such as `owner.name`, or the result of an operator.
  ///
  /// The operators are `@count`, `@min.age`, `@max.age`, `@sum.age`, `@avg.age`, `@unionOfObjects.name` and
  /// `@distinctUnionOfObjects.name`.
  ///
  /// - Returns: the values, or `nil` if the key path does not exist. The event handler of the store receives
  ///   the error.
  public func value(forKeyPath keyPath: String) -> Any? {
    do { return try KeyPathValues.value(keyPath, of: self) } catch {
      hiddenCollection.report(error)
      return nil
    }
  }
}
