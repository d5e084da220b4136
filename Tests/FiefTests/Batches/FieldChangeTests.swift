import Fief
import FiefTesting
import Foundation
import Testing

/// Field operations of every kind, and what they refuse.
struct FieldChangeTests {
  private func code(_ body: () throws -> Void) -> FiefError.Code? {
    do { try body() } catch { return (error as? FiefError)?.code }
    return nil
  }

  @Test(arguments: StoreKind.allCases)
  func setsValuesAsAssignmentsDo(_ kind: StoreKind) throws {
    let game = try FieldFixture.game(kind)
    for id in 1...3 { try game.add(id) }
    let mentor = try game.player(2)
    var batch = game.batch()
    try batch.update(FieldPlayer.self, forPrimaryKey: 1) {
      $0.set(\.name, "Ada")
      $0.set(\.nickname, "A")
      $0.set(\.status, .closed)
      $0.set(\.balance, 1.5)
      $0.set(\.value, .string("any"))
      $0.set(\.tags, ["a", "b"])
      $0.set(\.badges, [3, 1])
      $0.set(\.prices, ["x": 1])
      $0.set(\.mentor, mentor)
      $0.set(\.address, FieldAddress(value: ["city": "Bonn"]))
    }
    try batch.commitAndWait()
    let player = try game.player(1)
    #expect(player.name == "Ada" && player.nickname == "A" && player.status == .closed)
    #expect(player.balance == 1.5 && player.value == .string("any"))
    #expect(Array(player.tags) == ["a", "b"] && Set(player.badges) == [1, 3] && player.prices["x"] == 1)
    #expect(player.mentor?.id == 2 && player.address?.city == "Bonn")
    #expect(try game.player(2).pupils.map(\.id) == [1])

    var second = game.batch()
    try second.update(FieldPlayer.self, forPrimaryKey: 1) {
      $0.set(\.nickname, nil)
      $0.set(\.mentor, toKey: 3)
      $0.delete(\.level)
      $0.delete(\.tags)
      $0.delete(\.status)
      $0.set(\.address, nil)
    }
    try second.commitAndWait()
    let changed = try game.player(1)
    #expect(changed.nickname == nil && changed.mentor?.id == 3 && changed.level == 3)
    #expect(changed.tags.isEmpty && changed.status == .open && changed.address == nil)
    #expect(try game.player(2).pupils.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func newObjectsThatValuesLinkAreSaved(_ kind: StoreKind) throws {
    let game = try FieldFixture.game(kind)
    try game.add(1)
    let mentor = FieldPlayer(value: ["id": 9, "name": "new"])
    var batch = game.batch()
    try batch.update(FieldPlayer.self, forPrimaryKey: 1, .set(\.mentor, mentor))
    #expect(try game.store().fetchObject(ofType: FieldPlayer.self, forPrimaryKey: 9) == nil)
    try batch.commitAndWait()
    #expect(try game.player(1).mentor?.name == "new")
  }

