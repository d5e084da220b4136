import Fief
import FiefTesting
import Foundation
import Testing

private enum First {
  final class Passport: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted(index: .unique) var holder: Holder?
    @Persisted var visa: Visa?
    @Persisted var country = ""

    override class func indexes() -> [IndexDefinition] { [.unique("visa", "country")] }
  }
  final class Holder: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var email: String?
  }
  /// A class whose key is a row id.
  final class Visa: Object {
    @Persisted var text = ""
  }
}

/// The targets have other keys.
private enum Second {
  final class Passport: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted(index: .unique) var holder: Holder?
    @Persisted var visa: Visa?
    @Persisted var country = ""

    override class func indexes() -> [IndexDefinition] { [.unique("visa", "country")] }
  }
  final class Holder: Object {
    @Persisted var id = 0
    @Persisted(primaryKey: true) var email: String?
  }
  final class Visa: Object {
    @Persisted(primaryKey: true) var text = ""
  }
}

/// The classes without the indexes.
private enum Zeroth {
  final class Passport: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var holder: Holder?
    @Persisted var visa: Visa?
    @Persisted var country = ""
  }
  final class Holder: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var email: String?
  }
  final class Visa: Object {
    @Persisted var text = ""
  }
}

private final class ULCascadePart: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(index: .unique) var whole: ULCascadeWhole?
}

private final class ULCascadeWhole: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(originProperty: "whole") var parts: LinkingObjects<ULCascadePart>

  override class func relationships() -> [Relationship] { [Relationship("parts", deleteRule: .cascade)] }
}

private final class ULDenyPart: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(index: .unique) var whole: ULDenyWhole?
}

private final class ULDenyWhole: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(originProperty: "whole") var parts: LinkingObjects<ULDenyPart>

  override class func relationships() -> [Relationship] { [Relationship("parts", deleteRule: .deny)] }
}

private final class ULPlain: Object {
  @Persisted(indexed: true) var other: ULPlain?
}

/// A unique index over a link.
@Suite struct UniqueLinkTests {
  private func fixture(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    let types = [First.Passport.self, First.Holder.self, First.Visa.self] as [Object.Type]
    return try StoreFixture(TestRepository(objectTypes: types), kind)
  }

  private func passport(_ number: Int, _ holder: First.Holder? = nil, _ visa: First.Visa? = nil)
    -> First.Passport
  {
    First.Passport(value: ["number": number, "holder": holder as Any, "visa": visa as Any])
  }

