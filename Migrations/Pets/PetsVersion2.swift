import Fief
import Foundation

/// Breeds become objects, so that "Pug" and " pug " are one.
package enum PetsVersion2: MigrationStep {
  package static let version: UInt64 = 2
  package static let name = "breeds of their own"
  package static let description = """
    The breed of a dog was free text and becomes a link to a breed. A toy always has a colour, \
    and squeaks if it is a squeaky one. Presidents have their club as their home club.
    """
  package static var objectTypes: [Object.Type]? {
    [Person.self, Dog.self, Breed.self, DogToy.self, DogClub.self]
  }

  package static func migrate(_ migration: Migration) throws {
    try migration.enumerateObjects(ofType: "Dog") { old, new in
      guard let old, let new, let name = breedName(try old.value("breed")) else { return }
      let known = try migration.object(ofType: "Breed", forPrimaryKey: name)
      new["breed"] = known ?? migration.create("Breed", value: ["name": name])
    }
    // In the order of their names, so that it is the first club of a person who presides over several.
    try migration.enumerateObjects(ofType: "DogClub") { _, club in
      guard let president = club?["president"] as? MigrationObject,
        let person = try migration.object(ofType: "Person", forPrimaryKey: president.key),
        person["homeClub"] == nil
      else { return }
      person["homeClub"] = club
    }
  }

  /// The breed's name without blanks around it and with a capital; nil where it was not known.
  static func breedName(_ text: String) -> String? {
    let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return name.isEmpty ? nil : name.prefix(1).uppercased() + name.dropFirst()
  }
}
