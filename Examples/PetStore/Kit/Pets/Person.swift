import Fief
import Foundation

/// A person who lives with dogs.
final class Person: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted(indexed: true) var name: String
  /// The account of the person in the store of accounts: links end at a store's border, keys do not.
  @Persisted var userID: UUID?
  @Persisted var homeClub: DogClub?
  @Persisted var dogs: List<Dog>
}
