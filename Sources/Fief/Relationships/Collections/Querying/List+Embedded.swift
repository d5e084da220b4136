import Foundation

extension List where Element: EmbeddedObject {
  /// The embedded objects as results: in the order of the list until another one is asked for.
  ///
  /// A list of an object that is in no store, and one with changes that are not saved, fails.
  public var results: EmbeddedResults<Element> { storedEmbeddedResults() }

  /// The embedded objects for which a closure's condition holds.
  ///
  /// ```swift
  /// let inBonn = person.addresses.where { $0.city == "Bonn" }
  /// ```
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> EmbeddedResults<Element> {
    results.where(isIncluded)
  }

  /// The embedded objects for which a predicate holds.
  public func filter(_ predicate: Predicate<Element>) -> EmbeddedResults<Element> {
    results.filter(predicate)
  }

  /// The embedded objects for which a text is true, as ``Results/filter(_:_:)`` has them.
  public func filter(_ format: String, _ args: Any...) -> EmbeddedResults<Element> {
    results.filter(format, arguments: args)
  }

  /// The embedded objects in the order of the property with a name.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> EmbeddedResults<Element> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The embedded objects in the order of a property.
  public func sorted<Value>(byKeyPath keyPath: KeyPath<Element, Value>, ascending: Bool = true)
    -> EmbeddedResults<Element>
  {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }
}

extension Map where Value: OptionalEmbedded {
  /// The embedded objects that are values as results: in the order of the map's keys.
  ///
  /// They are as those of a list: see ``EmbeddedResults``. Keys with nil have no object.
  public var results: EmbeddedResults<Value.Embedded> { storedEmbeddedResults() }

  /// The embedded objects for which a closure's condition holds.
  public func `where`(_ isIncluded: (Query<Value.Embedded>) -> Query<Bool>) -> EmbeddedResults<Value.Embedded>
  {
    results.where(isIncluded)
  }

  /// The embedded objects for which a text is true, as ``Results/filter(_:_:)`` has them.
  public func filter(_ format: String, _ args: Any...) -> EmbeddedResults<Value.Embedded> {
    results.filter(format, arguments: args)
  }
}

/// An embedded object that may be nil, as the values of maps are.
public protocol OptionalEmbedded {
  /// The class of the object.
  associatedtype Embedded: EmbeddedObject
}

extension Optional: OptionalEmbedded where Wrapped: EmbeddedObject {
  /// The class of the object.
  public typealias Embedded = Wrapped
}

extension OwnedCollection {
  fileprivate func storedEmbeddedResults<Embedded: EmbeddedObject>() -> EmbeddedResults<Embedded> {
    do {
      let (context, members) = try stored(Embedded.self)
      return EmbeddedResults(context: context, members: members)
    } catch {
      return EmbeddedResults(failure: FiefError.ofQuery(error), context: reportingContext)
    }
  }
}
