import Fief

// Objects of classes whose names are known when the program runs. They are of their classes, and have values by name.

extension Store {
  /// The objects of the class of a name, whose properties are read and assigned by name: `object["age"]`.
  ///
  /// - Parameter typeName: the name of a class of the store; of any other the results are empty, which is an event.
  public func dynamicObjects(_ typeName: String) -> Results<Object> { objects(named: typeName) }

  /// The object of the class of a name with a primary key; nil where there is none, and where it cannot be read, which is an
  /// event.
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> Object? {
    do { return try fetchObject(ofType: declaredClass(named: typeName), forPrimaryKey: key) } catch {
      reportMisuse(error)
      return nil
    }
  }

  /// Makes an object of the class of a name from values and adds it, inside of a write.
  ///
  /// - Returns: the object; one of no store where the store has no such class, which is an event, and where the write fails.
  @discardableResult
  public func dynamicCreate(
    _ typeName: String,
    value: Any = [String: Any](),
    update: UpdatePolicy = .error
  ) -> Object {
    do { return create(try declaredClass(named: typeName), value: value, update: update) } catch {
      reportMisuse(error)
      return Object()
    }
  }
}
