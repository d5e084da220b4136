import Fief
import Foundation
import Testing

final class ShapeNothing: Object {}
final class ShapeKeyOnly: Object { @Persisted(primaryKey: true) var id = 0 }
final class ShapeIntegers: Object {
  @Persisted var i0: Int?
  @Persisted var i1: Int
  @Persisted var i2: Int
  @Persisted var i3: Int?
  @Persisted var i4: Int
  @Persisted var i5: Int
  @Persisted var i6: Int?
  @Persisted var i7: Int
  @Persisted var i8: Int
  @Persisted var i9: Int?
  @Persisted var i10: Int
  @Persisted var i11: Int
  @Persisted var i12: Int?
  @Persisted var i13: Int
  @Persisted var i14: Int
  @Persisted var i15: Int?
  @Persisted var i16: Int
  @Persisted var i17: Int
  @Persisted var i18: Int?
  @Persisted var i19: Int
  @Persisted var i20: Int
  @Persisted var i21: Int?
  @Persisted var i22: Int
  @Persisted var i23: Int
  @Persisted var i24: Int?
  @Persisted var i25: Int
  @Persisted var i26: Int
  @Persisted var i27: Int?
  @Persisted var i28: Int
  @Persisted var i29: Int
  @Persisted var i30: Int?
  @Persisted var i31: Int
  @Persisted var i32: Int
  @Persisted var i33: Int?
  @Persisted var i34: Int
  @Persisted var i35: Int
  @Persisted var i36: Int?
  @Persisted var i37: Int
  @Persisted var i38: Int
  @Persisted var i39: Int?
  var all: [Int?] {
    [
      i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17, i18, i19, i20, i21, i22,
      i23, i24, i25, i26, i27, i28, i29, i30, i31, i32, i33, i34, i35, i36, i37, i38, i39,
    ]
  }
}
final class ShapePart: EmbeddedObject {
  @Persisted var small = 0
  @Persisted var text = ""
  @Persisted var big = 0
  @Persisted var other = ""
  @Persisted var inner: ShapePart?
  @Persisted var parts: List<ShapePart>
}
final class ShapeOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var before = 0
  @Persisted var part: ShapePart?
  @Persisted var after = ""
  @Persisted var parts: Map<String, ShapePart?>
}

private struct ShapeRepository: DatabaseConfigurable {
  var identifier = UUID().uuidString
  var realmMemoryType: RealmMemoryType { .inMemory(identifier: identifier) }
  var schemaName: String? { "shape" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? {
    [ShapeNothing.self, ShapeKeyOnly.self, ShapeIntegers.self, ShapeOwner.self]
  }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [ShapePart.self] }
  var migrationBlock: MigrationBlock? { nil }
}

@Suite struct ShapeTests {
  static let values: [Int] = [
    0, -1, 127, 128, -128, -129, 32767, 32768, -32769, 1 << 31, -(1 << 31) - 1, .max, .min,
  ]

