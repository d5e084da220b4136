/// A named database of an environment.
///
/// It stays valid when the environment reopens itself, until the database is dropped. Using it with another
/// environment, or after the drop, is an error and never reaches another database's data.
@usableFromInline package struct Database: Sendable, Hashable {
  let slot: UInt32
  let generation: UInt32
  let environment: UInt32
}
