import FiefRealm
import FiefTesting
import Foundation
import Testing

@Suite("Object ids as Realm has them", .freshStores)
struct ObjectIdBehaviourTests {
  private static let text = "000123450000ffbeef91906c"

  @Test("are made of texts, and of a time, a machine and a process")
  func making() throws {
    let id = try ObjectId(string: Self.text)
    #expect(id.stringValue == Self.text && id.description == Self.text)
    #expect(try ObjectId(string: Self.text.uppercased()) == id)
    #expect(throws: FiefError.self) { try ObjectId(string: "000123450000ffbeef91906") }
    #expect(throws: FiefError.self) { try ObjectId(string: "000123450000ffbeef91906g") }
    let now = Date()
    let made = ObjectId(timestamp: now, machineId: 0x0A0B0C, processId: 0x0102)
    #expect(Int(made.timestamp.timeIntervalSince1970) == Int(now.timeIntervalSince1970))
    #expect(made.stringValue.dropFirst(8).prefix(10) == "0a0b0c0102")
    #expect(made != ObjectId(timestamp: now, machineId: 0x0A0B0C, processId: 0x0102))
    #expect(
      ObjectId(timestamp: .distantPast, machineId: 1, processId: 1).timestamp.timeIntervalSince1970 == 0
    )
    #expect(ObjectId.generate() != ObjectId.generate())
  }

  @Test("are made of texts in the program without an optional")
  func literals() throws {
    let id: ObjectId = ObjectId("000123450000ffbeef91906c")
    let holder = IdHolder()
    holder.id = ObjectId("000123450000ffbeef91906c")
    holder.other = ObjectId("000123450000ffbeef91906d")
    #expect(holder.id == id && holder.other?.stringValue.last == "d")
    let optional = ObjectId("000123450000ffbeef91906c") ?? ObjectId.generate()
    #expect(optional == id)
    var wrong: ObjectId?
    let events = withExpectedEvents {
      let made: ObjectId = ObjectId("no id")
      wrong = made
    }
    #expect(events.map(\.failure?.code) == [.invalidValue])
    #expect(wrong?.stringValue == String(repeating: "0", count: 24))
  }

  @Test("are compared")
  func comparing() throws {
    let (first, second) = (try ObjectId(string: Self.text), try ObjectId(string: "000123450000ffbeef91906d"))
    let same = try ObjectId(string: Self.text)
    #expect(first == same && first != second && first.hashValue == same.hashValue)
    #expect(second > first && !(first > same) && second >= first && first >= same)
    #expect(first < second && !(first < same) && first <= second && first <= same)
  }

  @Test("are keys, are found, and are texts in JSON", arguments: StoreKind.allCases)
  func storing(_ kind: StoreKind) throws {
    try withValueStore(kind, [IdHolder.self]) { store in
      let id: ObjectId = ObjectId("507f1f77bcf86cd799439011")
      try store.write { store.create(IdHolder.self, value: ["id": id, "other": "507f1f77bcf86cd799439012"]) }
      let found = try #require(store.object(ofType: IdHolder.self, forPrimaryKey: id))
      #expect(found.id == id && found.other == ObjectId("507f1f77bcf86cd799439012"))
      #expect(
        store.objects(IdHolder.self).where { $0.other == ObjectId("507f1f77bcf86cd799439012") }.count == 1
      )
      #expect(store.objects(IdHolder.self).filter("id == %@", id).count == 1)
    }
    let ids = [ObjectId.generate(), .generate()]
    let document = try JSONEncoder().encode(ids)
    #expect(try JSONDecoder().decode([String].self, from: document) == ids.map(\.stringValue))
    #expect(try JSONDecoder().decode([ObjectId].self, from: document) == ids)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ObjectId].self, from: Data(#"["507f"]"#.utf8))
    }
  }
}
