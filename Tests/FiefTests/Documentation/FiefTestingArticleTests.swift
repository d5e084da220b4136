import Fief
import FiefTesting
import Foundation
import Testing
import XCTest

final class Cat: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var isFed = false
}

struct CatRepository: DatabaseConfigurable {
  let schemaName: String? = "cats"
  let schemaVersion: UInt64? = 1
  let objectTypes: [Object.Type]? = [Cat.self]
}

// Documentation: begin xctest
final class CatTestCase: StoreTestCase {
  func testFeeding() throws {
    try CatRepository().saveAndWait(entity: Cat(value: ["name": "Tom"]))
    try CatRepository().write { try $0.object(ofType: Cat.self, forPrimaryKey: "Tom")?.isFed = true }
    try expectContents(of: CatRepository(), Cat.self, \.isFed, equal: [true])
  }
}
// Documentation: end xctest

/// The code of the catalogue of `FiefTesting`.
@Suite struct FiefTestingArticleTests {
  // Documentation: begin trait
  @Suite(.freshStores) struct CatTests {
    @Test func feeds() throws {
      try CatRepository().saveAndWait(entity: Cat(value: ["name": "Tom"]))
      try expectCount(of: CatRepository(), Cat.self, 1)
    }
  }
  // Documentation: end trait

  // Documentation: begin fixture
  @Test func aFixtureIsARepository() throws {
    let cats = try StoreFixture(CatRepository(), seed: .objects([Cat(value: ["name": "Tom"])]))
    try cats.redirect {
      // Code that makes its own CatRepository() finds the store of the fixture in here.
      try CatRepository().deleteAllAndWait(deleteObjClass: Cat.self)
    }
    try expectCount(of: cats, Cat.self, 0)
  }
  // Documentation: end fixture

  // Documentation: begin control
  @Test(.freshStores) func writesThatWaitShareACommit() async throws {
    let cats = CatRepository()
    try cats.open()
    let before = try cats.writes.statistics.batches
    try cats.writes.pause()
    async let first = cats.save(entity: Cat(value: ["name": "Tom"]), update: true)
    async let second = cats.save(entity: Cat(value: ["name": "Kit"]), update: true)
    try await cats.writes.waitUntilPending(2)
    try cats.writes.resume()
    _ = try await (first, second)
    #expect(try cats.writes.statistics.batches == before + 1)
  }
  // Documentation: end control

  // Documentation: begin unchanged
  @Test(.freshStores) func aFailedWriteChangesNothing() throws {
    let cats = CatRepository()
    try cats.open()
    try expectNoChanges(in: cats) {
      #expect(throws: FiefError.self) {
        try cats.write { transaction in
          try transaction.add(Cat(value: ["name": "Tom"]))
          throw FiefError(.cancelled, "The user has changed their mind.")
        }
      }
    }
  }
  // Documentation: end unchanged

  @Test func theCatalogueShowsIt() throws {
    try ArticleCode.expectSame("FiefTesting", of: "FiefTesting", as: #filePath)
  }
}
