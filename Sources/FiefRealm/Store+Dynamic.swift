import Fief

// Access to objects of classes whose names are known only at run time. The objects are instances of their own
// classes, and their values are accessed by name.

extension Store {
  /// Returns the objects of the class with the given name. Read and assign their properties by name:
  /// `object["age"]`.
  ///
  /// - Parameter typeName: the name of a class of the store. If the store has no such class, the results are
  ///   empty and the event handler receives an error.
  public func dynamicObjects(_ typeName: String) -> Results<Object> { objects(named: typeName) }

  /// Returns the object with a primary key, of the class with the given name. The result is `nil` if the
  /// object does not exist or cannot be read. The event handler receives the error of a failed read.
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> Object? {
    do { return try fetchObject(ofType: declaredClass(named: typeName), forPrimaryKey: key) } catch {
      reportMisuse(error)
      return nil
    }
  }

  /// Creates an object of the class with the given name from values and adds it, in a write.
  ///
  /// - Returns: the object. If the store has no such class or the write fails, the result is an unsaved
  ///   object. A class that does not exist is reported.
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
