import Fief

// Objects of classes whose names are known at run time. The objects have their own classes, and values by
// name.

extension Store {
  /// Returns the objects of a class by its name. Read and assign their properties by name: `object["age"]`.
  ///
  /// - Parameter typeName: the name of a class of the store. If the store has no such class, the results are
  ///   empty, which is reported.
  public func dynamicObjects(_ typeName: String) -> Results<Object> { objects(named: typeName) }

  /// Returns the object with a primary key, of a class by its name. It is nil if there is none, or if reading
  /// fails, which is reported.
  public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) -> Object? {
    do { return try fetchObject(ofType: declaredClass(named: typeName), forPrimaryKey: key) } catch {
      reportMisuse(error)
      return nil
    }
  }

  /// Creates an object of a class by its name from values and adds it, inside of a write.
  ///
  /// - Returns: the object. If the store has no such class, which is reported, or if the write fails, it is
  ///   an unsaved object.
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
