import Foundation

extension Results {
  /// The objects for which a closure's condition holds.
  ///
  /// ```swift
  /// let dogs = try repository.objects(Dog.self).where { $0.age > 3 && $0.name.starts(with: "A") }
  /// ```
  /// The closure is called once, here, and describes the objects to find: it does not get any object. A
  /// condition that cannot be answered is an error where the results are used; see ``Query``.
  ///
  /// - Parameter isIncluded: makes the condition from a ``Query`` of the object.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results {
    describing { $0.condition = .both($0.condition, try TypedQuery.condition(isIncluded)) }
  }

  /// The objects for which a predicate holds.
  ///
  /// ```swift
  /// let dogs = try repository.objects(Dog.self).filter(#Predicate { $0.age > 3 })
  /// ```
  /// The predicate is not evaluated: it is taken apart and becomes the same query as a closure of
  /// ``where(_:)``. A part that a store cannot answer (a computed property, a regular expression) is a
  /// ``FiefError`` of code `invalidQuery`, thrown where the results are used. Texts are equal if their bytes
  /// are; `localizedStandardContains` and `caseInsensitiveCompare` are the same in every locale.
  public func filter(_ predicate: Predicate<Element>) -> Results {
    describing { $0.condition = .both($0.condition, try predicate.queryCondition()) }
  }

  /// An array of the objects for which a closure is true: every object is read, and the closure called with it.
  @available(
    *,
    deprecated,
    renamed: "where(_:)",
    message:
      "this reads every object; use where { $0.age > 3 }, or Array(results).filter where a closure has to see them"
  )
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> [Element] {
    var result: [Element] = []
    for element in self where try isIncluded(element) { result.append(element) }
    return result
  }
}

/// The condition that a closure of `where { }` makes.
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
        "The query cannot be made.",
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
