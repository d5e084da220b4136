import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the article *Reading, writing and concurrency*.
@Suite(.freshStores) struct ReadingAndWritingArticleTests {
  final class Account: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var balance = 0
    @Persisted var changed: Date?
    @Persisted var tags: List<String>
    @Persisted var address: Address?
  }

  final class Address: EmbeddedObject {
    @Persisted var city = ""
  }

  final class DailyCount: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var count = 0
  }

  struct AccountRepository: DatabaseConfigurable {
    let schemaName: String? = "accounts"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Account.self, DailyCount.self]
    let embeddedObjectTypes: [EmbeddedObject.Type]? = [Address.self]
  }

  private let accounts = AccountRepository()

  private func fill() throws {
    try accounts.saveAndWait(entities: [
      Account(value: ["name": "kim", "balance": 100] as [String: Any]),
      Account(value: ["name": "bo", "balance": 20] as [String: Any]),
    ])
  }

  private func balance(_ name: String) throws -> Int? {
    try accounts.fetchObject(ofType: Account.self, forPrimaryKey: name)?.balance
  }

  // Documentation: begin transfer
  func transfer(_ amount: Int, from giver: String, to receiver: String) async throws -> Int {
    let accounts = AccountRepository()
    return try await accounts.write { transaction in
      guard let from = try transaction.object(ofType: Account.self, forPrimaryKey: giver),
        let to = try transaction.object(ofType: Account.self, forPrimaryKey: receiver),
        from.balance >= amount
      else { throw TransferError.refused }
      from.balance -= amount
      to.balance += amount
      return from.balance
    }
  }

  enum TransferError: Error { case refused }
  // Documentation: end transfer

  @Test func aWriteTakesPlaceAsAWholeOrNotAtAll() async throws {
    try fill()
    #expect(try await transfer(70, from: "kim", to: "bo") == 30)
    await #expect(throws: TransferError.self) { try await transfer(70, from: "kim", to: "bo") }
    #expect(try balance("kim") == 30 && balance("bo") == 90)
  }

  // Documentation: begin redeem
  func redeem(_ points: Int, for name: String, asking shop: Shop) async throws -> Int {
    try await AccountRepository().runTransaction { transaction in
      guard let account = try transaction.get(Account.self, forPrimaryKey: name), account.balance >= points
      else { throw TransferError.refused }
      let price = try await shop.price(of: points)
      account.balance -= price
      try transaction.set(account)
      try transaction.merge(DailyCount.self, forPrimaryKey: "redeemed", .increment(\.count))
      return account.balance
    }
  }
  // Documentation: end redeem

  struct Shop: Sendable {
    func price(of points: Int) async throws -> Int {
      await Task.yield()
      return points
    }
  }

  @Test func aTransactionMaySuspend() async throws {
    try fill()
    #expect(try await redeem(70, for: "kim", asking: Shop()) == 30)
    await #expect(throws: TransferError.self) { try await redeem(70, for: "kim", asking: Shop()) }
    #expect(try balance("kim") == 30)
    #expect(accounts.object(ofType: DailyCount.self, forPrimaryKey: "redeemed")?.count == 1)
  }

  @Test func whatIsUnchangedIsSaved() async throws {
    try fill()
    let kim = try account("kim")
    let other = try account("kim")
    other.balance = 7
    try await accounts.save(entity: other, ifUnchanged: true)
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    // Documentation: begin unchanged
    kim.balance += 5
    do {
      try await accounts.save(entity: kim, ifUnchanged: true)
    } catch let error as FiefError where error.code == .conflict {
      show("Others have changed the account: \(try balance("kim") ?? 0)")
    }
    // Documentation: end unchanged
    #expect(shown == ["Others have changed the account: 7"])
  }

  @Test func changesOfABatchAreMadeTogether() async throws {
    try fill()
    // Documentation: begin batch
    var batch = accounts.batch()
    try batch.update(
      Account.self,
      forPrimaryKey: "kim",
      .increment(\.balance, by: -10),
      .timestamp(\.changed)
    )
    try batch.update(Account.self, forPrimaryKey: "bo") {
      $0.increment(\.balance, by: 10)
      $0.timestamp(\.changed)
      $0.union(\.tags, ["paid"])
    }
    try batch.merge(DailyCount.self, forPrimaryKey: "transfers", .increment(\.count))
    try batch.set(Account(value: ["name": "ada"]))
    try await batch.commit()
    // Documentation: end batch
    let (kim, bo) = (try account("kim"), try account("bo"))
    #expect(kim.balance == 90 && bo.balance == 30 && bo.tags.first == "paid")
    #expect(kim.changed != nil && kim.changed == bo.changed)
    #expect(try balance("ada") == 0)
    #expect(accounts.object(ofType: DailyCount.self, forPrimaryKey: "transfers")?.count == 1)
  }

  private func account(_ name: String) throws -> Account {
    try #require(try accounts.fetchObject(ofType: Account.self, forPrimaryKey: name))
  }

  @Test func fieldsAreNamedByTexts() throws {
    try fill()
    // Documentation: begin fields
    let fields: [String: FieldValue] = [
      "balance": .increment(-10), "changed": .timestamp, "address.city": "Bonn",
    ]
    try accounts.write { try $0.update(Account.self, forPrimaryKey: "kim", fields) }
    // Documentation: end fields
    #expect(try balance("kim") == 90 && account("kim").address?.city == "Bonn")
  }

  @Test func aReadSeesOneState() async throws {
    try fill()
    // Documentation: begin read
    let (sum, count) = try accounts.read { snapshot in
      (try snapshot.objects(Account.self).fetchSum(of: \.balance), try snapshot.count(Account.self))
    }
    // Documentation: end read
    #expect(sum == 120 && count == 2)
  }

  @Test func aLoopHasTheObjectsOfItsBeginning() throws {
    try fill()
    // Documentation: begin loop
    try accounts.write { transaction in
      for account in transaction.objects(Account.self) {
        try transaction.add(Account(value: ["name": "\(account.name), closed"]))
        account.balance = 0
      }
    }
    // Documentation: end loop
    #expect(try accounts.objects(Account.self).map(\.name) == ["bo", "bo, closed", "kim", "kim, closed"])
  }

  @Test func aHeldObjectJoinsTheWrite() throws {
    try fill()
    // Documentation: begin held
    guard let kim = try accounts.fetchObject(ofType: Account.self, forPrimaryKey: "kim") else { return }
    try accounts.write { _ in kim.balance += 5 }

    kim.balance += 10  // Outside of a write: only this copy changes …
    try accounts.saveAndWait(entity: kim, update: .modified)  // … until it is saved.
    // Documentation: end held
    #expect(try balance("kim") == 115)
  }

  // Documentation: begin sending
  actor Printer {
    func line(for account: sending Account) -> String { "\(account.name): \(account.balance)" }
  }

  func lines(_ names: [String], by printer: Printer) async throws -> [String] {
    var lines: [String] = []
    for name in names {
      // Nothing else holds what was just read, so it may leave this task.
      guard let account = try AccountRepository().fetchObject(ofType: Account.self, forPrimaryKey: name)
      else { continue }
      lines.append(await printer.line(for: account))
    }
    return lines
  }
  // Documentation: end sending

  @Test func whatWasReadMayBeSent() async throws {
    try fill()
    #expect(try await lines(["bo", "nn", "kim"], by: Printer()) == ["bo: 20", "kim: 100"])
  }

  @Test func resultsAndKeysCrossTasks() async throws {
    try fill()
    // Documentation: begin tasks
    let rich = try accounts.objects(Account.self).where { $0.balance > 50 }
    let names = try await withThrowingTaskGroup(of: [String].self) { group in
      group.addTask { try rich.all().map(\.name) }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    // Documentation: end tasks
    #expect(names == ["kim"])
  }

  @Test @MainActor func aHandlerIsCalledWhereTheCallerIs() async throws {
    try fill()
    var message = ""
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      func show(_ text: String) {
        message = text
        continuation.resume()
      }
      // Documentation: begin handler
      let account = Account(value: ["name": "ada"])
      accounts.save(entity: account, update: true) { outcome in
        switch outcome {
        case .success: show("Saved.")
        case .failure(let error): show("Not saved: \(error)")
        }
      }
      // Documentation: end handler
    }
    #expect(message == "Saved.")
  }

  @Test func aWriteInsideOfAWriteIsRefused() throws {
    try fill()
    // Documentation: begin nested
    do {
      try accounts.write { _ in
        try accounts.saveAndWait(entity: Account(value: ["name": "ada"]))
      }
    } catch let error as FiefError {
      print(error.code)  // nestedWrite
    }
    // Documentation: end nested
    #expect(try accounts.count(Account.self) == 2)
  }

  @Test func theArticleShowsIt() throws {
    try ArticleCode.expectSame("ReadingAndWriting", as: #filePath)
  }
}
