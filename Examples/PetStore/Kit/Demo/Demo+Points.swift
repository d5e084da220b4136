import Fief
import FiefConsole
import Foundation

extension Demo {
  /// Lets several tasks earn and redeem points of the same customers at once, and compares the cards with the transactions.
  mutating func redeemPoints() async throws {
    let (taskCount, turns, price) = (8, 20, 8)
    console.heading("7. \(taskCount) tasks earn and redeem points of the same customers")
    let payments = store.payments
    let customers = (0..<4).map { _ in UUID() }
    let base = try payments.lastOrderNumber() + 1
    let attempts = AttemptCounter()
    let clock = ContinuousClock()
    let start = clock.now
    let refused = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<taskCount {
        group.addTask {
          var data = DemoData(seed: UInt64(task))
          var refused = 0
          for turn in 0..<turns {
            let number = base + task * turns + turn
            let userID = customers[(task + turn) % customers.count]
            try await payments.place(data.customer(number: number).order(number: number, userID: userID))
            do {
              try await payments.redeem(price, for: "a bone", by: userID, maximumAttempts: 50) { _ in
                await attempts.add()
                try await Task.sleep(for: .milliseconds(1))
              }
            } catch ShopError.notEnoughPoints {
              refused += 1
            }
          }
          return refused
        }
      }
      return try await group.reduce(0, +)
    }
    let time = clock.now - start
    let count = taskCount * turns
    console.say(
      "\(Format.count(count)) orders earned a point for each product, in the write that stored the order. After each "
        + "order its task redeemed \(price) points, and called a partner between reading and changing the card, which took a millisecond and "
        + "held no lock. \(Format.count(refused)) redemptions were refused for lack of points; the other "
        + "\(Format.count(count - refused)) called the partner \(Format.count(await attempts.count)) times, because a card that was changed "
        + "meanwhile is read again. Total time: \(Format.duration(time))."
    )
    let accounts = try payments.pointsAccounts()
    var table = Table("customer", ">earned", ">redeemed", ">on the card")
    for (place, userID) in customers.enumerated() {
      let account = accounts[userID] ?? PaymentsRepository.PointsAccount()
      table.add("\(place + 1)", "\(account.earned)", "\(account.redeemed.magnitude)", "\(account.points)")
    }
    console.table(table)
    let balanced = accounts.values.count(where: \.isBalanced)
    facts.pointsText =
      "\(Format.count(balanced)) of \(Format.count(accounts.count)) customers have the sum of their transactions on "
      + "their cards"
    console.say("\(facts.pointsText), also from the concurrent orders. Redeeming more points fails:")
    guard balanced == accounts.count else { throw DemoFailure.pointsDiffer }
    do {
      try await payments.redeem(1_000_000, for: "a kennel", by: customers[0])
    } catch {
      show(error)
    }
  }
}

/// How often a partner was asked.
private actor AttemptCounter {
  private(set) var count = 0

  func add() { count += 1 }
}
