import Fief
import FiefTesting
import Foundation
import Testing

@testable import PetStoreKit

@Suite("Dogs of orders, across two stores") struct AdoptionTests {
  private let rex = PetRepository.Adoption(name: "Rex", breed: "Pug", age: 3, toys: [.ball], clubs: [])

  private func order(_ number: Int, by user: UUID = UUID(), country: String = "FRA")
    -> PaymentsRepository.OrderRequest
  {
    PaymentsRepository.OrderRequest(
      number: number,
      userID: user,
      quantities: ["EUR-LEAD": 1],
      street: "1 Rue",
      postcode: "69002",
      city: "Lyon",
      countryCode: country
    )
  }

  private func withStore(_ kind: StoreKind, _ body: (PetStore) async throws -> Void) async throws {
    try await withFreshStores(kind) {
      let store = PetStore(directory: "adoptions")
      try await store.payments.load(
        ISOCodes(
          currencies: Data(#"{"4217": [{"alpha_3": "EUR", "numeric": "978", "name": "Euro"}]}"#.utf8),
          countries: Data(#"{"3166-1": [{"alpha_2": "FR", "alpha_3": "FRA", "name": "France"}]}"#.utf8)
        )
      )
      try await store.payments.stock(
        fromJSON: Data(#"[{"sku": "EUR-LEAD", "name": "Lead", "price": 18.99, "currency": "EUR"}]"#.utf8)
      )
      try await body(store)
    }
  }

  @Test("The order and the owner come together", arguments: StoreKind.allCases)
  func selling(kind: StoreKind) async throws {
    try await withStore(kind) { store in
      let (first, second, user) = (UUID(), UUID(), UUID())
      try await store.pets.takeIn(rex, id: first)
      try await store.pets.takeIn(rex, id: first)
      try await store.pets.takeIn(rex, id: second)
      #expect(try store.pets.homelessDogs() == 2)
      #expect(try await store.sell(first, to: "Ada", order(1, by: user)) == Decimal(string: "18.99"))
      #expect(try await store.sell(second, to: "Ada", order(2, by: user)) == Decimal(string: "18.99"))
      #expect(try store.pets.homelessDogs() == 0)
      #expect(try store.pets.owner(ofDog: second) == user)
      #expect(try store.pets.largestHouseholds(9).map(\.dogs) == [["Rex", "Rex"]])
      #expect(try await store.dogs(ofOrder: 1) == [.dog(name: "Rex")])
      #expect(try await store.dogs(ofOrder: 3) == [])
      #expect(try store.sales(of: [1: first, 2: second, 3: UUID()]) == .init(complete: 2))
      #expect(try store.sales(of: [2: first]).halves == 1)
    }
  }

  @Test("What one store refuses does not happen in the other one", arguments: StoreKind.allCases)
  func refusals(kind: StoreKind) async throws {
    try await withStore(kind) { store in
      let (dog, sold) = (UUID(), UUID())
      try await store.pets.takeIn(rex, id: dog)
      try await store.pets.takeIn(rex, id: sold)
      try await store.sell(sold, to: "Ada", order(1))
      await #expect(throws: ShopError.dogHasHome(sold)) {
        try await store.sell(sold, to: "Björn", order(2))
      }
      await #expect(throws: ShopError.unknownCountry("ZZZ")) {
        try await store.sell(dog, to: "Björn", order(2, country: "ZZZ"))
      }
      let unknown = UUID()
      await #expect(throws: ShopError.unknownDog(unknown)) {
        try await store.sell(unknown, to: "Björn", order(2))
      }
      let twice = await #expect(throws: FiefError.self) {
        try await store.sell(dog, to: "Björn", order(1))
      }
      #expect(twice?.code == .duplicatePrimaryKey)
      #expect(try store.payments.lastOrderNumber() == 1)
      #expect(try store.pets.owner(ofDog: dog) == nil)
      #expect(try store.pets.homelessDogs() == 1)
      #expect(try store.pets.count(Person.self) == 1)
      #expect(try store.payments.unfinishedWrites().isEmpty && store.pets.unfinishedWrites().isEmpty)
    }
  }

  @Test("A dog that is not there any more leaves a value", arguments: StoreKind.allCases)
  func dangling(kind: StoreKind) async throws {
    try await withStore(kind) { store in
      let dog = UUID()
      try await store.pets.takeIn(rex, id: dog)
      try await store.sell(dog, to: "Ada", order(1))
      try await store.pets.remove(dog)
      let found = try await store.dogs(ofOrder: 1)
      #expect(found == [.missing(reference: "pets/Dog/\(dog.uuidString)", .noObject)])
      #expect(found.map(\.description) == ["pets/Dog/\(dog.uuidString): no object has this key"])
      #expect(try store.sales(of: [1: dog]).halves == 1)
    }
  }
}