  @Test func shapes() throws {
    let repository = ShapeRepository()
    defer { repository.close() }
    var wanted: [[Int?]] = []
    try repository.store().write { transaction in
      try transaction.add([ShapeNothing(), ShapeNothing(), ShapeKeyOnly()])
      for round in 0..<26 {
        let object = ShapeIntegers()
        object.i0 = (round + 0) % 5 == 0 ? nil : Self.values[(round * 7 + 0) % 13]
        object.i1 = Self.values[(round * 7 + 1) % 13]
        object.i2 = Self.values[(round * 7 + 2) % 13]
        object.i3 = (round + 3) % 5 == 0 ? nil : Self.values[(round * 7 + 3) % 13]
        object.i4 = Self.values[(round * 7 + 4) % 13]
        object.i5 = Self.values[(round * 7 + 5) % 13]
        object.i6 = (round + 6) % 5 == 0 ? nil : Self.values[(round * 7 + 6) % 13]
        object.i7 = Self.values[(round * 7 + 7) % 13]
        object.i8 = Self.values[(round * 7 + 8) % 13]
        object.i9 = (round + 9) % 5 == 0 ? nil : Self.values[(round * 7 + 9) % 13]
        object.i10 = Self.values[(round * 7 + 10) % 13]
        object.i11 = Self.values[(round * 7 + 11) % 13]
        object.i12 = (round + 12) % 5 == 0 ? nil : Self.values[(round * 7 + 12) % 13]
        object.i13 = Self.values[(round * 7 + 13) % 13]
        object.i14 = Self.values[(round * 7 + 14) % 13]
        object.i15 = (round + 15) % 5 == 0 ? nil : Self.values[(round * 7 + 15) % 13]
        object.i16 = Self.values[(round * 7 + 16) % 13]
        object.i17 = Self.values[(round * 7 + 17) % 13]
        object.i18 = (round + 18) % 5 == 0 ? nil : Self.values[(round * 7 + 18) % 13]
        object.i19 = Self.values[(round * 7 + 19) % 13]
        object.i20 = Self.values[(round * 7 + 20) % 13]
        object.i21 = (round + 21) % 5 == 0 ? nil : Self.values[(round * 7 + 21) % 13]
        object.i22 = Self.values[(round * 7 + 22) % 13]
        object.i23 = Self.values[(round * 7 + 23) % 13]
        object.i24 = (round + 24) % 5 == 0 ? nil : Self.values[(round * 7 + 24) % 13]
        object.i25 = Self.values[(round * 7 + 25) % 13]
        object.i26 = Self.values[(round * 7 + 26) % 13]
        object.i27 = (round + 27) % 5 == 0 ? nil : Self.values[(round * 7 + 27) % 13]
        object.i28 = Self.values[(round * 7 + 28) % 13]
        object.i29 = Self.values[(round * 7 + 29) % 13]
        object.i30 = (round + 30) % 5 == 0 ? nil : Self.values[(round * 7 + 30) % 13]
        object.i31 = Self.values[(round * 7 + 31) % 13]
        object.i32 = Self.values[(round * 7 + 32) % 13]
        object.i33 = (round + 33) % 5 == 0 ? nil : Self.values[(round * 7 + 33) % 13]
        object.i34 = Self.values[(round * 7 + 34) % 13]
        object.i35 = Self.values[(round * 7 + 35) % 13]
        object.i36 = (round + 36) % 5 == 0 ? nil : Self.values[(round * 7 + 36) % 13]
        object.i37 = Self.values[(round * 7 + 37) % 13]
        object.i38 = Self.values[(round * 7 + 38) % 13]
        object.i39 = (round + 39) % 5 == 0 ? nil : Self.values[(round * 7 + 39) % 13]
        wanted.append(object.all)
        try transaction.add(object)
      }
    }
    let found = try #require(repository.queryAll(returningClass: ShapeIntegers.self)).map(\.all)
    #expect(Array(found) == wanted)
    #expect(try repository.count(ShapeNothing.self) == 2)
    #expect(try repository.check().problems == [])
  }

  @Test func embedded() throws {
    let repository = ShapeRepository()
    defer { repository.close() }
    func made(_ depth: Int, _ seed: Int) -> ShapePart {
      let part = ShapePart()
      part.small = Self.values[seed % 13]
      part.big = Self.values[(seed + depth) % 13]
      part.text = String(repeating: "x", count: [0, 1, 127, 128, 255, 256, 70_000][(seed + depth) % 7])
      part.other = "o\(seed)"
      if depth > 0 {
        part.inner = made(depth - 1, seed + 1)
        part.parts.append(objectsIn: [made(depth - 1, seed + 2), made(depth - 1, seed + 3)])
      }
      return part
    }
    func text(_ part: ShapePart?) -> String {
      guard let part else { return "-" }
      return
        "(\(part.small),\(part.text.count),\(part.big),\(part.other),\(text(part.inner)),\(part.parts.map { text($0) }))"
    }
    var wanted: [Int: String] = [:]
    for seed in 0..<13 {
      let owner = ShapeOwner()
      owner.id = seed
      owner.before = Self.values[seed]
      owner.part = made(2, seed)
      owner.after = "after"
      owner.parts["a"] = made(1, seed + 5)
      owner.parts["b"] = .some(nil)
      wanted[seed] = text(owner.part) + text(owner.parts["a"] ?? nil)
      try repository.saveAndWait(entity: owner, update: false)
    }
    for seed in 0..<13 {
      let owner = try #require(repository.object(ofType: ShapeOwner.self, forPrimaryKey: seed))
      #expect(owner.before == Self.values[seed] && owner.after == "after")
      #expect(text(owner.part) + text(owner.parts["a"] ?? nil) == wanted[seed])
    }
    #expect(try repository.check().problems == [])
  }
}