  @Test(arguments: StoreKind.allCases) func aSecondObjectWithTheSameLinkIsRefused(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let holder = First.Holder(value: ["id": 7])
    try fixture.saveAndWait(entity: passport(1, holder))
    let error = #expect(throws: FiefError.self) {
      try fixture.saveAndWait(entity: passport(2, First.Holder(value: ["id": 7])))
    }
    #expect(error?.code == .duplicateValue && error?.store == "test")
    #expect(error?.type == "Passport" && error?.property == "holder" && error?.key == "2")
    // The same object again, and another target, are fine.
    try fixture.saveAndWait(entity: passport(1, holder))
    try fixture.saveAndWait(entity: passport(2, First.Holder(value: ["id": 8])))
    // Two objects may change places in one write.
    try fixture.write { tx in
      let one = try #require(try tx.object(ofType: First.Passport.self, forPrimaryKey: 1))
      let two = try #require(try tx.object(ofType: First.Passport.self, forPrimaryKey: 2))
      (one.holder, two.holder) = (two.holder, one.holder)
    }
    #expect(try fixture.fetchObject(ofType: First.Passport.self, forPrimaryKey: 1)?.holder?.id == 8)
    #expect(throws: FiefError.self) {
      try fixture.write { tx in
        let one = try #require(try tx.object(ofType: First.Passport.self, forPrimaryKey: 1))
        one.holder = try tx.object(ofType: First.Holder.self, forPrimaryKey: 7)
      }
    }
    fixture.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func nilLinksDoNotCollide(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    for number in 0..<5 { try fixture.saveAndWait(entity: passport(number)) }
    #expect(try fixture.objects(First.Passport.self).where { $0.holder == nil }.fetchCount() == 5)
    fixture.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func compoundsAndTargetsWithRowIDs(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    try fixture.write { tx in
      let visa = try tx.create(First.Visa.self, value: ["text": "a"])
      for (number, country) in ["fr", "de"].enumerated() {
        try tx.create(First.Passport.self, value: ["number": number, "visa": visa, "country": country])
      }
    }
    let error = #expect(throws: FiefError.self) {
      try fixture.write { tx in
        let visa = try #require(tx.objects(First.Visa.self).first)
        try tx.create(First.Passport.self, value: ["number": 9, "visa": visa, "country": "fr"])
      }
    }
    #expect(error?.code == .duplicateValue && error?.property == "visa, country")
    try fixture.write { tx in
      let visa = try tx.create(First.Visa.self, value: ["text": "b"])
      try tx.create(First.Passport.self, value: ["number": 9, "visa": visa, "country": "fr"])
    }
    fixture.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func queriesAreAnsweredWithoutIt(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    try fixture.write { tx in
      for number in 0..<50 {
        let holder = try tx.create(First.Holder.self, value: ["id": 50 - number, "email": "\(number)"])
        let visa = number % 2 == 0 ? try tx.create(First.Visa.self, value: ["text": "\(number)"]) : nil
        try tx.create(
          First.Passport.self,
          value: ["number": number, "holder": holder, "visa": visa as Any, "country": "\(number % 5)"]
        )
      }
    }
    let passports = try fixture.objects(First.Passport.self)
    let holder = try #require(try fixture.fetchObject(ofType: First.Holder.self, forPrimaryKey: 40))
    #expect(try passports.where { $0.holder == holder }.all().map(\.number) == [10])
    #expect(try passports.filter("holder.id = 40").all().map(\.number) == [10])
    #expect(try passports.where { $0.holder.id < 4 }.all().map(\.number) == [47, 48, 49])
    #expect(try passports.where { $0.visa == nil }.fetchCount() == 25)
    #expect(
      try passports.where { $0.country == "3" && $0.visa != nil }.all().map(\.number) == [8, 18, 28, 38, 48]
    )
    #expect(try passports.sorted(byKeyPath: "holder.id").all().map(\.number) == (0..<50).reversed())
    #expect(try passports.sorted(byKeyPath: "country").all().first?.number == 0)
    fixture.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func deletedTargets(_ kind: StoreKind) throws {
    let fixture = try fixture(kind)
    let holders = (0..<3).map { First.Holder(value: ["id": $0]) }
    try fixture.saveAndWait(entities: holders.enumerated().map { passport($0, $1) })
    // Nullified: all are nil.
    try fixture.deleteAndWait(ofType: First.Holder.self, forPrimaryKeys: [0, 1])
    #expect(try fixture.objects(First.Passport.self).where { $0.holder == nil }.fetchCount() == 2)
    // The key is free again.
    try fixture.saveAndWait(entity: passport(10, First.Holder(value: ["id": 0])))
    try fixture.deleteAllAndWait(deleteObjClass: First.Holder.self)
    #expect(try fixture.objects(First.Passport.self).where { $0.holder == nil }.fetchCount() == 4)
    try fixture.deleteAllAndWait(deleteObjClass: First.Passport.self)
    try fixture.saveAndWait(entity: passport(1, First.Holder(value: ["id": 0])))
    fixture.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func targetsWithRules(_ kind: StoreKind) throws {
    let types =
      [ULCascadePart.self, ULCascadeWhole.self, ULDenyPart.self, ULDenyWhole.self] as [Object.Type]
    let fixture = try StoreFixture(TestRepository(objectTypes: types), kind)
    try fixture.write { tx in
      let whole = try tx.create(ULCascadeWhole.self, value: ["id": 1])
      try tx.create(ULCascadePart.self, value: ["id": 1, "whole": whole])
      let denied = try tx.create(ULDenyWhole.self, value: ["id": 1])
      try tx.create(ULDenyPart.self, value: ["id": 1, "whole": denied])
    }
    let denied = #expect(throws: FiefError.self) {
      try fixture.deleteAndWait(ofType: ULDenyWhole.self, forPrimaryKeys: [1])
    }
    #expect(denied?.code == .deletionDenied)
    let duplicate = #expect(throws: FiefError.self) {
      try fixture.write { tx in
        let whole = try #require(try tx.object(ofType: ULDenyWhole.self, forPrimaryKey: 1))
        try tx.create(ULDenyPart.self, value: ["id": 2, "whole": whole])
      }
    }
    #expect(duplicate?.code == .duplicateValue)
    try fixture.deleteAndWait(ofType: ULCascadeWhole.self, forPrimaryKeys: [1])
    #expect(try fixture.count(ULCascadePart.self) == 0)
    try fixture.write { tx in
      let whole = try tx.create(ULCascadeWhole.self, value: ["id": 1])
      try tx.create(ULCascadePart.self, value: ["id": 2, "whole": whole])
    }
    fixture.closeChecked()
  }

  @Test func onlyUniqueIndexesHaveLinks() throws {
    let error = #expect(throws: FiefError.self) {
      _ = try StoreFixture(TestRepository(objectTypes: [ULPlain.self]), .inMemory)
    }
    #expect(error?.code == .invalidSchema)
    #expect((error?.details ?? []).contains { $0.contains("only a unique index can contain it") })
  }

  // MARK: Migrations

  private func withDirectory(_ body: (String) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    try body(directory.path)
  }

  private func repository(
    _ directory: String,
    _ version: UInt64,
    _ types: [Object.Type],
    _ migration: MigrationBlock? = nil
  ) -> TestRepository {
    TestRepository("passports", in: directory, version: version, objectTypes: types, migration: migration)
  }

  @Test func targetsGetOtherKeys() throws {
    try withDirectory { directory in
      let first = repository(directory, 1, [First.Passport.self, First.Holder.self, First.Visa.self])
      try first.write { tx in
        for number in 0..<300 {
          let holder = try tx.create(
            First.Holder.self,
            value: ["id": number, "email": "\((number * 7919) % 1000) @"]
          )
          let visa = number % 3 == 0 ? try tx.create(First.Visa.self, value: ["text": "visa \(number)"]) : nil
          try tx.create(
            First.Passport.self,
            value: [
              "number": number, "holder": number % 2 == 0 ? holder as Any : NSNull(), "visa": visa as Any,
            ]
          )
        }
      }
      first.closeChecked()
      let second = repository(directory, 2, [Second.Passport.self, Second.Holder.self, Second.Visa.self])
      try second.open()
      let expected = "\((4 * 7919) % 1000) @"
      let passport = try #require(try second.fetchObject(ofType: Second.Passport.self, forPrimaryKey: 4))
      #expect(passport.holder?.email == expected)
      let error = #expect(throws: FiefError.self) {
        try second.write { tx in
          let holder = try #require(try tx.object(ofType: Second.Holder.self, forPrimaryKey: expected))
          try tx.create(Second.Passport.self, value: ["number": 5000, "holder": holder])
        }
      }
      #expect(error?.code == .duplicateValue && error?.property == "holder")
      second.closeChecked()
    }
  }

  @Test func theIndexIsAddedToAStore() throws {
    try withDirectory { directory in
      let before = repository(directory, 1, [Zeroth.Passport.self, Zeroth.Holder.self, Zeroth.Visa.self])
      try before.write { tx in
        let holder = try tx.create(Zeroth.Holder.self, value: ["id": 1])
        for number in 0..<2 {
          try tx.create(
            Zeroth.Passport.self,
            value: ["number": number, "holder": holder, "country": "\(number)"]
          )
        }
      }
      before.closeChecked()
      let types = [First.Passport.self, First.Holder.self, First.Visa.self] as [Object.Type]
      let refused = repository(directory, 2, types)
      let error = try #require(refused.store().openingError)
      #expect(error.code == .duplicateValue || (error.underlying as? FiefError)?.code == .duplicateValue)
      refused.close()
      let mended = repository(directory, 2, types) { migration, _ in
        migration.enumerateObjects(ofType: "Passport") { _, new in
          if new?["number"] as? Int == 1 { new?["holder"] = nil }
        }
      }
      try mended.open()
      #expect(throws: FiefError.self) {
        try mended.write { tx in
          let holder = try #require(try tx.object(ofType: First.Holder.self, forPrimaryKey: 1))
          try tx.create(First.Passport.self, value: ["number": 7, "holder": holder, "country": "x"])
        }
      }
      mended.closeChecked()
    }
  }
}
