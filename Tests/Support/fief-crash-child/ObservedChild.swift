import Fief
import FiefStress

/// A process that writes to a store which another one observes.
enum ObservedChild {
  /// Inserts, changes and deletes an account each, in one commit.
  static func once(_ directory: String) {
    let repository = StressJointRepository("first", directory: directory)
    perform(repository) { transaction in
      try transaction.create(StressAccount.self, value: ["id": 1_000, "balance": 5])
      try account(1, transaction).note = "changed"
      try transaction.delete(try account(2, transaction))
    }
    repository.close()
    Child.say("end 1\n")
  }

  /// Moves money between accounts again and again, and replaces some by new ones.
  ///
  /// - Parameter size: the length of a text that is written too, so that writes take their time.
  static func run(_ directory: String, count: Int, size: Int, seed: UInt64) {
    let repository = StressJointRepository("first", directory: directory)
    var random = StressRandom(seed: seed)
    for round in 0..<count {
      perform(repository) { transaction in
        let all = Array(transaction.objects(StressAccount.self))
        let (giver, taker) = (all[random.next(all.count)], all[random.next(all.count)])
        giver.balance -= 7
        giver.note = String(repeating: "\(round % 10)", count: size)
        taker.balance += 7
        guard round % 5 == 0 else { return }
        let gone = all[random.next(all.count)]
        let id = 1_000_000 + random.next(1 << 40)
        try transaction.create(StressAccount.self, value: ["id": id, "balance": gone.balance])
        try transaction.delete(gone)
      }
      Child.say("saved \(round)\n")
    }
    repository.close()
    Child.say("end 1\n")
  }

  private static func account(_ id: Int, _ transaction: WriteTransaction) throws -> StressAccount {
    guard let account = try transaction.object(ofType: StressAccount.self, forPrimaryKey: id) else {
      throw FiefError(.objectNotFound, "An account is missing.", key: "\(id)")
    }
    return account
  }

  private static func perform(_ repository: StressJointRepository, _ body: (WriteTransaction) throws -> Void)
  {
    do { try repository.write(body) } catch { Child.say("error \(error)\n") }
  }
}
