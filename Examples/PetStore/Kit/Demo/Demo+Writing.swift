import Fief
import FiefConsole
import Foundation

extension Demo {
  /// Lets several tasks write into four stores at once, and checks that every write is there.
  mutating func writeConcurrently() async throws {
    let (taskCount, customersPerTask) = (16, 60)
    console.heading("4. \(taskCount) tasks write to four stores at once")
    let store = store
    let base = try store.payments.lastOrderNumber() + 1
    let clock = ContinuousClock()
    let start = clock.now
    let sums = try await withThrowingTaskGroup(of: [Int: Decimal].self) { group in
      for task in 0..<taskCount {
        group.addTask {
          var data = DemoData(seed: UInt64(task))
          var totals: [Int: Decimal] = [:]
          for turn in 0..<customersPerTask {
            let number = base + task * customersPerTask + turn
            let customer = data.customer(number: number)
            totals[number] = try await Self.serve(customer, number: number, in: store)
          }
          return totals
        }
      }
      return try await group.reduce(into: [Int: Decimal]()) { $0.merge($1) { $1 } }
    }
    let time = clock.now - start
    let writes = sums.count * 7
    facts.concurrentWrites = writes
    facts.concurrentTime = time
    console.say(
      "\(Format.count(sums.count)) customers signed up, added their dogs, made a wish and placed an order: "
        + "\(Format.count(writes)) writes, each on disk before its task went on, in \(Format.duration(time)) "
        + "(\(Format.rate(writes, in: time)))."
    )
    let stored = try store.payments.totals(ofOrders: sums.keys)
    let ads = try store.ads.totals()
    console.say(
      "Read back: \(Format.count(stored.count)) of \(Format.count(sums.count)) orders, "
        + "\(stored == sums ? "every total to the cent" : "NOT with the same totals"); "
        + "\(Format.count(ads.impressions)) advertisements shown, \(Format.count(ads.clicks)) clicked."
    )
    guard stored == sums else { throw DemoFailure.ordersDiffer }

    var table = Table("currency", ">orders", ">lines", ">turnover")
    for sum in try store.payments.turnover() {
      table.add(
        sum.currency,
        Format.count(sum.orders),
        Format.count(sum.lines),
        Self.amount(sum.total, digits: sum.fractionDigits)
      )
    }
    console.table(table)
    let places = try store.payments.destinations().prefix(3)
      .map { "\($0.flag) \($0.name) \(Format.count($0.orders))" }
    console.say("Most orders go to: \(places.joined(separator: ", ")).")
  }

  /// One customer's visit of the shop: seven writes, one after the other.
  private static func serve(
    _ customer: DemoData.Customer,
    number: Int,
    in store: PetStore
  ) async throws -> Decimal {
    let user = try await store.auth.register(
      name: customer.name,
      email: customer.email,
      device: customer.device
    )
    _ = try await store.pets.adopt(customer.dogs, by: customer.name, userID: user)
    let ends = Date(timeIntervalSinceNow: 600)
    for place in ["top", "side"] {
      try await store.ads.count(
        market: customer.currency,
        place: place,
        clicked: place == "top",
        endsAt: ends
      )
    }
    if let (sku, quantity) = customer.quantities.min(by: { $0.key < $1.key }) {
      try await store.payments.wish(for: sku, quantity: quantity, by: user)
    }
    let total = try await store.payments.place(customer.order(number: number, userID: user))
    try await store.ads.count(market: customer.currency, place: "thanks", clicked: false, endsAt: ends)
    return total
  }

  private static func amount(_ value: Decimal, digits: Int) -> String {
    var (value, rounded) = (value, Decimal())
    NSDecimalRound(&rounded, &value, digits, .plain)
    return "\(rounded)"
  }
}

/// A failure that must not happen, and ends the demonstration.
enum DemoFailure: Error, CustomStringConvertible {
  /// Orders that were reported as stored are missing, or are not what was stored.
  case ordersDiffer
  /// A store has another number of objects after it was opened again.
  case countsDiffer(store: String)
  /// An order of a dog whose buyer has not got it, or a dog whose owner has no order.
  case halfSold
  /// A message of the chat that is not in all of its places.
  case halfMessage
  /// A listener or another process has other messages than the store.
  case otherMessages
  /// The stars of a message differ from their count.
  case otherStars
  /// The access rules have allowed an operation that they must refuse.
  case clientWasNotRefused
  /// A card has other points than its transactions add up to.
  case pointsDiffer
  /// A removal took something else than was counted before.
  case removalDiffers
  /// The checker finds something in a store that was migrated.
  case migratedStoreIsDamaged
  /// A value of an encrypted store is in its files.
  case encryptedStoreShowsValues
  /// The search for values finds none where they are.
  case nothingIsFoundInClear

  var description: String {
    switch self {
    case .halfSold: "a dog was sold in only one of two stores"
    case .halfMessage: "a message is in its room and not in an inbox, or the other way round"
    case .otherMessages: "a listener has other messages than the store"
    case .otherStars: "the stars of a message differ from their count"
    case .clientWasNotRefused: "a client was not refused"
    case .pointsDiffer: "a card's points differ from the sum of its transactions"
    case .removalDiffers: "a removal deleted other objects than were counted before"
    case .encryptedStoreShowsValues: "a value of an encrypted store is unencrypted in its files"
    case .nothingIsFoundInClear:
      "no value of an unencrypted store was found in its files, or there was no value to find"
    case .migratedStoreIsDamaged: "the migrated store is damaged"
    case .ordersDiffer: "the stored orders differ from the orders reported as stored"
    case .countsDiffer(let store): "the number of objects in store \(store) has changed"
    }
  }
}
