#if !canImport(ObjectiveC)
  import LMDB

  /// The type of a class's field, as its mangled name says it.
  enum FieldType {
    case persisted(any PersistedField.Type)
    /// A type that is not ``Persisted``.
    case other
    /// A type that only the runtime can find.
    case unknown

    /// Reads names; nil before the first store is opened, so that the runtime is asked.
    ///
    /// Names lead to collections, which are in a folder above: the registry of open stores sets ``PersistedTypeName``.
    static let reader = OwnedLock<StoredFunction<@Sendable (MangledTypeName) -> FieldType>?>(nil)
  }
#endif
