import Fief
import FiefConsole
import Foundation

extension Demo {
  /// Lets a child process write, kills it in the middle, and checks that everything it reported as stored is there.
  mutating func killAndReopen() async throws {
    let rounds = 5
    console.heading("12. Killed in the middle, \(rounds) times")
    console.say(
      "The program runs itself: the child places orders from four tasks and reports each stored order. "
        + "The orders of one task are for dogs, which are in another store: both stores have the sale, or neither does. The child gets SIGKILL in the middle, and the store is opened again."
    )
    guard let executable = Bundle.main.executableURL else {
      return console.say("The program cannot find its own path here, so this step is skipped.")
    }
    let before = try counts()
    var first = try store.payments.lastOrderNumber() + 1
    store.manager.close()

    let clock = ContinuousClock()
    var table = Table(
      ">round",
      ">reported",
      ">found",
      ">lost",
      ">not yet reported",
      ">dogs sold",
      ">halves",
      ">opened in"
    )
    var random = SeededGenerator(seed: UInt64(first))
    for round in 1...rounds {
      let count = Int.random(in: 100...400, using: &random)
      let reported = try await OrderWriter.orders(
        from: executable.path(percentEncoded: false),
        directory: directory,
        first: first,
        killedAfter: count
      )
      let opening = try clock.measure { try store.manager.openAll() }
      let found = try store.payments.totals(ofOrders: reported.keys)
      let lost = reported.filter { found[$0.key] != $0.value }.count
      let last = try store.payments.lastOrderNumber()
      let stored = try store.payments.totals(ofOrders: first...max(first, last))
      let sales = try store.sales(of: OrderWriter.dogs(first: first, last: last))
      table.add(
        "\(round)",
        Format.count(reported.count),
        Format.count(reported.count - lost),
        Format.count(lost),
        Format.count(stored.count - found.count),
        Format.count(sales.complete),
        Format.count(sales.halves),
        Format.duration(opening)
      )
      facts.acknowledged += reported.count
      facts.lost += lost
      facts.dogsSold += sales.complete
      facts.halves += sales.halves
      facts.kills += 1
      first = last + 1
      if round < rounds { store.manager.close() }
    }
    console.table(table)
    let after = try counts()
    for (name, count) in before where !["ads", "payments", "pets"].contains(name) && after[name] != count {
      throw DemoFailure.countsDiffer(store: name)
    }
    console.say(
      "The other stores are unchanged; the advertisement counters were in memory and are lost "
        + "(\(Format.count(before["ads"] ?? 0)) before, \(Format.count(after["ads"] ?? 0)) now)."
    )
    guard facts.lost == 0 else { throw DemoFailure.ordersDiffer }
    guard facts.halves == 0 else { throw DemoFailure.halfSold }
    guard try store.payments.pointsAccounts().values.allSatisfy(\.isBalanced) else {
      throw DemoFailure.pointsDiffer
    }
    console.say("Points and orders were stored together: every card has the sum of its transactions.")
    try showStores("The stores, opened again")
  }

  private func counts() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for overview in try store.manager.overview() {
      counts[overview.name] = overview.count
    }
    return counts
  }

  /// Prints a summary for a first reader.
  func summarise(in time: Duration) {
    console.heading("In short")
    console.say(
      "- Six domains keep their objects apart: \(Format.count(facts.objects)) objects in "
        + "\(Format.bytes(facts.fileSize)). Each has its own classes, schema version and file, "
        + "so each can change alone."
    )
    if let report = facts.importReport {
      console.say(
        "- \(Format.count(report.counts.packages)) packages were read, compared and stored in "
          + "\(Format.duration(report.duration)), with \(Format.count(report.counts.links)) new links. "
          + "Links are properties and can be followed in both directions."
      )
    }
    if !facts.pointsText.isEmpty { console.say("- \(facts.pointsText).") }
    if !facts.closureText.isEmpty { console.say("- \(facts.closureText)") }
    if !facts.removalText.isEmpty { console.say("- \(facts.removalText).") }
    if !facts.chatText.isEmpty { console.say("- \(facts.chatText).") }
    console.say(
      "- \(Format.count(facts.concurrentWrites)) writes from sixteen tasks took "
        + "\(Format.duration(facts.concurrentTime)): writers that wait together share one commit."
    )
    console.say(
      "- \(facts.kills) kills, \(Format.count(facts.acknowledged)) orders reported as stored, "
        + "\(Format.count(facts.lost)) lost: a completed save is on disk. "
        + "\(Format.count(facts.dogsSold)) of them sold a dog, in two stores, and \(Format.count(facts.halves)) only half."
    )
    console.say(
      "All of it took \(Format.duration(time)). The models and repositories are in Examples/PetStore/Kit."
    )
  }
}
