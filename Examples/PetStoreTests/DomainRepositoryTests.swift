import Fief
import FiefTesting
import Foundation
import Testing

@testable import PetStoreKit

@Suite("Accounts, pets, payments and advertisements", .freshStores) struct DomainRepositoryTests {
  @Test("An account is signed in on a device, and its token expires")
  func accounts() async throws {
    let auth = AuthRepository(directory: nil)
    let now = Date(timeIntervalSince1970: 1_000_000)
    let user = try await auth.register(
      name: "Emi",
      email: "e@example.org",
      device: "phone",
      lifetime: 60,
      at: now
    )
    #expect(try auth.devices(ofUser: user) == ["phone"])
    #expect(try auth.devices(ofUser: UUID()) == [])
    #expect(try await auth.sweepTokens(at: now.addingTimeInterval(59)) == 0)
    #expect(try await auth.sweepTokens(at: now.addingTimeInterval(60)) == 1)
    #expect(try await auth.sweepTokens(at: now.addingTimeInterval(61)) == 0)
    #expect(try auth.devices(ofUser: user) == ["phone"])
  }

  @Test("Who signs out on a device has a past session, and no token of it is left")
  func signingOut() async throws {
    let auth = AuthRepository(directory: nil)
    let now = Date(timeIntervalSince1970: 1_000_000)
    let user = try await auth.register(name: "Emi", email: "E@Example.org", device: "phone", at: now)
    let other = try await auth.register(name: "Jun", email: "j@example.org", device: "phone", at: now)
    #expect(try await auth.signOut(user: user, device: "laptop") == 0)
    #expect(try await auth.signOut(user: user, device: "phone", at: now.addingTimeInterval(5)) == 1)
    #expect(try await auth.signOut(user: user, device: "phone") == 0)
    #expect(try auth.devices(ofUser: user) == [])
    #expect(try auth.devices(ofUser: other) == ["phone"])
    try auth.read { snapshot in
      let found = try #require(try snapshot.object(ofType: User.self, forPrimaryKey: user))
      #expect(found.email == "e@example.org")
      #expect(found.devices.map(\.name) == ["phone"])
      #expect(found.pastSessions.map(\.endedAt) == [now.addingTimeInterval(5)])
      #expect(snapshot.objects(Token.self).count == 1)
    }
  }

  @Test("Dogs come with toys and go to clubs, which two people share")
  func pets() async throws {
    let pets = PetRepository(directory: nil)
    let rex = PetRepository.Adoption(
      name: "Rex",
      breed: "Pug",
      age: 3,
      toys: [.ball, .squeaky],
      clubs: ["Swimming", "Agility"]
    )
    let bella = PetRepository.Adoption(name: "Bella", breed: "Pug", age: 1, toys: [], clubs: ["Swimming"])
    _ = try await pets.adopt([rex], by: "Ada")
    _ = try await pets.adopt([bella, rex], by: "Björn")
    #expect(try pets.largestHouseholds(1).map(\.dogs) == [["Bella", "Rex"]])
    let clubs = try pets.clubs()
    #expect(clubs.map(\.name) == ["Agility", "Swimming"])
    #expect(clubs.map(\.members) == [2, 3])
    #expect(clubs.map(\.president) == ["Ada", "Ada"])
    let homes = try pets.read { $0.objects(Person.self).compactMap(\.homeClub?.name) }
    #expect(homes == ["Swimming", "Swimming"])
    #expect(try pets.breeds().map(\.count) == [3])
    #expect(try await pets.celebrateBirthday(ofBreed: "Pug") == 3)
    #expect(try await pets.celebrateBirthday(ofBreed: "Husky") == 0)
    let ages = try pets.read { $0.objects(Dog.self).map(\.age).sorted() }
    #expect(ages == [2, 4, 4])
    let inverses = try pets.read { snapshot in
      snapshot.objects(Dog.self).map { [$0.owners.count, $0.toys.count] }
    }
    #expect(inverses.allSatisfy { $0[0] == 1 })
    #expect(inverses.reduce(0) { $0 + $1[1] } == 4)
  }

