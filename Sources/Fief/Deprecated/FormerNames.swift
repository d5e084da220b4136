// Names of earlier versions. Each is an alias of the new one, so that code that uses it compiles with a warning.

/// The former name of `MultiStoreTransaction`.
@available(*, deprecated, renamed: "MultiStoreTransaction")
public typealias JointWrite = MultiStoreTransaction

/// The former name of `InDoubtTransaction`.
@available(*, deprecated, renamed: "InDoubtTransaction")
public typealias UnfinishedWrite = InDoubtTransaction

/// The former name of `CrossStoreResolution.Reason`.
@available(*, deprecated, renamed: "CrossStoreResolution.Reason")
public typealias CrossStoreMissing = CrossStoreResolutionReason

/// The former name of `IntegrityReport`.
@available(*, deprecated, renamed: "IntegrityReport")
public typealias StoreCheck = IntegrityReport

/// The former name of `IndexDefinition`.
@available(*, deprecated, renamed: "IndexDefinition")
public typealias Index = IndexDefinition

/// The former name of `IndexOptions`.
@available(*, deprecated, renamed: "IndexOptions")
public typealias PersistedIndex = IndexOptions

/// The former name of `PropertySchema`.
@available(*, deprecated, renamed: "PropertySchema")
public typealias DynamicColumn = PropertySchema

/// The former name of `PropertySchema`.
@available(*, deprecated, renamed: "PropertySchema")
public typealias MigrationProperty = PropertySchema

/// The former name of `ChangeSequence`.
@available(*, deprecated, renamed: "ChangeSequence")
public typealias ObservedChanges = ChangeSequence

extension InDoubtTransaction {
  /// The former name of `relativePath`.
  @available(*, deprecated, renamed: "relativePath")
  public var otherPath: String { relativePath }
}

extension IntegrityReport {
  /// The former name of `isConsistent`.
  @available(*, deprecated, renamed: "isConsistent")
  public var isWhole: Bool { isConsistent }
}

extension StoreMetrics {
  /// The former name of `lookups`.
  @available(*, deprecated, renamed: "lookups")
  public var passes: UInt64 { lookups }

  /// The former name of `matchedRows`.
  @available(*, deprecated, renamed: "matchedRows")
  public var visitedRows: UInt64 { matchedRows }
}

extension Derivation {
  /// The former name of `min(of:)`.
  @available(*, deprecated, renamed: "min(of:)")
  public static func minimum(of path: String) -> Derivation { .min(of: path) }

  /// The former name of `min(of:_:)`.
  @available(*, deprecated, renamed: "min(of:_:)")
  public static func minimum<Root: ObjectBase, Target: ObjectBase>(
    of relationship: PartialKeyPath<Root>,
    _ property: PartialKeyPath<Target>
  ) -> Derivation {
    .min(of: relationship, property)
  }

  /// The former name of `max(of:)`.
  @available(*, deprecated, renamed: "max(of:)")
  public static func maximum(of path: String) -> Derivation { .max(of: path) }

  /// The former name of `max(of:_:)`.
  @available(*, deprecated, renamed: "max(of:_:)")
  public static func maximum<Root: ObjectBase, Target: ObjectBase>(
    of relationship: PartialKeyPath<Root>,
    _ property: PartialKeyPath<Target>
  ) -> Derivation {
    .max(of: relationship, property)
  }
}

extension GroupAggregate {
  /// The former name of `min(_:)`.
  @available(*, deprecated, renamed: "min(_:)")
  public static func minimum<Wrapped: Persistable & RealmCollectionValue>(
    _ keyPath: KeyPath<Element, Wrapped>
  ) -> Self where Value == Wrapped? {
    .min(keyPath)
  }

  /// The former name of `min(_:)`.
  @available(*, deprecated, renamed: "min(_:)")
  public static func minimum<Wrapped: Persistable & RealmCollectionValue>(
    _ keyPath: KeyPath<Element, Wrapped?>
  ) -> Self where Value == Wrapped? {
    .min(keyPath)
  }

  /// The former name of `max(_:)`.
  @available(*, deprecated, renamed: "max(_:)")
  public static func maximum<Wrapped: Persistable & RealmCollectionValue>(
    _ keyPath: KeyPath<Element, Wrapped>
  ) -> Self where Value == Wrapped? {
    .max(keyPath)
  }

  /// The former name of `max(_:)`.
  @available(*, deprecated, renamed: "max(_:)")
  public static func maximum<Wrapped: Persistable & RealmCollectionValue>(
    _ keyPath: KeyPath<Element, Wrapped?>
  ) -> Self where Value == Wrapped? {
    .max(keyPath)
  }

  /// The former name of `min(_:)`.
  @available(*, deprecated, renamed: "min(_:)")
  public static func minimum<Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Wrapped>
  ) -> Self where Value == Wrapped? {
    .min(values)
  }

  /// The former name of `min(_:)`.
  @available(*, deprecated, renamed: "min(_:)")
  public static func minimum<Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Wrapped?>
  ) -> Self where Value == Wrapped? {
    .min(values)
  }

  /// The former name of `max(_:)`.
  @available(*, deprecated, renamed: "max(_:)")
  public static func maximum<Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Wrapped>
  ) -> Self where Value == Wrapped? {
    .max(values)
  }

  /// The former name of `max(_:)`.
  @available(*, deprecated, renamed: "max(_:)")
  public static func maximum<Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Wrapped?>
  ) -> Self where Value == Wrapped? {
    .max(values)
  }
}
