/// A property to order by.
public struct PropertyOrder: Sendable, Hashable {
  /// The place of objects whose property is nil.
  public enum Nils: Sendable, Hashable {
    /// Before all others when ascending, behind them when descending.
    case smallest
    /// Before all others.
    case first
    /// Behind all others.
    case last
  }

  /// The order of texts.
  public enum Collation: Sendable, Hashable {
    /// By their UTF-8 bytes, as everything else in a store. An index can give this order.
    case bytes
    /// As `bytes`, after differences of case were removed.
    case caseInsensitive
    /// As the language of a locale has it, by the locale's identifier, such as `de_DE`. It is the order of this
    /// process's Foundation: other versions of it may order some texts differently.
    case locale(String)
  }

  /// The property's name; names with dots between them lead through links to one object.
  public var keyPath: String
  /// Whether smaller values come first.
  public var ascending: Bool
  /// The place of objects whose property is nil.
  public var nils: Nils
  /// The order of texts.
  public var collation: Collation

  /// Makes an order by a property.
  ///
  /// - Parameters:
  ///   - keyPath: the property's name; names with dots between them lead through links to one object.
  ///   - ascending: whether smaller values come first.
  ///   - nils: the place of objects whose property is nil.
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

  /// Makes an order by the property that a key path leads to.
  ///
  /// ```swift
  /// let order = [PropertyOrder(keyPath: \Person.address?.city), PropertyOrder(keyPath: \Person.name)]
  /// ```
  /// A key path that leads to no persisted property is an error where the results are used.
  ///
  /// - Parameters:
  ///   - keyPath: a property; also through links to one object and embedded objects.
  ///   - ascending: whether smaller values come first.
  ///   - nils: the place of objects whose property is nil.
  ///   - collation: the order of texts.
  public init<Root: ObjectBase>(
    keyPath: PartialKeyPath<Root>,
    ascending: Bool = true,
    nils: Nils = .smallest,
    collation: Collation = .bytes
  ) {
    // No property has the name of a key path, so that the error says which one it was.
    let name = (try? QueryPath.of(keyPath))?.text ?? "\(keyPath)"
    self.init(keyPath: name, ascending: ascending, nils: nils, collation: collation)
  }

  /// The reversed order.
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
  /// Makes an ascending order by the property of a name.
  public init(stringLiteral keyPath: String) { self.init(keyPath: keyPath) }
}

extension PropertyOrder: CustomStringConvertible {
  /// The property and the direction, for people, by the name that code written for Realm has.
  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }
}