  private func withShop(_ body: (PaymentsRepository) async throws -> Void) async throws {
    let payments = PaymentsRepository(directory: nil)
    let codes = try ISOCodes(
      currencies: Data(
        #"{"4217": [{"alpha_3": "EUR", "numeric": "978", "name": "Euro"}, {"alpha_3": "JPY", "name": "Yen"}]}"#
          .utf8
      ),
      countries: Data(#"{"3166-1": [{"alpha_2": "FR", "alpha_3": "FRA", "name": "France"}]}"#.utf8)
    )
    try await payments.load(codes)
    try await payments.stock(fromJSON: DemoData.productsJSON())
    try await body(payments)
  }

  private func order(_ number: Int, _ quantities: [String: Int], country: String = "FRA")
    -> PaymentsRepository.OrderRequest
  {
    PaymentsRepository.OrderRequest(
      number: number,
      userID: UUID(),
      quantities: quantities,
      street: "1 Rue",
      postcode: "69002",
      city: "Lyon",
      countryCode: country
    )
  }

  @Test("Products come from JSON with exact prices and the currencies of ISO")
  func products() async throws {
    try await withShop { payments in
      let prices = try payments.priceList()
      #expect(prices.count == 40)
      let ball = try #require(prices.first { $0.sku == "EUR-BALL" })
      #expect(ball.price == Decimal(string: "3.49"))
      #expect(ball.currency == "EUR")
      let digits = try payments.read {
        try $0.object(ofType: Currency.self, forPrimaryKey: "JPY")?.fractionDigits
      }
      #expect(digits == 0)
    }
  }

  @Test("An order has lines, an address and an exact total, and takes from the stock")
  func orders() async throws {
    try await withShop { payments in
      let total = try await payments.place(order(7, ["EUR-BALL": 3, "EUR-ROPE": 1]))
      #expect(total == Decimal(string: "17.46"))
      #expect(try payments.totals(ofOrders: [6, 7]) == [7: total])
      #expect(try payments.lastOrderNumber() == 7)
      let turnover = try payments.turnover()
      #expect(turnover.map(\.currency) == ["EUR"])
      #expect(turnover.map(\.lines) == [2])
      #expect(turnover.map(\.total) == [total])
      #expect(try payments.destinations().map(\.name) == ["France"])
      let stock = try payments.read { try $0.object(ofType: Product.self, forPrimaryKey: "EUR-BALL")?.stock }
      #expect(stock == 99_997)
    }
  }

  @Test("What is sent back is in the stock again, once")
  func takingBack() async throws {
    try await withShop { payments in
      try await payments.place(order(7, ["EUR-BALL": 3, "EUR-ROPE": 1]))
      #expect(try await payments.takeBack("EUR-BALL", ofOrder: 7) == 3)
      #expect(try await payments.takeBack("EUR-BALL", ofOrder: 7) == 0)
      #expect(try await payments.takeBack("EUR-BALL", ofOrder: 8) == 0)
      try payments.read { snapshot in
        let ball = try #require(try snapshot.object(ofType: Product.self, forPrimaryKey: "EUR-BALL"))
        #expect(ball.stock == 100_000)
        #expect(ball.orderLines.map(\.orders.first?.number) == [7])
      }
    }
  }

  @Test("An order that is refused changes nothing")
  func refusedOrders() async throws {
    try await withShop { payments in
      try await payments.place(order(1, ["EUR-BALL": 1]))
      await #expect(throws: ShopError.unknownProduct("NOPE")) {
        try await payments.place(order(2, ["EUR-BALL": 1, "NOPE": 1]))
      }
      await #expect(throws: ShopError.unknownCountry("FR")) {
        try await payments.place(order(2, ["EUR-BALL": 1], country: "FR"))
      }
      await #expect(throws: ShopError.mixedCurrencies(order: 2)) {
        try await payments.place(order(2, ["EUR-BALL": 1, "JPY-BALL": 1]))
      }
      let duplicate = await #expect(throws: FiefError.self) {
        try await payments.place(order(1, ["EUR-BALL": 1]))
      }
      #expect(duplicate?.code == .duplicatePrimaryKey)
      try expectContents(of: payments, Order.self, \.number, equal: [1])
      let stock = try payments.read { try $0.object(ofType: Product.self, forPrimaryKey: "EUR-BALL")?.stock }
      #expect(stock == 99_999)
      #expect(try payments.lastOrderNumber() == 1)
    }
  }

  @Test("A basket is kept for each account, with wishes and quantities")
  func wishes() async throws {
    try await withShop { payments in
      let user = UUID()
      try await payments.wish(for: "EUR-BED", quantity: 2, by: user)
      let cart = try payments.read {
        try $0.object(ofType: Basket.self, forPrimaryKey: user)?.quantities["EUR-BED"]
      }
      #expect(cart == 2)
      let wishing = try payments.read { snapshot in
        try snapshot.object(ofType: Product.self, forPrimaryKey: "EUR-BED")?.baskets.map(\.userID)
      }
      #expect(wishing == [user])
    }
  }

  @Test("Eight tasks count fifty times each, and nothing is lost")
  func counters() async throws {
    let ads = AdRepository(identifier: "ads")
    let now = Date(timeIntervalSince1970: 1_000_000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for turn in 0..<50 {
            try await ads.count(
              market: "EUR",
              place: "place \(turn % 5)",
              clicked: task == 0,
              cost: task == 0 ? Decimal(turn) / 100 : 0,
              endsAt: now.addingTimeInterval(Double(turn % 5))
            )
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try ads.totals() == (impressions: 400, clicks: 50))
    let cost = try ads.read { $0.objects(AdCounter.self).reduce(Decimal(0)) { $0 + $1.cost } }
    #expect(cost == Decimal(string: "12.25"))
    #expect(try await ads.sweep(at: now.addingTimeInterval(1)) == 2)
    #expect(try ads.totals() == (impressions: 240, clicks: 30))
  }
}
