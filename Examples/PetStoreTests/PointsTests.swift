import Fief
import FiefTesting
import Foundation
import Testing

@testable import PetStoreKit

@Suite("Points of customers") struct PointsTests {
  private func withShop(_ kind: StoreKind, _ body: (PaymentsRepository) async throws -> Void) async throws {
    try await withFreshStores(kind) {
      let payments = PaymentsRepository(directory: "points")
      try await payments.load(
        ISOCodes(
          currencies: Data(#"{"4217": [{"alpha_3": "EUR", "numeric": "978", "name": "Euro"}]}"#.utf8),
          countries: Data(#"{"3166-1": [{"alpha_2": "FR", "alpha_3": "FRA", "name": "France"}]}"#.utf8)
        )
      )
      try await payments.stock(
        fromJSON: Data(#"[{"sku": "BALL", "name": "Ball", "price": 3.49, "currency": "EUR"}]"#.utf8)
      )
      try await body(payments)
      #expect(try payments.check().problems.isEmpty)
    }
  }

  private func order(_ number: Int, _ quantity: Int, by userID: UUID) -> PaymentsRepository.OrderRequest {
    PaymentsRepository.OrderRequest(
      number: number,
      userID: userID,
      quantities: ["BALL": quantity],
      street: "1 Rue",
      postcode: "69002",
      city: "Lyon",
      countryCode: "FRA"
    )
  }

  private func reasons(_ payments: PaymentsRepository, of userID: UUID) throws -> [String: Int] {
    try payments.read { snapshot in
      var reasons: [String: Int] = [:]
      for change in snapshot.objects(PointTransaction.self).where({ $0.userID == userID }) {
        reasons[change.reason, default: 0] += change.points
      }
      return reasons
    }
  }

  @Test("An order earns a point for each product", arguments: StoreKind.allCases)
  func earning(kind: StoreKind) async throws {
    try await withShop(kind) { payments in
      let user = UUID()
      try await payments.place(order(1, 3, by: user))
      try await payments.place(order(2, 4, by: user))
      try await payments.place(order(3, 1, by: UUID()))
      #expect(try reasons(payments, of: user) == ["order 1": 3, "order 2": 4])
      let accounts = try payments.pointsAccounts()
      #expect(accounts.count == 2)
      #expect(accounts[user] == .init(earned: 7, redeemed: 0, points: 7))
      try payments.read { snapshot in
        let card = try #require(try snapshot.object(ofType: PointsCard.self, forPrimaryKey: user))
        #expect(card.changedAt != nil)
      }
    }
  }

  @Test("An order that is refused earns nothing", arguments: StoreKind.allCases)
  func refusedOrders(kind: StoreKind) async throws {
    try await withShop(kind) { payments in
      let user = UUID()
      try await payments.place(order(1, 3, by: user))
      await #expect(throws: FiefError.self) { try await payments.place(order(1, 5, by: user)) }
      for quantity in [0, -1, Int.min, Int.max, PaymentsRepository.maximumQuantity + 1] {
        await #expect(throws: ShopError.invalidNumber(quantity)) {
          try await payments.place(order(2, quantity, by: user))
        }
      }
      #expect(try payments.pointsAccounts() == [user: .init(earned: 3, redeemed: 0, points: 3)])
      #expect(try payments.lastOrderNumber() == 1)
    }
  }

  @Test("Points are redeemed with the reason, as long as there are enough", arguments: StoreKind.allCases)
  func redeeming(kind: StoreKind) async throws {
    try await withShop(kind) { payments in
      let user = UUID()
      try await payments.place(order(1, 10, by: user))
      #expect(try await payments.redeem(4, for: "a bone", by: user) == 6)
      await #expect(throws: ShopError.notEnoughPoints(available: 6, needed: 7)) {
        try await payments.redeem(7, for: "a bed", by: user)
      }
      await #expect(throws: ShopError.notEnoughPoints(available: 0, needed: 1)) {
        try await payments.redeem(1, for: "a bone", by: UUID())
      }
      for points in [0, -5, Int.min] {
        await #expect(throws: ShopError.invalidNumber(points)) {
          try await payments.redeem(points, for: "a trick", by: user)
        }
      }
      #expect(try await payments.redeem(6, for: "a bone", by: user) == 0)
      #expect(try reasons(payments, of: user) == ["order 1": 10, "a bone": -10])
      #expect(try payments.pointsAccounts() == [user: .init(earned: 10, redeemed: -10, points: 0)])
    }
  }

  @Test("Where the card is changed while the customer is asked, its points are looked at again")
  func conflict() async throws {
    try await withShop(.inMemory) { payments in
      let user = UUID()
      try await payments.place(order(1, 10, by: user))
      let asked = Recorder()
      let first = OtherTask { try await payments.redeem(5, for: "a toy", by: user) }
      let left = try await payments.redeem(4, for: "a bone", by: user) { left in
        if await asked.add(left) == 1 { try await first.run() }
      }
      #expect(left == 1)
      #expect(await asked.values == [6, 1])
      let last = OtherTask { try await payments.redeem(1, for: "a toy", by: user) }
      await #expect(throws: ShopError.notEnoughPoints(available: 0, needed: 1)) {
        try await payments.redeem(1, for: "a bone", by: user) { _ in try await last.run() }
      }
      #expect(try payments.pointsAccounts() == [user: .init(earned: 10, redeemed: -10, points: 0)])
    }
  }

  @Test(
    "A customer who declines, and a task that is cancelled, keep the points",
    arguments: StoreKind.allCases
  )
  func declining(kind: StoreKind) async throws {
    struct Declined: Error {}
    try await withShop(kind) { payments in
      let user = UUID()
      try await payments.place(order(1, 10, by: user))
      await #expect(throws: Declined.self) {
        try await payments.redeem(4, for: "a bone", by: user) { _ in throw Declined() }
      }
      let task = Task {
        try await payments.redeem(4, for: "a bone", by: user) { _ in try await Task.sleep(for: .seconds(600))
        }
      }
      task.cancel()
      await #expect(throws: (any Error).self) { try await task.value }
      #expect(try payments.pointsAccounts() == [user: .init(earned: 10, redeemed: 0, points: 10)])
    }
  }

  @Test(
    "Cards have what their transactions add up to when tasks earn and redeem",
    arguments: StoreKind.allCases
  )
  func atOnce(kind: StoreKind) async throws {
    try await withShop(kind) { payments in
      let users = [UUID(), UUID()]
      let redeemed = try await withThrowingTaskGroup(of: Int.self) { group in
        for task in 0..<8 {
          group.addTask {
            var redeemed = 0
            for turn in 0..<15 {
              let user = users[(task / 2 + turn) % 2]
              if task.isMultiple(of: 2) {
                try await payments.place(order(task * 100 + turn + 1, 1 + turn % 3, by: user))
                continue
              }
              do {
                try await payments.redeem(2, for: "a bone", by: user, maximumAttempts: 200) { _ in
                  await Task.yield()
                }
                redeemed += 2
              } catch ShopError.notEnoughPoints {}
            }
            return redeemed
          }
        }
        return try await group.reduce(0, +)
      }
      let accounts = try payments.pointsAccounts()
      #expect(accounts.values.allSatisfy { $0.isBalanced && $0.points >= 0 }, "\(accounts)")
      #expect(accounts.values.reduce(0) { $0 + $1.earned } == 4 * 15 * 2)
      #expect(accounts.values.reduce(0) { $0 + $1.redeemed } == -redeemed)
    }
  }
}

/// What a customer was asked.
private actor Recorder {
  private(set) var values: [Int] = []

  func add(_ value: Int) -> Int {
    values.append(value)
    return values.count
  }
}

/// A task that waits until the body of a redemption has it run: one that the body starts would be a part of it.
private struct OtherTask: Sendable {
  private let task: Task<Int, any Error>
  private let start: AsyncStream<Void>.Continuation

  init(_ body: @escaping @Sendable () async throws -> Int) {
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    self.start = start
    task = Task {
      for await _ in starts {}
      return try await body()
    }
  }

  func run() async throws {
    start.finish()
    _ = try await task.value
  }
}
