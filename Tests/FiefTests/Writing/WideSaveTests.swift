import Fief
import Foundation
import Testing

final class ReviewWide: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var p0 = 0
  @Persisted var p1 = 0
  @Persisted var p2 = 0
  @Persisted var p3 = 0
  @Persisted var p4 = 0
  @Persisted var p5 = 0
  @Persisted var p6 = 0
  @Persisted var p7 = 0
  @Persisted var p8 = 0
  @Persisted var p9 = 0
  @Persisted var p10 = 0
  @Persisted var p11 = 0
  @Persisted var p12 = 0
  @Persisted var p13 = 0
  @Persisted var p14 = 0
  @Persisted var p15 = 0
  @Persisted var p16 = 0
  @Persisted var p17 = 0
  @Persisted var p18 = 0
  @Persisted var p19 = 0
  @Persisted var p20 = 0
  @Persisted var p21 = 0
  @Persisted var p22 = 0
  @Persisted var p23 = 0
  @Persisted var p24 = 0
  @Persisted var p25 = 0
  @Persisted var p26 = 0
  @Persisted var p27 = 0
  @Persisted var p28 = 0
  @Persisted var p29 = 0
  @Persisted var p30 = 0
  @Persisted var p31 = 0
  @Persisted var p32 = 0
  @Persisted var p33 = 0
  @Persisted var p34 = 0
  @Persisted var p35 = 0
  @Persisted var p36 = 0
  @Persisted var p37 = 0
  @Persisted var p38 = 0
  @Persisted var p39 = 0
  @Persisted var p40 = 0
  @Persisted var p41 = 0
  @Persisted var p42 = 0
  @Persisted var p43 = 0
  @Persisted var p44 = 0
  @Persisted var p45 = 0
  @Persisted var p46 = 0
  @Persisted var p47 = 0
  @Persisted var p48 = 0
  @Persisted var p49 = 0
  @Persisted var p50 = 0
  @Persisted var p51 = 0
  @Persisted var p52 = 0
  @Persisted var p53 = 0
  @Persisted var p54 = 0
  @Persisted var p55 = 0
  @Persisted var p56 = 0
  @Persisted var p57 = 0
  @Persisted var p58 = 0
  @Persisted var p59 = 0
  @Persisted var p60 = 0
  @Persisted var p61 = 0
  @Persisted var p62 = 0
  @Persisted var p63 = 0
  @Persisted var p64 = 0
  @Persisted var p65 = 0
  @Persisted var p66 = 0
  @Persisted var p67 = 0
  @Persisted var p68 = 0
  @Persisted var p69 = 0
}

final class ReviewKeyless: Object {
  @Persisted var name = ""
}

private struct WideRepository: DatabaseConfigurable {
  var identifier = UUID().uuidString
  var realmMemoryType: RealmMemoryType { .inMemory(identifier: identifier) }
  var schemaName: String? { "wide" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [ReviewWide.self, ReviewKeyless.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}

@Suite struct WideSaveTests {
  @Test("a save that reserves row ids on the way writes only what was assigned")
  func reservingDoesNotAssign() throws {
    let repository = WideRepository()
    defer { repository.close() }
    let wide = ReviewWide()
    wide.id = 1
    try repository.store().write { try $0.add(wide) }
    let mine = try #require(repository.object(ofType: ReviewWide.self, forPrimaryKey: 1))
    try repository.store().write {
      try #require(try $0.object(ofType: ReviewWide.self, forPrimaryKey: 1)).p69 = 69
    }
    mine.p0 = 1
    try repository.saveAndWait(entities: [mine, ReviewKeyless()], update: .modified)
    let found = try #require(repository.object(ofType: ReviewWide.self, forPrimaryKey: 1))
    #expect(found.p0 == 1)
    #expect(found.p69 == 69)
  }
}
