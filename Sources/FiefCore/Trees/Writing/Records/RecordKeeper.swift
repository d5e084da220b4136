/// What keeps the records of a store as they were, while they are replaced; a migration has the one subclass.
class RecordKeeper {
  /// Keeps the record of an object that is about to be replaced or deleted, unless it is kept already.
  func keep(_ key: UnsafeRawBufferPointer, of table: Table) throws {}
}
