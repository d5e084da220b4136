/// A property to sort by, with a direction and the treatment of nil and text.
public struct PropertyOrder: Sendable, Hashable {
  /// The position of objects whose property is nil.
  public enum Nils: Sendable, Hashable {
    /// Before all others in ascending order, after all others in descending order.
    case smallest
    /// Before all others.
    case first
    /// After all others.
    case last
  }

  /// The order of texts.
  public enum Collation: Sendable, Hashable {
    /// By their UTF-8 bytes, like all other text in a store. An index can provide this order.
    case bytes
    /// Like `bytes`, but ignoring case.
    case caseInsensitive
    /// By the rules of a locale's language. The value is the locale's identifier, such as `de_DE`. The order
    /// is determined by this process's Foundation; other versions of Foundation may order some texts
    /// differently.
    case locale(String)
  }

  /// The property's name. Names separated by dots lead through links to one object.
  public var keyPath: String
  /// A Boolean value that indicates whether smaller values come first.
  public var ascending: Bool
  /// The position of objects whose property is nil.
  public var nils: Nils
  /// The order of texts.
  public var collation: Collation

  /// Creates an order by a property.
  ///
  /// - Parameters:
  ///   - keyPath: the property's name. Names separated by dots lead through links to one object.
  ///   - ascending: whether smaller values come first.
  ///   - nils: the position of objects whose property is nil.
  ///   - collation: the order of texts.
  public init(
    keyPath: String,
    ascending: Bool = true,
    nils: Nils = .smallest,
    collation: Collation = .bytes
  ) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.nils = nils
    self.collation = collation
  }

  /// Creates an order by the property at a key path.
  ///
  /// ```swift
  /// let order = [PropertyOrder(keyPath: \Person.address?.city), PropertyOrder(keyPath: \Person.name)]
  /// ```
  /// If the key path does not lead to a persisted property, using the results is an error.
  ///
  /// - Parameters:
  ///   - keyPath: a property, also through links to one object and embedded objects.
  ///   - ascending: whether smaller values come first.
  ///   - nils: the position of objects whose property is nil.
  ///   - collation: the order of texts.
  public init<Root: ObjectBase>(
    keyPath: PartialKeyPath<Root>,
    ascending: Bool = true,
    nils: Nils = .smallest,
    collation: Collation = .bytes
  ) {
    // The description of a key path is never the name of a property, so the error that occurs later mentions
    // the key path.
    let name = (try? QueryPath.of(keyPath))?.text ?? "\(keyPath)"
    self.init(keyPath: name, ascending: ascending, nils: nils, collation: collation)
  }

  /// Returns the order in the opposite direction.
  public func reversed() -> PropertyOrder {
    var order = self
    order.ascending.toggle()
    return order
  }

  var queryOrder: QueryOrder {
    let nils: QueryOrder.Nils =
      switch nils {
      case .smallest: .smallest
      case .first: .first
      case .last: .last
      }
    let collation: QueryOrder.Collation =
      switch collation {
      case .bytes: .bytes
      case .caseInsensitive: .caseInsensitive
      case .locale(let identifier): .locale(identifier)
      }
    return QueryOrder(
      .path(QueryPath(keyPath: keyPath)),
      ascending: ascending,
      nils: nils,
      collation: collation
    )
  }
}

extension PropertyOrder: ExpressibleByStringLiteral {
  /// Creates an ascending order by the named property.
  public init(stringLiteral keyPath: String) { self.init(keyPath: keyPath) }
}

extension PropertyOrder: CustomStringConvertible {
  /// The property and the direction as readable text, under the type name that Realm uses.
  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }
}
