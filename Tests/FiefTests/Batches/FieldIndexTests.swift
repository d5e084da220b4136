import Fief
import FiefTesting
import Foundation
import Testing

struct FieldCents: CustomPersistable, Hashable {
  var amount: Int
  init(amount: Int) { self.amount = amount }
  init(persistedValue: Int) { amount = persistedValue }
  var persistableValue: Int { amount }
}

final class FieldArticle: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted(index: .fullText) var text: String
  @Persisted var team: String
  @Persisted var number: Int
  @Persisted var price = FieldCents(amount: 0)
  @Persisted var prices: List<FieldCents>

  override class func indexes() -> [IndexDefinition] { [.unique("team", "number")] }
}

/// Field operations on properties with indexes and on values of the application's own types.
struct FieldIndexTests {
  private func fixture(_ kind: StoreKind) throws -> FieldFixture {
    try StoreFixture(TestRepository("articles", version: 1, objectTypes: [FieldArticle.self]), kind)
  }

  private func article(_ text: String, _ team: String, _ number: Int) -> FieldArticle {
    FieldArticle(value: ["id": ObjectId.generate(), "text": text, "team": team, "number": number])
  }

  @Test(arguments: StoreKind.allCases)
  func wordsOfATextAreThoseOfItsNewValue(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let (one, two) = (article("quick brown fox", "a", 1), article("lazy dog", "a", 2))
    try fixture.saveAndWait(entities: [one, two])
    func found(_ words: String) -> Set<ObjectId> {
      Set(fixture.store().objects(FieldArticle.self).where { $0.text.matches(words) }.map(\.id))
    }
    #expect(found("fox") == [one.id])
    var batch = fixture.batch()
    try batch.update(FieldArticle.self, forPrimaryKey: one.id, ["text": "quick cat"])
    try batch.update(FieldArticle.self, forPrimaryKey: two.id, .set(\.text, "quick dog"))
    try batch.commitAndWait()
    #expect(found("fox").isEmpty && found("lazy").isEmpty && found("cat") == [one.id])
    #expect(found("quick") == [one.id, two.id])
    var second = fixture.batch()
    try second.update(FieldArticle.self, forPrimaryKey: one.id, .delete(\.text))
    try second.commitAndWait()
    #expect(found("quick") == [two.id])
  }

  @Test(arguments: StoreKind.allCases)
  func uniqueValuesOfTwoPropertiesStayUnique(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let (one, two) = (article("", "a", 1), article("", "a", 2))
    try fixture.saveAndWait(entities: [one, two])
    var batch = fixture.batch()
    try batch.update(FieldArticle.self, forPrimaryKey: two.id, .set(\.text, "lost"))
    try batch.update(FieldArticle.self, forPrimaryKey: one.id, .increment(\.number))
    let error = #expect(throws: FiefError.self) { try batch.commitAndWait() }
    #expect(error?.code == .duplicateValue)
    #expect(fixture.store().objects(FieldArticle.self).where { $0.text.matches("lost") }.isEmpty)
    // In this order each is unique after every change.
    var second = fixture.batch()
    try second.update(FieldArticle.self, forPrimaryKey: two.id, .increment(\.number))
    try second.update(FieldArticle.self, forPrimaryKey: one.id, .increment(\.number))
    try second.commitAndWait()
    let numbers = fixture.store().objects(FieldArticle.self).where { $0.team == "a" }
    #expect(numbers.map(\.number).sorted() == [2, 3])
    var third = fixture.batch()
    try third.update(FieldArticle.self, forPrimaryKey: one.id, ["team": "b", "number": 3])
    try third.commitAndWait()
    let moved = fixture.store().objects(FieldArticle.self).where { $0.team == "b" && $0.number == 3 }
    #expect(moved.map(\.id) == [one.id])
  }

  @Test(arguments: StoreKind.allCases)
  func valuesOfOwnTypesAreSetByThemselvesAndByName(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let one = article("", "a", 1)
    try fixture.saveAndWait(entity: one)
    func stored() throws -> FieldArticle {
      try #require(try fixture.store().fetchObject(ofType: FieldArticle.self, forPrimaryKey: one.id))
    }
    var batch = fixture.batch()
    try batch.update(
      FieldArticle.self,
      forPrimaryKey: one.id,
      .set(\.price, FieldCents(amount: 250)),
      .union(\.prices, [FieldCents(amount: 1), FieldCents(amount: 2), FieldCents(amount: 1)])
    )
    try batch.commitAndWait()
    #expect(try stored().price.amount == 250)
    #expect(try stored().prices.map(\.amount) == [1, 2])
    var second = fixture.batch()
    try second.update(
      FieldArticle.self,
      forPrimaryKey: one.id,
      ["price": 99, "prices": .remove([.int(1)])]
    )
    try second.commitAndWait()
    #expect(try stored().price.amount == 99)
    #expect(try stored().prices.map(\.amount) == [2])
    #expect(throws: FiefError.self) {
      var third = fixture.batch()
      try third.update(FieldArticle.self, forPrimaryKey: one.id, ["price": "x"])
    }
  }
}

/// Writes to a store that is opened for reading only.
struct ReadOnlyBatchTests {
  @Test func batchesAndTransactionsAreRefusedAndReadingWorks() async throws {
    let directory = try TemporaryDirectory()
    let writer = UsageStores.repository(in: directory.path)
    try writer.saveAndWait(entity: UsageStores.dog(1))
    writer.close()
    var options = StoreOptions()
    options.isReadOnly = true
    let reader = UsageStores.repository(options, in: directory.path)
    var batch = reader.batch()
    try batch.update(UsageDog.self, forPrimaryKey: "dog1", .increment(\.age))
    let waiting = #expect(throws: FiefError.self) { try batch.commitAndWait() }
    #expect(waiting?.code == .readOnlyStore)
    let suspending = await #expect(throws: FiefError.self) { try await batch.commit() }
    #expect(suspending?.code == .readOnlyStore)
    let age = try await reader.runTransaction { transaction in
      try transaction.get(UsageDog.self, forPrimaryKey: "dog1")?.age
    }
    #expect(age == 1)
    let writing = await #expect(throws: FiefError.self) {
      try await reader.runTransaction { transaction in
        let dog = try #require(try transaction.get(UsageDog.self, forPrimaryKey: "dog1"))
        dog.age += 1
        try transaction.set(dog)
      }
    }
    #expect(writing?.code == .readOnlyStore)
    reader.close()
    #expect(try writer.fetchObject(ofType: UsageDog.self, forPrimaryKey: "dog1")?.age == 1)
    writer.close()
  }
}
