import Fief
import Foundation

/// Clubs may change their names, and toys are parts of their dogs.
package enum PetsVersion3: MigrationStep {
  package static let version: UInt64 = 3
  package static let name = "clubs by identifier, toys inside of dogs"
  package static let description = """
    A club is known by an identifier instead of its name, and links to it follow. Toys become embedded objects: \
    each dog has its own, and those that no dog has are deleted.
    """

  package static func migrate(_ migration: Migration) throws {
    // The new keys of clubs are made by themselves: an identifier that is not set is a new one.
    migration.deleteUnlinkedObjects(ofType: "DogToy")
  }
}
