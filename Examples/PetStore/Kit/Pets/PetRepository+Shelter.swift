import Fief
import Foundation

extension PetRepository {
  /// Takes in a dog without an owner; one that is there already stays as it is.
  ///
  /// - Parameter id: the dog's key.
  func takeIn(_ adoption: Adoption, id: UUID = UUID()) async throws {
    try await write { tx in
      if try tx.exists(Dog.self, forPrimaryKey: id) { return }
      let dog = try Self.dog(adoption, in: tx)
      dog.id = id
      try tx.add(dog, update: .error)
    }
  }

  /// Removes a dog; orders in another store may go on referring to it.
  func remove(_ id: UUID) async throws {
    try await write { tx in
      if let dog = try tx.object(ofType: Dog.self, forPrimaryKey: id) { try tx.delete(dog) }
    }
  }

  /// The number of dogs without an owner.
  func homelessDogs() throws -> Int {
    try read { try $0.objects(Dog.self).where { $0.owners.count == 0 }.fetchCount() }
  }

  /// The account of a dog's owner; nil for a dog without one, or that is not there.
  func owner(ofDog id: UUID) throws -> UUID? {
    try read { try $0.object(ofType: Dog.self, forPrimaryKey: id)?.owners.first?.userID }
  }

  /// Gives a dog without an owner to a person, who is added where the account has none yet.
  ///
  /// - Throws: ``ShopError`` where there is no such dog, or it has an owner.
  static func give(_ id: UUID, to name: String, userID: UUID, in tx: WriteTransaction) throws {
    guard let dog = try tx.object(ofType: Dog.self, forPrimaryKey: id) else { throw ShopError.unknownDog(id) }
    guard dog.owners.isEmpty else { throw ShopError.dogHasHome(id) }
    if let person = try tx.objects(Person.self).where({ $0.userID == userID }).fetchFirst() {
      person.dogs.append(dog)
      return
    }
    let person = Person()
    person.name = name
    person.userID = userID
    person.dogs.append(dog)
    try tx.add(person, update: .error)
  }
}
