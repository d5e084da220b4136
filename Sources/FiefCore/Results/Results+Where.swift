import Foundation

extension Results {
  /// Returns the objects that meet a condition.
  ///
  /// ```swift
  /// let dogs = try repository.objects(Dog.self).where { $0.age > 3 && $0.name.starts(with: "A") }
  /// ```
  /// The closure is called once, immediately, and describes the objects to find; it does not receive any
  /// object. If the condition cannot be answered, using the results is an error; see ``Query``.
  ///
  /// - Parameter isIncluded: builds the condition from a ``Query`` of the object.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results {
    describing { $0.condition = .both($0.condition, try TypedQuery.condition(isIncluded)) }
  }

  /// Returns the objects that a predicate accepts.
  ///
  /// ```swift
  /// let dogs = try repository.objects(Dog.self).filter(#Predicate<Dog> { $0.age > 3 })
  /// ```
  /// The predicate is not evaluated. Fief translates it to the same query as a closure of ``where(_:)``. If
  /// it has a part that a store cannot answer, such as a computed property or a regular expression, using the
  /// results throws a ``FiefError`` of code `invalidQuery`. Texts are equal if their bytes are equal;
  /// `localizedStandardContains` and `caseInsensitiveCompare` give the same result in every locale.
  public func filter(_ predicate: Predicate<Element>) -> Results {
    describing { $0.condition = .both($0.condition, try predicate.queryCondition()) }
  }

  /// Returns an array of the objects for which a closure returns true. Every object is read and passed to the
  /// closure.
  @available(
    *,
    deprecated,
    renamed: "where(_:)",
    message:
      "this reads every object; use where { $0.age > 3 }, or Array(results).filter if a closure must check each"
  )
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> [Element] {
    var result: [Element] = []
    for element in self where try isIncluded(element) { result.append(element) }
    return result
  }
}

/// Conversion of `where { }` closures to conditions.
package enum TypedQuery {
  /// - Throws: ``FiefError`` of code `invalidQuery` for an unsupported expression.
  package static func condition<Element: ObjectBase>(
    _ isIncluded: (Query<Element>) -> Query<Bool>
  ) throws(FiefError) -> QueryCondition {
    try condition(isIncluded, of: Element.className())
  }

  /// - Parameter type: the name of the class of the objects.
  /// - Throws: ``FiefError`` of code `invalidQuery` for an unsupported expression.
  package static func condition<Value>(
    _ isIncluded: (Query<Value>) -> Query<Bool>,
    of type: @autoclosure () -> String
  ) throws(FiefError) -> QueryCondition {
    let root = Query<Value>(TypedTerm(TypedScopes(), level: 0, .path(.element)))
    let term = isIncluded(root).term
    do { return try term.condition() } catch let error as FiefError {
      var error = error
      error.type = error.type ?? type()
      throw error
    } catch {
      throw FiefError(
        .invalidQuery,
        "The query is invalid.",
        type: type(),
        underlying: error
      )
    }
  }
}

extension Results: QueryableKeys {
  func keysInQueries() throws -> [QueryValue] {
    var keys: [QueryValue] = []
    let type = Element.className()
    try forEachRow { row, _ in
      keys.append(.object(type: type, key: ObjectKey(row.key)))
      return true
    }
    return keys
  }
}
