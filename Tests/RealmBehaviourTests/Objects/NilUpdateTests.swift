import FiefRealm
import FiefTesting
import Foundation
import Testing

final class NilledObject: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var int: Int? = 1
  @Persisted var text: String? = "a"
  @Persisted var date: Date? = Date(timeIntervalSince1970: 1)
  @Persisted var data: Data? = Data([1])
  @Persisted var bool: Bool? = true
  @Persisted var toy: MadeToy?
  @Persisted var tag: MadeTag?

  static let names = ["int", "text", "date", "data", "bool", "toy", "tag"]

  var isNil: Bool {
    int == nil && text == nil && date == nil && data == nil && bool == nil && toy == nil && tag == nil
  }

  var isFull: Bool {
    int == 1 && text == "a" && date != nil && data == Data([1]) && bool == true && toy?.name == "ball"
      && tag?.text == "tag"
  }

  static func full() -> NilledObject {
    NilledObject(value: ["id": 1, "toy": ["name": "ball"], "tag": ["text": "tag"]])
  }

  static func nilled() -> NilledObject { NilledObject(value: nothing()) }

  static func nothing() -> [String: Any] {
    var nothing: [String: Any] = ["id": 1]
    for name in names { nothing[name] = NSNull() }
    return nothing
  }
}

/// Updates with nil, and updates that do not name a property that is nil or has a value.
struct NilUpdateTests {
  private func withObject(
    _ kind: StoreKind,
    _ object: NilledObject,
    _ body: (Store) throws -> Void,
    _ check: (NilledObject) throws -> Void
  ) throws {
    let repository = TestRepository("nilled", objectTypes: [NilledObject.self, MadeToy.self, MadeDog.self])
    let fixture = try StoreFixture(repository, kind)
    let store = fixture.store()
    try store.write { store.add(object) }
    try store.write { try body(store) }
    try check(try #require(store.objects(NilledObject.self).first))
    #expect(store.objects(NilledObject.self).count == 1)
    fixture.end()
  }

  @Test(arguments: [UpdatePolicy.all, .modified], StoreKind.allCases)
  func creating(_ update: UpdatePolicy, _ kind: StoreKind) throws {
    let nothing = NilledObject.nothing()
    try withObject(kind, .full()) {
      $0.create(NilledObject.self, value: nothing, update: update)
    } _: {
      #expect($0.isNil)
    }
    try withObject(kind, .full()) {
      $0.create(NilledObject.self, value: ["id": 1], update: update)
    } _: {
      #expect($0.isFull)
    }
    try withObject(kind, .nilled()) {
      $0.create(NilledObject.self, value: ["id": 1], update: update)
    } _: {
      #expect($0.isNil)
    }
    let nilled = NilledObject.nilled()
    try withObject(kind, .full()) {
      $0.create(NilledObject.self, value: nilled, update: update)
    } _: {
      #expect($0.isNil)
    }
  }

  @Test(arguments: StoreKind.allCases) func adding(_ kind: StoreKind) throws {
    for update in [UpdatePolicy.all, .modified] {
      try withObject(kind, .full()) {
        $0.add(NilledObject.nilled(), update: update)
      } _: {
        #expect($0.isNil)
      }
    }
    for update in [UpdatePolicy.all, .modified] {
      try withObject(kind, .nilled()) {
        $0.add(NilledObject(value: ["id": 1]), update: update)
      } _: {
        #expect($0.int == 1 && $0.text == "a" && $0.toy == nil)
      }
    }
    try withObject(kind, .nilled()) {
      $0.add(NilledObject(value: ["id": 1, "int": 5]), update: .assigned)
    } _: {
      #expect($0.int == 5 && $0.text == nil && $0.date == nil)
    }
  }
}
