import Fief
import FiefTesting
import Foundation
import Testing

/// Collections have the queries and aggregates of results, and repositories have the methods of their store.
@Suite struct ObjectQueryTests {
  private func owner() -> KennelOwner {
    let owner = KennelOwner(value: ["id": 1, "numbers": [1, 2, 4], "prices": ["a": 0.5, "b": 1.5]])
    for id in 1...4 {
      let dog = KennelDog(value: ["id": id, "name": "dog \(id)", "age": id * 2])
      dog.weight = id > 2 ? Double(id) : nil
      dog.fee = Decimal(id)
      dog.born = Date(timeIntervalSinceReferenceDate: Double(id))
      owner.dogs.append(dog)
      let room = KennelRoom()
      room.area = id == 4 ? nil : id * 10
      owner.rooms.append(room)
    }
    return owner
  }

  private func check(_ owner: KennelOwner) throws {
    let dogs = owner.dogs
    #expect(try dogs.fetchSum(of: \.age) == 20 && dogs.fetchSum(of: \.weight) == 7)
    #expect(try dogs.fetchMin(of: \.name) == "dog 1" && dogs.fetchMax(of: \.weight) == 4)
    #expect(try dogs.fetchAverage(of: \.age) == 5 && dogs.fetchAverage(of: \.weight) == 3.5)
    #expect(try dogs.fetchAverage(of: \.born) == Date(timeIntervalSinceReferenceDate: 2.5))
    let fee: Decimal? = dogs.average(of: \.fee)
    #expect(fee == Decimal(string: "2.5"))
    #expect(try dogs.fetchSum(ofProperty: "age") == 20 && dogs.fetchMax(ofProperty: "age") == 8)
    #expect(try owner.numbers.fetchSum() == 7 && owner.prices.fetchAverage() == 1)
    #expect(owner.prices.max() == 1.5 && owner.numbers.max() == 4)

    let rooms = owner.rooms.results
    #expect(try rooms.fetchSum(of: \.area) == 60 && rooms.fetchMax(of: \.area) == 30)
    #expect(owner.rooms.average(of: \.area) == 20 && owner.rooms.min(of: \.area) == 10)
    #expect(rooms.sorted(by: \.area, ascending: false).limit(1).first?.area == 30)
    #expect(rooms.distinct(by: ["area"]).count == 4)
  }

  @Test(arguments: [true, false]) func listsAndEmbeddedResultsHaveTheAggregatesOfResults(isStored: Bool)
    throws
  {
    let owner = owner()
    guard isStored else { return try check(owner) }
    let repository = KennelRepository()
    defer { repository.close() }
    try repository.write { try $0.add(owner) }
    try check(try #require(repository.object(ofType: KennelOwner.self, forPrimaryKey: 1)))
  }

  @Test(arguments: [true, false]) func anErrorOfAnAggregateOfAListNamesTheProperty(isStored: Bool) throws {
    let owner = owner()
    let repository = KennelRepository()
    defer { repository.close() }
    if isStored { try repository.write { try $0.add(owner) } }
    let unknown = #expect(throws: FiefError.self) { try owner.dogs.fetchSum(ofProperty: "none") as Int }
    #expect(unknown?.property == "none" && unknown?.type == "KennelDog")
    let text = #expect(throws: FiefError.self) { try owner.dogs.fetchAverage(ofProperty: "name") }
    #expect(text?.code == .invalidQuery && text?.property == "name")
  }

  private func addAndCount(_ id: Int, in access: some StoreAccess) throws -> Int {
    try access.write { try $0.add(KennelToy(value: ["price": id])) }
    return try access.read { try $0.count(KennelToy.self) }
  }

  @Test func aStoreAndItsRepositoryHaveTheSameAccess() async throws {
    let repository = KennelRepository()
    defer { repository.close() }
    #expect(try addAndCount(1, in: repository) == 1)
    #expect(try addAndCount(2, in: repository.store()) == 2)
    #expect(repository.store().store() == repository.store())
    let dearest = try await repository.store().write { transaction in
      try transaction.objects(KennelToy.self).fetchMax(of: \.price)
    }
    #expect(dearest == 2)
  }

  @Test func frozenCollectionsShareTheirMembers() throws {
    let repository = KennelRepository()
    defer { repository.close() }
    try repository.write { try $0.add(owner()) }
    func describe(_ frozen: some FrozenCollection) -> String {
      "\(frozen.isFrozen) \(frozen.startIndex) \(frozen.freeze().count)"
    }
    let dogs = try repository.objects(KennelDog.self)
    #expect(describe(dogs.freeze()) == "true 0 4")
    #expect(describe(dogs.sectioned(by: \.age).freeze()) == "true 0 4")
  }
}
