import Fief
import Foundation

/// Operations on two domains: dogs, which are pets, and their orders, which are payments.
extension PetStore {
  /// Sells a dog without an owner: the order in the one store, and the owner in the other. Both are stored in the end,
  /// or neither is, wherever the process ends.
  ///
  /// - Returns: the total of the order.
  /// - Throws: ``ShopError`` and `FiefError` where either store refuses its part; nothing is stored then.
  @discardableResult
  func sell(_ dog: UUID, to name: String, _ request: PaymentsRepository.OrderRequest) async throws -> Decimal
  {
    var request = request
    request.dogs.append(try CrossStoreLink(key: dog, in: pets))
    return try await manager.write(to: payments, and: pets) { [request] payments, pets in
      try PetRepository.give(dog, to: name, userID: request.userID, in: pets)
      return try PaymentsRepository.place(request, at: Date(), in: payments)
    }
  }

  /// A dog of an order, as far as there is one.
  enum OrderedDog: Sendable, Equatable {
    case dog(name: String)
    /// The reference leads to nothing, for a reason.
    case missing(reference: String, CrossStoreResolutionReason)
  }

  /// The dogs that an order refers to; the store of pets is asked for all of them at once.
  func dogs(ofOrder number: Int) async throws -> [OrderedDog] {
    let references = try payments.read { snapshot in
      try snapshot.object(ofType: Order.self, forPrimaryKey: number).map { Array($0.dogs) } ?? []
    }
    let found = try await manager.resolve(references)
    return zip(references, found).map { reference, resolution in
      switch resolution {
      case .found(let dog): .dog(name: dog.name)
      case .missing(let reason): .missing(reference: reference.text, reason)
      }
    }
  }

  /// The outcome of some sales, each of which may have one dog of a known key.
  struct Sales: Sendable, Equatable {
    /// Orders of a dog that its buyer has.
    var complete = 0
    /// Dogs without an order that still wait for an owner.
    var waiting = 0
    /// Orders of a dog that their buyer has not got, and dogs whose owner has no order: there must be none.
    var halves = 0
  }

  /// Compares both stores.
  ///
  /// - Parameter dogs: the key of the dog that an order may be about, by the number of the order.
  func sales(of dogs: [Int: UUID]) throws -> Sales {
    let buyers = try payments.read { snapshot in
      var buyers: [Int: UUID] = [:]
      for (number, dog) in dogs {
        let link = try CrossStoreLink<Dog>(key: dog, in: pets)
        let order = try snapshot.object(ofType: Order.self, forPrimaryKey: number)
        if let order, order.dogs.contains(link) { buyers[number] = order.userID }
      }
      return buyers
    }
    return try pets.read { snapshot in
      var sales = Sales()
      for (number, id) in dogs {
        let dog = try snapshot.object(ofType: Dog.self, forPrimaryKey: id)
        switch (buyers[number], dog?.owners.first) {
        case (nil, nil): sales.waiting += dog == nil ? 0 : 1
        case (let buyer?, let owner?) where owner.userID == buyer && dog?.owners.count == 1:
          sales.complete += 1
        default: sales.halves += 1
        }
      }
      return sales
    }
  }
}