  @Test(arguments: StoreKind.allCases)
  func namesDoTheSame(_ kind: StoreKind) throws {
    let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 50))
    var options = StoreOptions()
    options.clock = clock.read
    let game = try FieldFixture.game(kind, options)
    for id in 1...2 { try game.add(id, points: 5) }
    var batch = game.batch()
    try batch.update(
      FieldPlayer.self,
      forPrimaryKey: 1,
      [
        "name": "Ada", "points": .increment(-10), "bonus": .increment(2), "score": .incrementBy(0.5),
        "balance": .incrementByDecimal(0.25), "seen": .timestamp, "lastSeen": .timestamp,
        "tags": .union(["a", "b", "a"]), "badges": .union([2, 1]), "address.city": "Bonn",
        "address.floor": .increment(3), "address.phones": .union(["1"]), "status": .value(.int(2)),
        "mentor": .value(.int(2)), "friends": .union([.int(2), .int(1)]), "level": .delete,
        "prices": .value(.dictionary(["x": 4])), "value": .increment(1),
      ]
    )
    try batch.commitAndWait()
    let player = try game.player(1)
    #expect(player.name == "Ada" && player.points == -5 && player.bonus == 2 && player.score == 0.5)
    #expect(player.balance == 0.25 && player.seen == clock.now && player.lastSeen == clock.now)
    #expect(Array(player.tags) == ["a", "b"] && Set(player.badges) == [1, 2])
    #expect(player.address?.city == "Bonn" && player.address?.floor == 3)
    #expect(player.address.map { Array($0.phones) } == ["1"])
    #expect(player.status == .closed && player.mentor?.id == 2 && player.friends.map(\.id) == [2, 1])
    #expect(player.level == 3 && player.prices["x"] == 4 && player.value == .int(1))

    var second = game.batch()
    try second.update(
      FieldPlayer.self,
      forPrimaryKey: 1,
      [
        "tags": .remove(["a", "z"]), "badges": .remove([2]), "friends": .remove([.int(1)]),
        "mentor": .value(.none), "nickname": .value(.none), "address.phones": .remove(["1"]),
      ]
    )
    try second.update(
      FieldPlayer.self,
      forPrimaryKey: 2,
      ["address.phones": .remove(["1"]), "address.city": .delete]
    )
    try second.commitAndWait()
    let changed = try game.player(1)
    #expect(Array(changed.tags) == ["b"] && Set(changed.badges) == [1] && changed.friends.map(\.id) == [2])
    #expect(changed.mentor == nil && changed.address?.phones.isEmpty == true)
    // Without an embedded object nothing of it is removed.
    #expect(try game.player(2).address?.city == "Berlin")
  }

  @Test func embeddedObjectIsMadeByAKeyPath() throws {
    let game = try FieldFixture.game(.inMemory)
    try game.add(1)
    var batch = game.batch()
    try batch.update(
      FieldPlayer.self,
      forPrimaryKey: 1,
      .increment(\.address?.floor, by: 2),
      .increment(\.address?.floor, by: 2)
    )
    try batch.commitAndWait()
    #expect(try game.player(1).address?.floor == 4)
    #expect(try game.player(1).address?.city == "Berlin")
  }

  @Test func whatDoesNotFitIsRefusedAtTheCall() throws {
    let game = try FieldFixture.game(.inMemory)
    try game.add(1, points: 5)
    var batch = game.batch()
    func named(_ fields: [String: FieldValue]) -> FiefError.Code? {
      code { try batch.update(FieldPlayer.self, forPrimaryKey: 1, fields) }
    }
    #expect(named(["nothing": 1]) == .unknownProperty)
    #expect(named(["address.nothing": 1]) == .unknownProperty)
    #expect(named(["pupils": 1]) == .unknownProperty)
    #expect(named(["transient": 1]) == .unknownProperty)
    #expect(named(["": 1]) == .unknownProperty)
    #expect(named(["name.first": 1]) == .invalidValue)
    #expect(named(["mentor.name": "x"]) == .invalidValue)
    #expect(named(["name": 1]) == .invalidValue)
    #expect(named(["name": .increment(1)]) == .invalidValue)
    #expect(named(["status": .increment(1)]) == .invalidValue)
    #expect(named(["status": .value(.int(7))]) == .invalidValue)
    #expect(named(["seen": .increment(1)]) == .invalidValue)
    #expect(named(["points": .incrementBy(0.5)]) == .invalidValue)
    #expect(named(["points": .value(.none)]) == .missingValue)
    #expect(named(["points": .timestamp]) == .invalidValue)
    #expect(named(["score": .incrementBy(.infinity)]) == .invalidValue)
    #expect(named(["balance": .incrementByDecimal(.nan)]) == .invalidValue)
    #expect(named(["tags": .union([1])]) == .invalidValue)
    #expect(named(["prices": .union([1])]) == .invalidValue)
    #expect(named(["points": .union([1])]) == .invalidValue)
    #expect(named(["mentor": "x"]) == .invalidValue)
    #expect(named(["id": 2]) == .invalidValue)
    #expect(
      code { try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.transient)) }
        == .unknownProperty
    )
    #expect(
      code { try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.mentor?.points)) }
        == .invalidValue
    )
    #expect(
      code { try batch.update(FieldPlayer.self, forPrimaryKey: "x", .increment(\.points)) } == .invalidValue
    )
    // What was refused has left nothing in the batch.
    try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points))
    try batch.commitAndWait()
    #expect(try game.player(1).points == 6)
  }

  @Test func incrementOfATextInAValueOfAnyTypeIsRefusedAtTheCommit() throws {
    let game = try FieldFixture.game(.inMemory)
    try game.add(1)
    var set = game.batch()
    try set.update(FieldPlayer.self, forPrimaryKey: 1, .set(\.value, .string("x")), .increment(\.points))
    try set.commitAndWait()
    var batch = game.batch()
    try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points), .increment(\.value))
    let error = #expect(throws: FiefError.self) { try batch.commitAndWait() }
    #expect(error?.code == .invalidValue && error?.property == "value" && error?.key == "1")
    #expect(try game.player(1).points == 1)
  }

  @Test func valuesOfAnyTypeKeepTheirKind() throws {
    let game = try FieldFixture.game(.inMemory)
    try game.add(1)
    func after(_ value: AnyRealmValue, _ change: FieldValue) throws -> AnyRealmValue {
      var batch = game.batch()
      try batch.update(FieldPlayer.self, forPrimaryKey: 1, .set(\.value, value), .field("value", change))
      try batch.commitAndWait()
      return try game.player(1).value
    }
    #expect(try after(.none, .incrementBy(1.5)) == .double(1.5))
    #expect(try after(2, .increment(3)) == .int(5))
    #expect(try after(2, .incrementBy(0.5)) == .double(2.5))
    #expect(try after(2, .incrementByDecimal(0.5)) == .decimal128(2.5))
    #expect(try after(0.5, .increment(2)) == .double(2.5))
    #expect(try after(.float(0.5), .increment(2)) == .float(2.5))
    #expect(try after(.decimal128(0.5), .increment(2)) == .decimal128(2.5))
    #expect(throws: FiefError.self) { try after(true, .increment(2)) }
    #expect(throws: FiefError.self) { try after(.int(.max), .increment(1)) }
  }

  @Test(arguments: StoreKind.allCases)
  func sumsThatDoNotFitAreRefused(_ kind: StoreKind) throws {
    let game = try FieldFixture.game(kind)
    let numbers = FieldNumbers(value: ["id": 1])
    (numbers.i, numbers.i8, numbers.i16) = (.max, .max, .max)
    (numbers.i32, numbers.i64) = (.max, .min)
    (numbers.u8, numbers.u16, numbers.u32) = (.max, 0, .max)
    (numbers.u, numbers.u64) = (0, .max)
    (numbers.float, numbers.optional) = (.greatestFiniteMagnitude, .min)
    try game.saveAndWait(entity: numbers)
    func code(_ change: FieldChange<FieldNumbers>) throws -> FiefError.Code? {
      var batch = game.batch()
      // The first change is undone with the second one.
      try batch.merge(FieldCount.self, forPrimaryKey: "n", .increment(\.count))
      try batch.update(FieldNumbers.self, forPrimaryKey: 1, change)
      do { try batch.commitAndWait() } catch { return (error as? FiefError)?.code }
      return nil
    }
    #expect(try code(.increment(\.i)) == .invalidValue)
    #expect(try code(.increment(\.i8)) == .invalidValue)
    #expect(try code(.increment(\.i16)) == .invalidValue)
    #expect(try code(.increment(\.i32)) == .invalidValue)
    #expect(try code(.increment(\.i64, by: -1)) == .invalidValue)
    #expect(try code(.increment(\.u, by: -1)) == .invalidValue)
    #expect(try code(.increment(\.u8)) == .invalidValue)
    #expect(try code(.increment(\.u16, by: -1)) == .invalidValue)
    #expect(try code(.increment(\.u32)) == .invalidValue)
    #expect(try code(.increment(\.u64)) == .invalidValue)
    #expect(try code(.increment(\.float, by: 1e38)) == .invalidValue)
    #expect(try code(.increment(\.optional, by: -1)) == .invalidValue)
    #expect(game.store().objects(FieldCount.self).isEmpty)
    let stored = try #require(try game.store().fetchObject(ofType: FieldNumbers.self, forPrimaryKey: 1))
    #expect(stored.i == .max && stored.i8 == .max && stored.u64 == .max && stored.optional == .min)
    for change: FieldChange<FieldNumbers> in [
      .increment(\.i, by: -1), .increment(\.i8, by: -255), .increment(\.u8, by: -1), .increment(\.u16),
      .increment(\.u32, by: -1), .increment(\.u, by: 7), .increment(\.u64, by: -1), .increment(\.optional),
    ] {
      #expect(try code(change) == nil)
    }
    let changed = try #require(try game.store().fetchObject(ofType: FieldNumbers.self, forPrimaryKey: 1))
    #expect(changed.i == .max - 1 && changed.i8 == -128 && changed.u8 == 254 && changed.u16 == 1)
    #expect(
      changed.u32 == .max - 1 && changed.u == 7 && changed.u64 == .max - 1 && changed.optional == .min + 1
    )
  }

  @Test(arguments: StoreKind.allCases)
  func linkByKeyHasToLeadToAnObject(_ kind: StoreKind) throws {
    let game = try FieldFixture.game(kind)
    for id in 1...2 { try game.add(id) }
    var batch = game.batch()
    try batch.update(FieldPlayer.self, forPrimaryKey: 1, .set(\.mentor, toKey: 5))
    #expect { try batch.commitAndWait() } throws: { ($0 as? FiefError)?.code == .objectNotFound }
    // So has a link that is given by an object, as in a save.
    let gone = try game.player(2)
    try game.deleteAndWait(entity: try game.player(2))
    for change: FieldChange<FieldPlayer> in [.set(\.mentor, gone), .union(\.friends, [gone])] {
      var second = game.batch()
      try second.update(FieldPlayer.self, forPrimaryKey: 1, change)
      let isRefused = { (error: any Error) in
        (error as? FiefError)?.code == .objectNotFound
          && (error as? FiefError)?.showingValues().details == ["the deleted object: FieldPlayer 2"]
      }
      #expect { try second.commitAndWait() } throws: { isRefused($0) }
      #expect { try game.store().objects(FieldPlayer.self).update(change) } throws: { isRefused($0) }
      #expect {
        try game.write { try $0.update(FieldPlayer.self, forPrimaryKey: 1, change) }
      } throws: {
        isRefused($0)
      }
    }
    // An object that is gone is in no collection.
    var third = game.batch()
    try third.update(FieldPlayer.self, forPrimaryKey: 1, .remove(\.friends, [gone]))
    try third.commitAndWait()
    #expect(try game.player(1).mentor == nil)
    #expect(try game.player(1).friends.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func largeCollectionsAreChanged(_ kind: StoreKind) throws {
    let game = try FieldFixture.game(kind)
    try game.add(1)
    var batch = game.batch()
    try batch.update(
      FieldPlayer.self,
      forPrimaryKey: 1,
      .union(\.tags, (0..<2000).map { "tag \($0)" }),
      .union(\.badges, Array(0..<2000))
    )
    try batch.commitAndWait()
    #expect(try game.player(1).tags.count == 2000)
    var second = game.batch()
    try second.update(
      FieldPlayer.self,
      forPrimaryKey: 1,
      .union(\.tags, ["tag 7", "new"]),
      .remove(\.tags, ["tag 0"]),
      .union(\.badges, [7, 5000]),
      .remove(\.badges, [0, 1])
    )
    try second.commitAndWait()
    let player = try game.player(1)
    #expect(player.tags.count == 2000 && player.tags.first == "tag 1" && player.tags.last == "new")
    #expect(player.badges.count == 1999 && player.badges.contains(5000) && !player.badges.contains(1))
    var third = game.batch()
    try third.update(FieldPlayer.self, forPrimaryKey: 1, .delete(\.tags), .remove(\.badges, Array(3..<6000)))
    try third.commitAndWait()
    #expect(try game.player(1).tags.isEmpty)
    #expect(try game.player(1).badges.map { $0 } == [2])
  }

  @Test func observersGetTheChangedProperties() async throws {
    let game = try FieldFixture.game(.inMemory)
    for id in 1...2 { try game.add(id) }
    let changes = Lock<[ChangeSet]>([])
    let token = try game.store().observe { set in changes.withLock { $0.append(set) } }
    var batch = game.batch()
    try batch.update(FieldPlayer.self, forPrimaryKey: 1, .increment(\.points), .set(\.name, "player 1"))
    try batch.update(FieldPlayer.self, forPrimaryKey: 2, .increment(\.points, by: 0))
    try await batch.commit()
    while changes.withLock({ $0.isEmpty }) { await Task.yield() }
    let set = try #require(changes.withLock { $0.first })
    #expect(set.types["FieldPlayer"]?.modified.count == 1)
    withExtendedLifetime(token) {}
  }
}
