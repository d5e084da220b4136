import Foundation

extension Results {
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
