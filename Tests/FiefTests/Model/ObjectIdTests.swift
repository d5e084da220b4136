import Fief
import Foundation
import Synchronization
import Testing

@testable import FiefCore

@Suite("Object ids")
struct ObjectIdTests {
  @Test("are unique, also when many threads make them")
  func unique() async {
    let ids = await withTaskGroup(of: [ObjectId].self) { group in
      for _ in 0..<8 { group.addTask { (0..<5_000).map { _ in ObjectId.generate() } } }
      var all: Set<ObjectId> = []
      for await part in group { all.formUnion(part) }
      return all
    }
    #expect(ids.count == 40_000)
  }

  @Test("carry the time they were made")
  func timestamp() {
    let before = Date().timeIntervalSince1970.rounded(.down)
    let id = ObjectId()
    let after = Date().timeIntervalSince1970
    #expect(id.timestamp.timeIntervalSince1970 >= before && id.timestamp.timeIntervalSince1970 <= after)
    #expect(ObjectId("ffffffff0000000000000000")?.timestamp == Date(timeIntervalSince1970: 4_294_967_295))
  }

  @Test("of one process share its random part")
  func process() {
    let (a, b) = (ObjectId().stringValue, ObjectId().stringValue)
    #expect(a.dropFirst(8).prefix(10) == b.dropFirst(8).prefix(10))
    #expect(a.suffix(6) != b.suffix(6))
  }

  @Test("go to text and bytes and back, in the order of their bytes")
  func order() throws {
    let seed = PieceRandom.freshSeed()
    var random = PieceRandom(seed: seed)
    func bytes() -> [UInt8] {
      (0..<12).map { _ in [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0 }
    }
    for _ in 0..<5_000 {
      let (x, y) = (bytes(), bytes())
      let a = try #require(x.withUnsafeBytes { ObjectId(bytes: $0) })
      let b = try #require(y.withUnsafeBytes { ObjectId(bytes: $0) })
      #expect((a < b) == x.lexicographicallyPrecedes(y), "\(a) \(b), seed \(seed)")
      #expect((a < b) == (a.stringValue < b.stringValue), "\(a) \(b), seed \(seed)")
      #expect((a == b) == (x == y), "\(a) \(b), seed \(seed)")
      #expect(a.withBytes { Array($0) } == x, "seed \(seed)")
      #expect(try ObjectId(string: a.stringValue.uppercased()) == a, "seed \(seed)")
      #expect(a.description == x.map { String(format: "%02x", $0) }.joined(), "seed \(seed)")
    }
    let id = ObjectId(bytes: (0x50, 0x7f, 0x1f, 0x77, 0xbc, 0xf8, 0x6c, 0xd7, 0x99, 0x43, 0x90, 0x11))
    #expect(id == ObjectId("507f1f77bcf86cd799439011"))
  }

  static let notIds = [
    "", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390111", "507f1f77bcf86cd79943901g",
    "+07f1f77bcf86cd799439011", "507f1f77bcf86cd7994390é",
  ]

  @Test("refuse other text, naming it", arguments: notIds)
  func refused(text: String) {
    #expect(ObjectId(text) == nil)
    #expect { try ObjectId(string: text) } throws: { error in
      (error as? FiefError)?.code == .invalidValue
        && (error as? FiefError)?.showingValues().details == ["found: \(text)"]
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ObjectId].self, from: JSONEncoder().encode([text]))
    }
  }

  @Test("are refused from another number of bytes", arguments: [0, 11, 13])
  func refused(count: Int) {
    #expect([UInt8](repeating: 1, count: count).withUnsafeBytes { ObjectId(bytes: $0) } == nil)
  }

  @Test("are text when coded")
  func coding() throws {
    let id = ObjectId()
    let data = try JSONEncoder().encode([id])
    #expect(String(decoding: data, as: UTF8.self) == "[\"\(id.stringValue)\"]")
    #expect(try JSONDecoder().decode([ObjectId].self, from: data) == [id])
  }

  @Test("take twelve bytes of storage")
  func size() {
    #expect(MemoryLayout<ObjectId>.size == 12)
  }
}
